# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.containers_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.containers as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["serves", fixture.serving, set(), set()],
	["trains", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}]), {"training"}, set()],
	["trained, and stopped", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "replace", "path": "/docker/daemons/0/containers/0/state", "value": "exited"}]), set(), set()],
	["trains, in an unknown state", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "remove", "path": "/docker/daemons/0/containers/0/state"}]), set(), {"unrecognised"}],
	["a shell", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["sleep", "infinity"]}]), set(), {"unrecognised"}],
	["a shell in an image without a name", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["sleep", "infinity"]}, {"op": "remove", "path": "/docker/daemons/0/containers/0/image"}]), set(), {"unrecognised"}],
	["without a GPU", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "replace", "path": "/docker/daemons/0/containers/0/gpus", "value": []}]), set(), set()],
	["of a pod", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "add", "path": "/docker/daemons/0/containers/0/podUid", "value": "u"}]), set(), set()],
	["adapters replaced at run time", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["vllm", "serve", "/m"]}, {"op": "replace", "path": "/docker/daemons/0/containers/0/environment", "value": [{"name": "VLLM_ALLOW_RUNTIME_LORA_UPDATING", "value": "1"}]}]), {"rollout"}, set()],
	["no scope", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"undeclared"}],
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
	rule.applicable == false with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/scope", "value": "training"}])
	not rule.applicable == false with input as fixture.serving
}

test_nothing_runs if {
	count(rule.subjects) == 1 with input as fixture.blank
	count(rule.unknown) == 0 with input as fixture.blank
}
