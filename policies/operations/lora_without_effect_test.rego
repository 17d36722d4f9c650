# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.lora_without_effect_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.lora_without_effect as rule

cases := [
	["applied", fixture.serving_with(fixture.saying(fixture.log([fixture.told("loraApplied", 300, 480), fixture.signal("serverReady", 800)])), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), set(), set()],
	["applied to none", fixture.serving_with(fixture.saying(fixture.log([fixture.told("loraApplied", 300, 0), fixture.signal("serverReady", 800)])), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), {"none"}, set()],
	["applied, steps not told", fixture.serving_with(fixture.saying(fixture.log([fixture.told("loraApplied", 300, 480), fixture.signal("serverReady", 800)])), "args", ["serve", "--lora-path=/models/fast.safetensors"]), set(), {"steps"}],
	["applied, to how many is not told", fixture.serving_with(fixture.saying(fixture.log([fixture.signal("loraApplied", 300), fixture.signal("serverReady", 800)])), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), set(), {"partly"}],
	["not applied", fixture.serving_with(fixture.quiet, "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), {"unapplied"}, set()],
	["not applied, not ready", fixture.serving_with(fixture.saying(fixture.log([])), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), set(), {"partly"}],
	["not applied, log not whole", fixture.serving_with(fixture.saying(fixture.tail([fixture.signal("serverReady", 800)])), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), set(), {"partly"}],
	["no log", fixture.serving_with(fixture.looked(fixture.measured(fixture.serving)), "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]), set(), {"logless"}],
	["an option without value", fixture.serving_with(fixture.quiet, "args", ["serve", "--lora-path", "--tp", "2"]), set(), set()],
	["no arguments", fixture.serving_without(fixture.quiet, "args"), set(), {"argless"}],
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
	rule.applicable == false with input as fixture.serviceless(fixture.quiet)
	not rule.applicable == false with input as fixture.serving_with(fixture.quiet, "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"])
	not rule.applicable == false with input as fixture.serving_without(fixture.quiet, "args")
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as fixture.serving_with(fixture.quiet, "args", ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"])
	fixture.names(rule.subjects) == {"lima"} with input as fixture.serving_without(fixture.quiet, "args")
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}
