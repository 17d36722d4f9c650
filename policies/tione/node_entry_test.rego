# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.node_entry_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.node_entry as rule

entry := {"ip": "10.20.0.17", "sshPort": 36000, "user": "tione-mgmt"}

listener(address, port, name) := {"address": address, "port": port, "processes": [{"pid": 900, "name": name}]}

with_entry(server, listeners) := fixture.change(fixture.tione, [
	{"op": "add", "path": "/launch/manifest/tione/server", "value": server},
	{"op": "replace", "path": "/host/listeners", "value": listeners},
])

sshd := [listener("0.0.0.0", 36000, "sshd"), listener("::", 36000, "sshd")]

right := with_entry(entry, sshd)

but(change) := with_entry(object.union(entry, change), sshd)

without(member) := with_entry(object.remove(entry, [member]), sshd)

cases := [
	["right", right, set(), set()],
	["another address", but({"ip": "10.20.0.18"}), {"address"}, set()],
	["addresses not known", fixture.change(but({"ip": "10.20.0.18"}), [{"op": "replace", "path": "/host/addresses", "value": []}]), set(), set()],
	["addresses not whole", fixture.gap(but({"ip": "10.20.0.18"}), "host", "host.addresses", "failed"), set(), set()],
	["another port", but({"sshPort": 22}), {"port"}, set()],
	["another port, sockets not whole", fixture.gap(but({"sshPort": 22}), "host", "host.listeners", "failed"), set(), set()],
	["on the loopback only", with_entry(entry, [listener("127.0.0.1", 36000, "sshd")]), {"loopback"}, set()],
	["on the loopback only, of six", with_entry(entry, [listener("::1", 36000, "sshd")]), {"loopback"}, set()],
	["on the loopback, sockets not whole", fixture.gap(with_entry(entry, [listener("127.0.0.1", 36000, "sshd")]), "host", "host.listeners", "failed"), set(), set()],
	["on both", with_entry(entry, [listener("127.0.0.1", 36000, "sshd"), listener("10.20.0.17", 36000, "sshd")]), set(), set()],
	["another program", with_entry(entry, [listener("0.0.0.0", 36000, "nginx")]), {"service"}, set()],
	["another program, sockets not whole", fixture.gap(with_entry(entry, [listener("0.0.0.0", 36000, "nginx")]), "host", "host.listeners", "failed"), set(), set()],
	["started by systemd", with_entry(entry, [listener("::", 36000, "systemd")]), set(), set()],
	["whose is not known", with_entry(entry, [{"address": "0.0.0.0", "port": 36000, "processes": []}]), set(), {"whose"}],
	["root", but({"user": "Root"}), {"root"}, set()],
	["declared otherwise", fixture.change(right, [{"op": "add", "path": "/launch/manifest/host/ssh", "value": {"port": 22}}]), {"declared"}, set()],
	["declared so", fixture.change(right, [{"op": "add", "path": "/launch/manifest/host/ssh", "value": {"port": 36000}}]), set(), set()],
	["no address", without("ip"), {"lacking"}, set()],
	["no port", without("sshPort"), {"lacking"}, set()],
	["no user", without("user"), {"lacking"}, set()],
	["no entry", fixture.tione, {"lacking"}, set()],
	["no entry, not all read", fixture.gap(fixture.tione, "launch", "launch.manifest.tione", "failed"), set(), set()],
	["no manifest", fixture.change(fixture.tione, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["stays out", fixture.serving, set(), set()],
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

test_who_stays_out_has_no_entry if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable == false with input as right
	count(rule.subjects) == 1 with input as right
}

test_each_missing_part_is_told if {
	{f.args.what | some f in rule.fail} == {"address", "SSH port", "user"} with input as fixture.tione
}
