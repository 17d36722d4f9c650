# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.final_answer_null_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.final_answer_null as rule

cases := [
	["answered", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "stop", "content": "text", "reasoning": true}]}), set(), set()],
	["cut with text", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "length", "content": "text", "reasoning": true}]}), set(), set()],
	["cut before any", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "length", "content": "null", "reasoning": true}], "completionTokens": 512, "reasoningTokens": 512}), {"cut"}, set()],
	["cut, counts not told", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "length", "content": "empty", "reasoning": true}]}), {"cut"}, set()],
	["empty", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "stop", "content": "empty", "reasoning": true}]}), {"empty"}, set()],
	["empty, why is not told", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"content": "null", "reasoning": true}]}), {"empty"}, set()],
	["an answer about a job", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "done"}), set(), {"none"}],
	["none saved", fixture.quiet, set(), {"none"}],
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

test_numbers if {
	{[f.args.tokens, f.args.reasoning] | some f in rule.fail} == {["512", "500"]} with input as fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "length", "content": "null", "reasoning": true}], "completionTokens": 512, "reasoningTokens": 500})
	{[f.args.tokens, f.args.reasoning] | some f in rule.fail} == {["an untold number of", "an untold number of"]} with input as fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "length", "content": "null", "reasoning": true}]})
}

test_subjects if {
	fixture.names(rule.subjects) == {"answer.json"} with input as fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "stop", "content": "text", "reasoning": true}]})
	fixture.names(rule.subjects) == {"saved answers"} with input as fixture.quiet
}
