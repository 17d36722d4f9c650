# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.may_look_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.may_look as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["may", fixture.node, set(), set()],
	["may not list pods", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/access/2/allowed", "value": false}]), {"forbidden"}, set()],
	["not answered for daemon sets", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/access/0"}]), set(), {"unanswered"}],
	["never asked", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/access", "value": []}]), set(), {"unanswered"}],
	["another verb does not count", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/access/2/verb", "value": "get"}]), set(), {"unanswered"}],
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

test_no_cluster if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable with input as fixture.node
}
