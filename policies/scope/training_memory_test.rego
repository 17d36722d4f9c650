# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.training_memory_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.training_memory as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["it fits", fixture.training, set(), set()],
	["full fine-tuning of as many parameters", fixture.train([{"op": "replace", "path": "/kind", "value": "full"}, {"op": "remove", "path": "/memory/trainableParameters"}]), {"exceeds"}, set()],
	["what is needed could not be read", fixture.unheard(fixture.train([{"op": "replace", "path": "/kind", "value": "full"}, {"op": "remove", "path": "/memory/trainableParameters"}])), set(), set()],
	["services that could not be read", fixture.gap(fixture.train([{"op": "replace", "path": "/kind", "value": "full"}, {"op": "remove", "path": "/memory/trainableParameters"}]), "launch", "launch.manifest.services", "failed"), set(), set()],
	["no memory given", fixture.unset_in_training("/memory"), set(), {"missing"}],
	["no parameters", fixture.unset_in_training("/memory/parameters"), set(), {"missing"}],
	["no trainable parameters", fixture.unset_in_training("/memory/trainableParameters"), set(), {"missing"}],
	["no activations", fixture.unset_in_training("/memory/activationsMiB"), set(), {"activations"}],
	["no activations, and too large", fixture.train([{"op": "remove", "path": "/memory/activationsMiB"}, {"op": "replace", "path": "/memory/parameters", "value": 70000000000}]), {"exceeds"}, {"activations"}],
	["usual precision and optimizer", fixture.train([{"op": "remove", "path": "/memory/precision"}, {"op": "remove", "path": "/memory/optimizer"}]), set(), set()],
	["an optimizer of no known size", fixture.set_in_training("/memory/optimizer", "other"), set(), {"missing"}],
	["full fine-tuning of 4 bits", fixture.train([{"op": "replace", "path": "/kind", "value": "full"}, {"op": "replace", "path": "/memory/precision", "value": "nf4"}]), set(), {"missing"}],
	["no GPUs, here or there", fixture.change(fixture.unset_in_training("/gpus"), [{"op": "remove", "path": "/launch/manifest/services/0/gpus"}]), set(), {"missing"}],
	["no GPUs, and an empty list there", fixture.change(fixture.unset_in_training("/gpus"), [{"op": "replace", "path": "/launch/manifest/services/0/gpus", "value": []}]), set(), {"missing"}],
	["the GPUs of its service", fixture.unset_in_training("/gpus"), set(), set()],
	["a card that is not there", fixture.set_in_training("/gpus", ["0", "7"]), set(), {"unresolved"}],
	["a card by its UUID", fixture.set_in_training("/gpus", [fixture.gpu_a]), set(), set()],
	["an instance of a card", fixture.set_in_training("/gpus", ["MIG-11aa22bb"]), set(), {"unresolved"}],
	["a card that is in use", crowded(fixture.serving.host.processes[0].args), {"occupied"}, set()],
	["a card in use by the training itself", crowded(fixture.trainer), set(), set()],
	["processes that could not be read", fixture.gap(crowded(fixture.serving.host.processes[0].args), "nvml", "nvml.processes", "failed"), set(), set()],
	["command lines that could not be read", fixture.gap(crowded(fixture.serving.host.processes[0].args), "host", "host.processes", "failed"), set(), set()],
	["a process that holds nobody knows what", fixture.change(crowded(fixture.trainer), [{"op": "remove", "path": "/nvml/processes/0/usedMemoryBytes"}]), set(), {"unmeasured"}],
	["free memory not told", fixture.change(fixture.training, [{"op": "remove", "path": "/nvml/gpus/0/memory/freeBytes"}]), set(), {"unmeasured"}],
	["memory not told", fixture.change(fixture.training, [{"op": "remove", "path": "/nvml/gpus/0/memory"}]), set(), {"unmeasured"}],
	["exactly all of it", exact(0), set(), set()],
	["one MiB more", exact(1), {"exceeds"}, set()],
	["exactly what is free", fixture.change(exact(0), fixture.used(0, 0)), set(), set()],
	["one MiB less is free", fixture.change(exact(0), [{"op": "replace", "path": "/nvml/processes", "value": []}, {"op": "replace", "path": "/nvml/gpus/0/memory/freeBytes", "value": 48304750591}]), {"occupied"}, set()],
])

wrong contains {"case": name, "fail": f, "unknown": u, "want": [fail, open]} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 8
	count(wrong) == 0
}

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	count(rule.subjects) == 0 with input as doc
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_what_is_judged if {
	fixture.names(rule.subjects) == {"tune"} with input as fixture.training
	fixture.names(rule.subjects) == {"launch manifest: training"} with input as fixture.no_training
}

test_not_on_a_server_for_inference if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable == false with input as fixture.training
	not rule.applicable == false with input as fixture.no_training
}

# crowded is a server on whose first card a process holds 44 GB.
crowded(args) := fixture.change(fixture.training, array.concat(fixture.used(0, 44000), [
	{"op": "replace", "path": "/nvml/processes/0/usedMemoryBytes", "value": 44000 * 1048576},
	{"op": "replace", "path": "/host/processes/0/args", "value": args},
]))

# exact is a training that takes all of a card, and some MiB more. The card has 46068 MiB.
exact(more) := fixture.change(
	fixture.train([
		{"op": "replace", "path": "/memory", "value": {"parameters": 1048576, "trainableParameters": 1048576, "activationsMiB": (46068 - 18) + more}},
		{"op": "replace", "path": "/gpus", "value": ["0"]},
	]),
	array.concat(fixture.used(0, 0), [{"op": "replace", "path": "/nvml/processes", "value": []}]),
)

test_the_sum_is_shown if {
	some f in rule.fail with input as fixture.train([{"op": "replace", "path": "/memory/parameters", "value": 70000000000}])
	f.args.need == 142820
	f.args.have == 46068
	f.args.sum == "70000000000 parameters, 20000000 trained: weights 133553 + gradients 39 + optimizer state 229 + activations 9000 MiB at 2, 2 and 12 bytes a parameter, ZeRO stage 0 over 2 GPUs, model parallel 1 (arXiv 1910.02054, section 3.1)"
}

test_what_is_missing_is_told if {
	some u in rule.unknown with input as fixture.unset_in_training("/memory")
	u.args.what == "memory.parameters, memory.trainableParameters"
}

test_the_usual_is_said if {
	a := rule.assumed with input as fixture.train([{"op": "remove", "path": "/memory/precision"}, {"op": "remove", "path": "/memory/optimizer"}])
	fixture.said(a) == {"usual"}
	{x.args.what | some x in a} == {"precision bf16", "optimizer adamw"}
	count(rule.assumed) == 0 with input as fixture.training
}
