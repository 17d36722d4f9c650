# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.pods_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.pods as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["serves", fixture.node, set(), set()],
	["trains", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}]), {"training"}, set()],
	["trained", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "replace", "path": "/kubernetes/pods/0/phase", "value": "Succeeded"}]), set(), set()],
	["phase not told", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "remove", "path": "/kubernetes/pods/0/phase"}]), set(), {"unrecognised"}],
	["of the training operator", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": []}, {"op": "replace", "path": "/kubernetes/pods/0/labels", "value": [{"key": "training.kubeflow.org/replica-type", "value": "worker"}]}]), {"training"}, set()],
	["of the trainer", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": []}, {"op": "replace", "path": "/kubernetes/pods/0/labels", "value": [{"key": "trainer.kubeflow.org/framework", "value": "torch"}]}]), {"training"}, set()],
	["TI-ONE says inference", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": []}, {"op": "add", "path": "/kubernetes/pods/0/taskType", "value": "Inference"}]), set(), set()],
	["TI-ONE says inference of a training", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "add", "path": "/kubernetes/pods/0/taskType", "value": "Inference"}]), {"training"}, set()],
	["the image's own command", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": []}]), set(), {"unrecognised"}],
	["no scope", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"undeclared"}],
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

test_a_server_for_training if {
	rule.applicable == false with input as fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/scope", "value": "training"}])
	not rule.applicable == false with input as fixture.node
}

test_nothing_runs if {
	count(rule.subjects) == 1 with input as fixture.blank
	count(rule.unknown) == 0 with input as fixture.blank
}
