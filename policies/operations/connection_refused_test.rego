# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.connection_refused_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.connection_refused as rule

on(address) := fixture.change(fixture.quiet, [{"op": "replace", "path": "/host/listeners", "value": [
	{"address": address, "port": 8000, "processes": [{"pid": 4101, "name": "python3"}]},
	{"address": "0.0.0.0", "port": 22, "processes": []},
]}])

cases := [
	["listening", on("0.0.0.0"), set(), set()],
	["nothing listens", fixture.quiet, {"closed"}, set()],
	["nothing listens, not all seen", fixture.gap(fixture.quiet, "host", "host.listeners", "denied"), set(), set()],
	["to itself only", on("127.0.0.1"), set(), {"loopback"}],
	["to itself only, of six", on("::1"), set(), {"loopback"}],
	["to itself, not all seen", fixture.gap(on("127.0.0.1"), "host", "host.listeners", "denied"), set(), set()],
	["private, to itself", fixture.change(on("127.0.0.1"), [{"op": "replace", "path": "/launch/manifest/services/0/endpoint/public", "value": false}]), set(), set()],
	["in a pod", fixture.in_workload(fixture.quiet, "lima-0"), set(), {"pod"}],
	["no port declared", fixture.serving_without(fixture.quiet, "endpoint"), set(), {"portless"}],
	["no manifest", fixture.unmanifested(fixture.quiet), set(), {"manifestless"}],
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

test_applicable if {
	not rule.applicable == false with input as fixture.quiet
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
	rule.applicable == false with input as fixture.serviceless(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as fixture.quiet
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}
