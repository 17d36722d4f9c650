# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.workload_recorded_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.workload_recorded as rule

unrecorded := fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 4301, fixture.docker_owner("stray")))

by_unit(unit) := fixture.change(fixture.serving, [
	{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"systemd": {"unit": "lima"}}},
	{"op": "add", "path": "/systemd/units/-", "value": unit},
])

launcher := object.union(fixture.unit("lima.service", []), {"wraps": {"engine": "docker", "name": "lima"}})

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["recorded", fixture.serving, set(), set()],
	["a container nobody recorded", unrecorded, {"unrecorded"}, set()],
	["a unit nobody recorded", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 4302, fixture.systemd_owner("stray.service"))), {"unrecorded"}, set()],
	["recorded as a unit", fixture.change(fixture.blank, array.concat(fixture.on(fixture.gpu_a, 4302, fixture.systemd_owner("lima.service")), [{"op": "replace", "path": "/launch/manifest/services", "value": [{"name": "lima", "runtime": {"systemd": {"unit": "lima"}}}]}])), set(), set()],
	["recorded as the unit that launches it", by_unit(launcher), set(), set()],
	["recorded as a unit that launches something else", by_unit(fixture.unit("lima.service", [])), {"unrecorded"}, set()],
	["the same name behind another daemon", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker-b.sock"}]), {"unrecorded"}, set()],
	["a container of unknown name", fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 4303, {"manager": "docker"})), set(), {"nameless"}],
	["a container no daemon told of", fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 4304, {"manager": "docker", "name": "ab12cd34ef56", "containerId": "ab12cd34ef5600"})), set(), {"nameless"}],
	["a container no daemon could tell of", fixture.change(unrecorded, [{"op": "remove", "path": "/host/processes/2/owner/daemon"}]), set(), {"nameless"}],
	[
		"behind a daemon whose address is not told", fixture.change(fixture.serving, [
			{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker-b.sock"},
			{"op": "replace", "path": "/host/processes/0/owner/daemon", "value": "capture:main"},
			{"op": "replace", "path": "/host/processes/1/owner/daemon", "value": "capture:main"},
		]),
		set(), {"nameless"},
	],
	["no services at all", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services"}]), {"unrecorded"}, set()],
	["services that could not be read", fixture.gap(fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services"}]), "launch", "launch.manifest.services", "failed"), set(), set()],
	["units that may not be read", fixture.gap(unrecorded, "systemd", "systemd.units", "denied"), set(), set()],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
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

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	judged := rule.subjects with input as doc
	count(judged) == 0
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_nothing_runs_nothing_to_record if {
	rule.applicable == false with input as fixture.blank
}

# A workload without a name is the same next week, when its id is another one.
test_subjects_last if {
	known := fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 4301, fixture.docker_owner("stray")))
	"docker/stray" in keys(rule.fail) with input as known
	nameless := fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 4304, {"manager": "docker", "name": "ab12cd34ef56", "containerId": "ab12cd34ef5600"}))
	keys(rule.unknown) == {"docker/without name"} with input as nameless
}

keys(found) := {f.subject.key | some f in found}
