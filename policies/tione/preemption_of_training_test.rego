# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.preemption_of_training_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.preemption_of_training as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["nothing runs", fixture.tione, set(), set()],
	["trains", fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["torchrun", "train.py"])}])), {"training"}, set()],
	["trains, acknowledged", fixture.change(fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["torchrun", "train.py"])}])), [{"op": "add", "path": "/launch/manifest/tione/preemption", "value": {"acknowledged": true, "by": "Park", "on": "2026-11-02"}}]), set(), set()],
	["trains, not preempted", fixture.change(fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["torchrun", "train.py"])}])), [{"op": "replace", "path": "/tione/policy/preempted", "value": 0}]), set(), set()],
	["serves", fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["vllm", "serve", "/m"])}])), set(), set()],
	["not recognised", fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["python", "main.py"])}])), set(), {"untold"}],
	["whether it preempts is not told", fixture.change(fixture.change(fixture.tione, array.concat([{"op": "replace", "path": "/tione/policy/preempted", "value": 1}, {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute"}}], [{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["torchrun", "train.py"])}])), [{"op": "remove", "path": "/tione/policy/preempted"}]), set(), {"unset"}],
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
