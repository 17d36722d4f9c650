# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.verification_order_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.verification_order as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["all in order", fixture.training, set(), set()],
	["none", fixture.unset_in_training("/steps"), {"undone"}, set()],
	["none could be read", fixture.unheard(fixture.unset_in_training("/steps")), set(), set()],
	["one in the middle is missing", fixture.unset_in_training("/steps/8"), {"skipped", "undone"}, set()],
	["the last is missing", fixture.unset_in_training("/steps/13"), {"undone"}, set()],
	["the last is missing, on one card", fixture.change(fixture.unset_in_training("/steps/13"), [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0"]}]), set(), set()],
	["the last two are missing, on one card", fixture.change(fixture.unset_in_training("/steps/13"), [{"op": "remove", "path": "/launch/manifest/training/0/steps/12"}, {"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0"]}]), {"undone"}, set()],
	["the last is missing, on nobody knows how many", fixture.change(fixture.unset_in_training("/steps/13"), [{"op": "remove", "path": "/launch/manifest/training/0/gpus"}, {"op": "remove", "path": "/launch/manifest/services/0/gpus"}]), set(), {"cards"}],
	["before one it needs", fixture.set_in_training("/steps/9/on", "2026-10-08"), {"early"}, set()],
	["on the day of the one it needs", fixture.set_in_training("/steps/9/on", "2026-10-09"), set(), set()],
	["by nobody", fixture.set_in_training("/steps/3/by", " "), {"invalid"}, set()],
	["not by whom", fixture.unset_in_training("/steps/3/by"), {"invalid"}, set()],
	["not by whom, as far as could be read", fixture.unheard(fixture.unset_in_training("/steps/3/by")), set(), set()],
	["on no day", fixture.unset_in_training("/steps/3/on"), {"invalid"}, set()],
	["on what is no day", fixture.set_in_training("/steps/3/on", "soon"), {"invalid"}, set()],
	["on a day to come", fixture.set_in_training("/steps/13/on", "2026-12-01"), {"invalid"}, set()],
	["without evidence", fixture.set_in_training("/steps/3/evidence", []), {"invalid"}, set()],
	["no evidence named", fixture.unset_in_training("/steps/3/evidence"), {"invalid"}, set()],
	["evidence that is not there", fixture.proven("docs/steps.md", [{"op": "replace", "path": "/found", "value": false}]), {"invalid"}, set()],
	["evidence nobody could look at", fixture.proven("docs/steps.md", [{"op": "remove", "path": "/found"}]), set(), {"doubt"}],
	["a page", page, set(), set()],
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

page := fixture.proven("docs/steps.md", [{"op": "replace", "path": "/kind", "value": "url"}, {"op": "remove", "path": "/found"}])

test_what_comes_first_is_told if {
	some f in rule.fail with input as fixture.unset_in_training("/steps")
	f.args.before == "checkpointStorage, dataLicence, modelLicence, versions"
	some g in rule.fail with input as fixture.unset_in_training("/steps/8")
	g.message == "skipped"
	g.args.step == "forwardBackward"
	g.args.before == "precision"
	g.evidence == ["/launch/manifest/training/0/steps/8"]
}

# Each step that is missing is found by the one that needs it.
test_every_step_counts if {
	every i in numbers.range(0, 12) {
		"skipped" in fixture.said(rule.fail) with input as fixture.unset_in_training(sprintf("/steps/%d", [i]))
	}
}

test_a_page_is_taken_on_a_word if {
	fixture.said(rule.assumed) == {"word"} with input as page
	count(rule.assumed) == 0 with input as fixture.training
}
