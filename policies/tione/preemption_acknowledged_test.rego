# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.preemption_acknowledged_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.preemption_acknowledged as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["off", fixture.tione, set(), set()],
	["off, with long work", fixture.change(fixture.tione, [{"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}]), set(), set()],
	["on, with nothing long", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}]), set(), set()],
	["on, with long work", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}]), {"possible"}, set()],
	["on, with one priority for all", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "replace", "path": "/tione/policy/taskRules", "value": []}]), {"enabled"}, set()],
	["on, with a rule nobody reads", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "replace", "path": "/tione/policy/taskRules", "value": [{"members": ["X"]}]}]), {"possible"}, set()],
	["on, on a server for training", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/scope", "value": "training"}]), {"possible"}, set()],
	["acknowledged", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "add", "path": "/launch/manifest/tione/preemption", "value": {"acknowledged": true, "by": "Park", "on": "2026-11-02"}}]), set(), set()],
	["acknowledged by nobody", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "add", "path": "/launch/manifest/tione/preemption", "value": {"acknowledged": true, "by": "Park", "on": "2026-11-02"}}, {"op": "remove", "path": "/launch/manifest/tione/preemption/by"}]), {"possible"}, set()],
	["acknowledged tomorrow", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "add", "path": "/launch/manifest/tione/preemption", "value": {"acknowledged": true, "by": "Park", "on": "2026-11-02"}}, {"op": "replace", "path": "/launch/manifest/tione/preemption/on", "value": "2026-12-01"}]), {"possible"}, set()],
	["refused", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}, {"op": "add", "path": "/launch/manifest/tione/preemption", "value": {"acknowledged": true, "by": "Park", "on": "2026-11-02"}}, {"op": "replace", "path": "/launch/manifest/tione/preemption/acknowledged", "value": false}]), {"possible"}, set()],
	["on, and the manifest is not whole", fixture.gap(fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]}]), "launch", "launch.manifest", "failed"), set(), set()],
	["on, and no scope", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"untold"}],
	["not told", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy/preempted"}]), set(), {"unset"}],
	["no policy", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy"}]), set(), {"policyless"}],
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

test_the_word_is_taken_and_said if {
	rule.applicable == false with input as fixture.serving
	count(rule.assumed) == 1 with input as fixture.serving
	not rule.applicable with input as fixture.tione
}
