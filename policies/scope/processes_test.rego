# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.processes_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.processes as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["serves", fixture.serving, set(), set()],
	["nothing runs", fixture.blank, set(), set()],
	["trains", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}]), {"training"}, set()],
	["generates for a training", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["swift", "rollout"]}]), {"rollout"}, set()],
	["not recognised", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["python", "main.py"]}]), set(), {"unrecognised"}],
	["no command line", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": []}]), set(), {"unrecognised"}],
	["nothing known", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/processes/0"}]), set(), {"unrecognised"}],
	["a worker of a container", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["python3", "-c", "from multiprocessing.spawn import spawn_main"]}]), set(), set()],
	["a worker of a login session", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["python3", "-c", "from multiprocessing.spawn import spawn_main"]}, {"op": "replace", "path": "/host/processes/0/owner", "value": {"manager": "session", "outer": []}}]), set(), {"unrecognised"}],
	["no scope", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"undeclared"}],
	["trains, and no manifest", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune_lora.py"]}, {"op": "remove", "path": "/launch/manifest"}]), set(), {"undeclared"}],
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
