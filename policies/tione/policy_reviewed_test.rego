# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.policy_reviewed_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.policy_reviewed as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["reviewed", fixture.tione, set(), set()],
	["changed since", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/sha256", "value": fixture.other_digest}]), {"changed"}, set()],
	["not reviewed", fixture.change(fixture.tione, [{"op": "remove", "path": "/launch/manifest/tione/review"}]), {"unreviewed"}, set()],
	["not reviewed, manifest not whole", fixture.gap(fixture.change(fixture.tione, [{"op": "remove", "path": "/launch/manifest/tione/review"}]), "launch", "launch.manifest.tione", "failed"), set(), set()],
	["reviewed tomorrow", fixture.change(fixture.tione, [{"op": "replace", "path": "/launch/manifest/tione/review/on", "value": "2026-12-01"}]), {"early"}, set()],
	["reviewed on no day", fixture.change(fixture.tione, [{"op": "replace", "path": "/launch/manifest/tione/review/on", "value": "last week"}]), {"early"}, set()],
	["no manifest", fixture.change(fixture.tione, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
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
