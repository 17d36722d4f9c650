# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.tione_may_allocate_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.tione_may_allocate as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["TI-ONE alone", fixture.tione, set(), set()],
	["a container beside TI-ONE", beside, {"conflict"}, set()],
	["TI-ONE's own pod", fixture.change(fixture.tione, fixture.on(fixture.gpu_a, 9001, fixture.pod_owner("ti-one", "job"))), set(), set()],
	["a pod nobody could place", fixture.change(fixture.tione, fixture.on(fixture.gpu_a, 9001, fixture.pod_owner("kubernetes", "job"))), set(), {"undetermined"}],
	["an orphan", fixture.change(fixture.tione, fixture.on(fixture.gpu_a, 9001, {"manager": "orphan"})), set(), {"undetermined"}],
	["a node without GPUs", fixture.change(beside, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/totalGpuHundredths", "value": 0}]), set(), set()],
	["how many GPUs is not said", fixture.change(beside, [{"op": "remove", "path": "/tione/resourceGroup/instances/0/totalGpuHundredths"}]), {"conflict"}, set()],
	["a container that asks for a card there is not", fixture.change(fixture.tione, fixture.with_container(fixture.container("odd", [fixture.indices(["7"])]))), set(), {"undecided"}],
	["one page of the export", fixture.change(beside, [{"op": "replace", "path": "/tione/resourceGroup/instances", "value": []}, {"op": "replace", "path": "/tione/resourceGroup/totalCount", "value": 3}]), set(), {"paged"}],
	["no export", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/resourceGroup"}]), set(), {"exportless"}],
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

beside := fixture.change(fixture.tione, fixture.on(fixture.gpu_a, 9001, fixture.docker_owner("lima")))

test_the_word_is_taken_and_said if {
	rule.applicable == false with input as fixture.serving
	count(rule.assumed) == 1 with input as fixture.serving
}

test_no_card if {
	fixture.names(rule.subjects) == {"no GPU"} with input as fixture.change(fixture.tione, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
