# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.ssh_refused_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.ssh_refused as rule

quiet_port := fixture.change(fixture.quiet, [{"op": "add", "path": "/launch/manifest/host/ssh", "value": {"port": 36000}}])

ssh(address, names) := fixture.change(quiet_port, [{"op": "replace", "path": "/host/listeners", "value": [
	{"address": address, "port": 36000, "processes": [{"pid": 900 + i, "name": n} | some i, n in names]},
	{"address": "0.0.0.0", "port": 22, "processes": [{"pid": 4101, "name": "sshd"}]},
]}])

cases := [
	["answering", ssh("0.0.0.0", ["sshd"]), set(), set()],
	["started by systemd", ssh("::", ["systemd"]), set(), set()],
	["nothing listens", quiet_port, {"unbound"}, set()],
	["nothing listens, not all seen", fixture.gap(quiet_port, "host", "host.listeners", "denied"), set(), set()],
	["to itself only", ssh("127.0.0.1", ["sshd"]), {"loopback"}, set()],
	["to itself only, of six", ssh("::1", ["sshd"]), {"loopback"}, set()],
	["to itself, not all seen", fixture.gap(ssh("127.0.0.1", ["sshd"]), "host", "host.listeners", "denied"), set(), set()],
	["something else", ssh("0.0.0.0", ["python3"]), {"other"}, set()],
	["by whom is not known", ssh("0.0.0.0", []), set(), {"whose"}],
	["no port declared", fixture.change(ssh("0.0.0.0", ["sshd"]), [{"op": "remove", "path": "/launch/manifest/host/ssh"}]), set(), {"undeclared"}],
	["no manifest", fixture.unmanifested(ssh("0.0.0.0", ["sshd"])), set(), {"undeclared"}],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

test_subjects if fixture.names(rule.subjects) == {"cvd-lima-07"} with input as fixture.quiet
