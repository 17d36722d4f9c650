# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.every_daemon_looked_at_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.every_daemon_looked_at as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["looked at", fixture.serving, set(), set()],
	["no permission", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/status", "value": "denied"}]), set(), {"unread"}],
	["no answer", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/status", "value": "timeout"}]), set(), {"unread"}],
	["no such daemon", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/status", "value": "absent"}]), set(), set()],
	["a container that no daemon knows", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan", "containerId": "beef0011beef0011"})), {"stranger"}, {"unfound"}],
	["a container whose daemon could not be read", fixture.gap(fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "docker", "containerId": "beef0011beef0011"})), "docker", "docker.daemons", "denied"), set(), {"unfound"}],
	["a leftover while a daemon could not be read", fixture.gap(fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan", "containerId": "beef0011beef0011"})), "docker", "docker.daemons", "denied"), set(), {"unfound"}],
	["an orphan of unknown container", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan"})), set(), {"nameless"}],
	["a pod that is gone", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan", "containerId": "beef", "podUid": "u"})), set(), set()],
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

test_no_daemon_and_no_container if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/docker/daemons", "value": []}])
	not rule.applicable with input as fixture.serving
}

test_both_daemons_are_judged if {
	second := object.union(fixture.blank.docker.daemons[0], {"endpoint": "unix:///run/docker-sglang.sock", "status": "denied"})
	doc := fixture.change(fixture.serving, [{"op": "add", "path": "/docker/daemons/-", "value": second}])
	fixture.names(rule.subjects) == {"unix:///run/docker.sock", "unix:///run/docker-sglang.sock"} with input as doc
	fixture.about(rule.unknown) == {"unix:///run/docker-sglang.sock"} with input as doc
}

# What is found is the same next week, when PIDs and ids are others.
test_subjects_last if {
	one := fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan", "containerId": "beef0011beef0011"}))
	two := fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 6001, {"manager": "orphan", "containerId": "abcd0011beef0011"}))
	keys(rule.unknown) == {"container of python3"} with input as one
	keys(rule.unknown) == {"container of python3"} with input as two
	keys(rule.fail) == {"container of unnamed"} with input as fixture.change(one, [{"op": "remove", "path": "/host/processes/2/name"}])
	nameless := fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan"}))
	keys(rule.unknown) == {"python3"} with input as nameless
}

keys(found) := {f.subject.key | some f in found}
