# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.result_not_downloaded_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.result_not_downloaded as rule

cases := [
	["there", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "Completed", "expiresAt": "2026-12-01T00:00:00Z"}), set(), set()],
	["not done", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "running", "expiresAt": "2026-12-01T00:00:00Z"}), {"unfinished"}, set()],
	["for how long is not told", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "done"}), set(), {"untold"}],
	["expired", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "succeeded", "expiresAt": "2026-11-29T00:00:00Z"}), {"expired"}, set()],
	["elsewhere", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "done", "expiresAt": "2026-12-01T00:00:00Z", "redirectsTo": "https://cdn.example"}), {"redirect"}, set()],
	["not told", fixture.answered(fixture.quiet, {"kind": "job"}), set(), {"untold"}],
	["a completion", fixture.answered(fixture.quiet, {"kind": "completion", "choices": [{"finishReason": "stop", "content": "text", "reasoning": true}]}), set(), {"none"}],
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

test_subjects if {
	fixture.names(rule.subjects) == {"answer.json"} with input as fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "done"})
	fixture.names(rule.subjects) == {"saved answers"} with input as fixture.quiet
}
