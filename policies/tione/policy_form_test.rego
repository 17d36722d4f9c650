# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.policy_form_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.policy_form as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["complete", fixture.tione, set(), set()],
	["a value is lacking in the text", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/problems", "value": [{"kind": "syntax", "message": "no value", "line": 8, "column": 3}]}]), {"problem"}, set()],
	["no rules", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy/taskRules"}]), {"lacking"}, set()],
	["no version", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy/version"}]), {"lacking"}, set()],
	["a priority of ten", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/defaultPriority", "value": 10}]), {"range"}, set()],
	["a queue of three", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/defaultQueue", "value": 3}]), {"range"}, set()],
	["preempted twice", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": 2}]), {"range"}, set()],
	["another version", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/version", "value": "2.0"}]), {"range"}, set()],
	["lacking, and not all could be read", fixture.gap(fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy/preempted"}]), "tione", "tione.policy.preempted", "failed"), set(), set()],
	["members nobody knows", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/unknownFields", "value": ["/Quota"]}]), set(), {"extra"}],
	["no policy", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy"}]), set(), {"policyless"}],
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

test_the_word_is_taken_and_said if {
	rule.applicable == false with input as fixture.serving
	count(rule.assumed) == 1 with input as fixture.serving
	not rule.applicable with input as fixture.tione
}

test_the_place_is_told if {
	f := rule.fail with input as fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/problems", "value": [{"kind": "syntax", "message": "no value", "line": 8, "column": 3}]}])
	some only in f
	only.args.place == ":8:3"
	only.evidence == ["/tione/policy/problems/0"]
}
