# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.setting_without_effect_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.setting_without_effect as rule

recreated := fixture.change(fixture.quiet, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": fixture.measured_args}])

renamed := fixture.change(recreated, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}])

cases := [
	["as recorded", recreated, set(), set()],
	["others", fixture.quiet, {"differs"}, set()],
	["others, not all daemons seen", fixture.gap(fixture.quiet, "docker", "docker.daemons", "denied"), set(), set()],
	["others, the record not whole", fixture.gap(fixture.quiet, "launch", "launch.manifest.services", "failed"), set(), set()],
	["not recorded", fixture.serving_without(recreated, "args"), set(), {"unrecorded"}],
	["not there", renamed, set(), {"absent"}],
	["not there, not all seen", fixture.gap(renamed, "docker", "docker.daemons", "denied"), set(), {"unfound"}],
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
	rule.applicable == false with input as fixture.in_unit(fixture.quiet, "flash")
}

test_subjects if fixture.names(rule.subjects) == {"lima"} with input as fixture.quiet
