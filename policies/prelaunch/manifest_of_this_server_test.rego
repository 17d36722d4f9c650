# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.manifest_of_this_server_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.manifest_of_this_server as rule

change(path, value) := fixture.change(fixture.blank, [{"op": "replace", "path": path, "value": value}])

without(path) := fixture.change(fixture.blank, [{"op": "remove", "path": path}])

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["its own", fixture.blank, set(), set()],
	["with a domain, in capitals", change("/launch/manifest/metadata/host", "CVD-lima-07.gpu.example"), set(), set()],
	["another server's", change("/launch/manifest/metadata/host", "cvd-lima-08"), {"other"}, set()],
	["a server without a name", without("/host/name"), set(), {"nameless"}],
	["a server whose name may not be read", fixture.gap(without("/host/name"), "host", "host.name", "denied"), set(), {"nameless"}],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(wrong) == 0
}

test_a_manifest_that_names_no_server if {
	rule.applicable == false with input as without("/launch/manifest/metadata/host")
	not rule.applicable with input as fixture.blank
}

test_without_a_manifest_nothing_is_judged if {
	count(rule.subjects) == 0 with input as without("/launch/manifest")
}
