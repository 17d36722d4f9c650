# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.preparation_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.preparation as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["all is recorded", fixture.training, set(), set()],
	["an item is missing", fixture.unset_in_training("/preparation/answerFormat"), {"unprepared"}, set()],
	["nothing is recorded", fixture.unset_in_training("/preparation"), {"unprepared"}, set()],
	["nothing could be read", fixture.unheard(fixture.unset_in_training("/preparation")), set(), set()],
	["another kind, another list", fixture.set_in_training("/kind", "full"), {"unprepared"}, set()],
	["QLoRA has the list of LoRA", fixture.set_in_training("/kind", "qlora"), set(), set()],
	["from scratch", fixture.train([{"op": "replace", "path": "/kind", "value": "scratch"}, {"op": "replace", "path": "/preparation", "value": {"data": "docs/data.md", "compute": "docs/code.md", "distribution": "docs/eval.md", "validation": "docs/steps.md"}}]), set(), set()],
	["full fine-tuning", fixture.train([{"op": "replace", "path": "/kind", "value": "full"}, {"op": "replace", "path": "/preparation", "value": {"optimizerState": "docs/data.md", "gradients": "docs/code.md", "activations": "docs/eval.md"}}]), set(), set()],
	["a file that is not there", fixture.proven("docs/data.md", [{"op": "replace", "path": "/found", "value": false}]), {"broken"}, set()],
	["nobody could look", fixture.proven("docs/data.md", [{"op": "remove", "path": "/found"}]), set(), {"doubt"}],
	["a page", fixture.proven("docs/data.md", [{"op": "replace", "path": "/kind", "value": "url"}, {"op": "remove", "path": "/found"}]), set(), set()],
	["a service that serves", fixture.serving, set(), set()],
	["a service without weights", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/weights"}]), {"unrecorded"}, set()],
	["services that are not whole", fixture.gap(fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/weights"}]), "launch", "launch.manifest.services", "failed"), set(), set()],
	["an engine by its arguments alone", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/image"}]), set(), set()],
	["an engine by its image alone", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/args"}]), set(), set()],
	["no engine", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/args"}, {"op": "remove", "path": "/launch/manifest/services/0/image"}]), {"unrecorded"}, set()],
	["requests not handled", unattested, {"unrecorded"}, set()],
	["requests not handled, attestations not whole", fixture.gap(unattested, "launch", "launch.manifest.attestations", "failed"), set(), set()],
	["requests handled by limits", fixture.change(unattested, [{"op": "add", "path": "/launch/manifest/services/0/limits", "value": {"concurrency": 4}}]), set(), set()],
	["requests handled by an endpoint", fixture.change(unattested, [{"op": "add", "path": "/launch/manifest/services/0/endpoint", "value": {"port": 80}}]), set(), set()],
	["trainings that could not be read", fixture.unheard(unattested), set(), set()],
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
	fixture.names(rule.subjects) == {"launch manifest: training", "tune"} with input as fixture.no_training
}

test_not_on_a_server_for_inference if {
	rule.applicable == false with input as fixture.tione
	not rule.applicable == false with input as fixture.training
	not rule.applicable == false with input as fixture.no_training
}

unattested := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations", "value": []}])

test_what_is_missing_is_told if {
	some f in rule.fail with input as fixture.set_in_training("/kind", "scratch")
	f.args.what == "compute, distribution, validation"
	some g in rule.fail with input as unattested
	g.args.what == "request handling (endpoint, limits or L7)"
	g.subject.name == "lima"
}

test_a_service_that_trains_is_no_server if {
	fixture.names(rule.subjects) == {"tune", "chat"} with input as fixture.with_service(fixture.service("chat"))
	fixture.names(rule.subjects) == {"lima"} with input as fixture.serving
	kinds := {s.kind | some s in rule.subjects} with input as fixture.training
	kinds == {"training"}
}

test_a_page_is_taken_on_a_word if {
	fixture.said(rule.assumed) == {"word"} with input as fixture.proven("docs/data.md", [{"op": "replace", "path": "/kind", "value": "url"}, {"op": "remove", "path": "/found"}])
	count(rule.assumed) == 0 with input as fixture.training
}
