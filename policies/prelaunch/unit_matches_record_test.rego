# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.unit_matches_record_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.unit_matches_record as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as recorded", recorded, set(), set()],
	["missing", fixture.change(recorded, [{"op": "replace", "path": "/systemd/units", "value": []}]), {"missing"}, {"unfound"}],
	["missing, but the units are not all known", fixture.gap(fixture.change(recorded, [{"op": "replace", "path": "/systemd/units", "value": []}]), "systemd", "systemd.units", "denied"), set(), {"unfound"}],
	["not found by systemd", fixture.change(recorded, [{"op": "replace", "path": "/systemd/units/0/loadState", "value": "not-found"}]), {"missing"}, {"unfound"}],
	["stopped", fixture.change(recorded, [{"op": "replace", "path": "/systemd/units/0/activeState", "value": "failed"}]), {"stopped"}, set()],
	["state not told", fixture.change(recorded, [{"op": "remove", "path": "/systemd/units/0/activeState"}]), set(), {"stateless"}],
	["another command line", fixture.change(recorded, [{"op": "replace", "path": "/launch/manifest/services/0/args/2", "value": "/models/other"}]), {"args"}, set()],
	["the program is not among the arguments", fixture.change(recorded, [{"op": "replace", "path": "/systemd/units/0/execStart/0/args", "value": ["serve", "/models/lima"]}]), set(), set()],
	["launches a container", fixture.change(recorded, [{"op": "add", "path": "/systemd/units/0/wraps", "value": {"engine": "docker"}}]), set(), {"wrapped"}],
	["arguments not recorded", fixture.change(recorded, [{"op": "remove", "path": "/launch/manifest/services/0/args"}]), set(), {"unrecorded"}],
	["no arguments recorded", fixture.change(recorded, [{"op": "replace", "path": "/launch/manifest/services/0/args", "value": []}]), set(), {"unrecorded"}],
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

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	judged := rule.subjects with input as doc
	failed := rule.fail with input as doc
	open := rule.unknown with input as doc
	(count(judged) + count(failed)) + count(open) == 0
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

recorded := fixture.change(fixture.serving, array.concat(fixture.with_unit(fixture.unit("flash.service", [])), [
	{"op": "replace", "path": "/launch/manifest/services", "value": [{"name": "flash", "runtime": {"systemd": {"unit": "flash"}}, "args": ["vllm", "serve", "/models/lima"]}]},
]))

test_no_unit_recorded if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable with input as recorded
}
