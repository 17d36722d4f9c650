# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.out_of_memory_at_start_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.out_of_memory_at_start as rule

single(doc) := fixture.serving_with(doc, "gpus", ["0"])

cases := [
	["started", single(fixture.quiet), set(), set()],
	["out of memory", single(fixture.saying(fixture.log([fixture.signal("cudaOutOfMemory", 90)]))), {"memory"}, set()],
	["out of memory while converting", single(fixture.saying(fixture.log([fixture.signal("lowPrecisionConvert", 80), fixture.signal("cudaOutOfMemory", 90)]))), {"peak"}, set()],
	["out of memory, told to convert", fixture.serving_with(single(fixture.saying(fixture.log([fixture.signal("cudaOutOfMemory", 90)]))), "args", ["serve", "--quantization", "fp8"]), {"peak"}, set()],
	["out of memory before a start that worked", single(fixture.saying(fixture.log([fixture.signal("cudaOutOfMemory", 90), fixture.signal("serverReady", 800)]))), set(), set()],
	["not to its start", single(fixture.saying(fixture.tail([]))), set(), {"partly"}],
	["ready, not to its start", single(fixture.saying(fixture.tail([fixture.signal("serverReady", 800)]))), set(), set()],
	["no log", single(fixture.looked(fixture.measured(fixture.serving))), set(), {"logless"}],
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
	rule.applicable == false with input as fixture.quiet
	not rule.applicable == false with input as single(fixture.quiet)
	not rule.applicable == false with input as fixture.serving_without(fixture.quiet, "gpus")
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as single(fixture.quiet)
	fixture.names(rule.subjects) == {"lima"} with input as fixture.serving_without(fixture.quiet, "gpus")
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}

test_how_it_converts if {
	{f.args.how | some f in rule.fail} == {"the log says so"} with input as single(fixture.saying(fixture.log([fixture.signal("lowPrecisionConvert", 80), fixture.signal("cudaOutOfMemory", 90)])))
	{f.args.how | some f in rule.fail} == {"--quantization fp8"} with input as fixture.serving_with(single(fixture.saying(fixture.log([fixture.signal("cudaOutOfMemory", 90)]))), "args", ["serve", "--quantization", "fp8"])
}
