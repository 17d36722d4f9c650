# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.slow_on_two_gpus_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.slow_on_two_gpus as rule

cases := [
	["a language model", fixture.quiet, set(), set()],
	["nothing offloaded", fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "false", "--text-encoder-cpu-offload=False"]), set(), set()],
	["the VAE offloaded", fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "--text-encoder-cpu-offload", "false"]), {"offload"}, set()],
	["the text encoder offloaded", fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "false", "--text-encoder-cpu-offload", "true"]), {"offload"}, set()],
	["weights offloaded", fixture.serving_with(fixture.quiet, "args", ["vllm", "serve", "--cpu-offload-gb", "16"]), {"offload"}, set()],
	["no weights offloaded", fixture.serving_with(fixture.quiet, "args", ["vllm", "serve", "--cpu-offload-gb=0"]), set(), set()],
	["not said", fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server"]), set(), {"unset"}],
	["of one not said", fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "false"]), set(), {"unset"}],
	["no arguments", fixture.serving_without(fixture.quiet, "args"), set(), {"argless"}],
	["no GPUs", fixture.serving_without(fixture.quiet, "gpus"), set(), {"gpuless"}],
	["no manifest", fixture.unmanifested(fixture.quiet), set(), {"manifestless"}],
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

test_applicable if {
	not rule.applicable == false with input as fixture.quiet
	rule.applicable == false with input as fixture.serving_with(fixture.quiet, "gpus", ["0"])
	not rule.applicable == false with input as fixture.serving_without(fixture.quiet, "gpus")
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as fixture.quiet
	fixture.names(rule.subjects) == {"lima"} with input as fixture.serving_without(fixture.quiet, "gpus")
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}

test_which_option if {
	{f.args.flag | some f in rule.fail} == {"--vae-cpu-offload"} with input as fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "--text-encoder-cpu-offload", "false"])
	{u.args.what | some u in rule.unknown} == {"VAE", "text encoder"} with input as fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server"])
	{u.args.what | some u in rule.unknown} == {"text encoder"} with input as fixture.serving_with(fixture.quiet, "args", ["python3", "-m", "sglang.multimodal_gen.launch_server", "--vae-cpu-offload", "false"])
}
