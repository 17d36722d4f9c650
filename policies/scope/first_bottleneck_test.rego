# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.first_bottleneck_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.first_bottleneck as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["recorded", fixture.training, set(), set()],
	["nothing recorded", fixture.unset_in_training("/bottlenecks"), {"unrecorded"}, set()],
	["nothing recorded, as far as could be read", fixture.unheard(fixture.unset_in_training("/bottlenecks")), set(), set()],
	["an item is missing", fixture.unset_in_training("/bottlenecks/batch"), {"unrecorded"}, set()],
	["an item of several GPUs is missing", fixture.unset_in_training("/bottlenecks/hostMemory"), {"unrecorded"}, set()],
	["the same on one GPU", fixture.change(fixture.unset_in_training("/bottlenecks/hostMemory"), [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0"]}]), set(), set()],
	["images run short of something else", fixture.set_in_training("/useCase", "image"), {"unrecorded"}, set()],
	["so does video", fixture.set_in_training("/useCase", "multimodal"), {"unrecorded"}, set()],
	["the use case by its command line", fixture.unset_in_training("/useCase"), set(), set()],
	["no use case", told(["torchrun", "train.py"]), set(), {"caseless"}],
	["no use case from what serves", told(["vllm", "serve", "axolotl"]), set(), {"caseless"}],
	["no command line", fixture.change(fixture.unset_in_training("/useCase"), [{"op": "remove", "path": "/launch/manifest/services/0/args"}]), set(), {"caseless"}],
	["images by the command line", told(["accelerate", "launch", "train_dreambooth_lora_flux.py"]), {"unrecorded"}, set()],
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

# told is a training of no told use case, with a command line.
told(args) := fixture.change(fixture.unset_in_training("/useCase"), [{"op": "replace", "path": "/launch/manifest/services/0/args", "value": args}])

test_tools_and_bottlenecks_are_told if {
	some f in rule.fail with input as told(["accelerate", "launch", "train_dreambooth_lora_flux.py"])
	f.args.tools == "Diffusers, Kohya"
	f.args.what == "resolution, imageCount, cache, gpuMemory"
	some g in rule.fail with input as fixture.unset_in_training("/bottlenecks/storageBandwidth")
	g.args.tools == "DDP, FSDP, ZeRO, pipeline"
	g.args.what == "storageBandwidth"
}
