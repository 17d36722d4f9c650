# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.communication_measured_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.communication_measured as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["measured", fixture.training, set(), set()],
	["not measured", fixture.unset_in_training("/communication"), {"unmeasured"}, set()],
	["not measured, as far as could be read", fixture.unheard(fixture.unset_in_training("/communication")), set(), set()],
	["not measured, services that could not be read", fixture.gap(fixture.unset_in_training("/communication"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["no share", fixture.unset_in_training("/communication/sharePercent"), {"unmeasured"}, set()],
	["no day", fixture.unset_in_training("/communication/at"), {"unmeasured"}, set()],
	["no evidence", fixture.unset_in_training("/communication/evidence"), {"unmeasured"}, set()],
	["no number of GPUs", fixture.unset_in_training("/communication/gpus"), {"unmeasured"}, set()],
	["on fewer GPUs", fixture.change(fixture.set_in_training("/communication/gpus", 2), four), {"unmeasured"}, {"cards"}],
	["on a day to come", fixture.set_in_training("/communication/at", "2026-12-01"), {"broken"}, set()],
	["evidence that is not there", fixture.proven("docs/comm.json", [{"op": "replace", "path": "/found", "value": false}]), {"broken"}, set()],
	["evidence nobody could look at", fixture.proven("docs/comm.json", [{"op": "remove", "path": "/found"}]), set(), {"doubt"}],
	["a page", page, set(), set()],
	["one GPU", fixture.change(fixture.unset_in_training("/communication"), [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0"]}]), set(), set()],
	["NVLink", linked([true, true]), set(), set()],
	["NVLink on one card", linked([true, false]), {"unmeasured"}, set()],
	["links that are not active", linked([false, false]), {"unmeasured"}, set()],
	["links that nobody knows", unknown_links(fixture.unset_in_training("/communication")), set(), {"links"}],
	["links that nobody knows, and measured", unknown_links(fixture.training), set(), set()],
	["links of a card that is not whole", fixture.lacking(fixture.lacking(fixture.unset_in_training("/communication"), "nvml", {"path": "nvml.gpus.nvLinks", "item": fixture.gpu_a, "reason": "failed", "detail": "x"}), "nvml", {"path": "nvml.gpus", "item": fixture.gpu_b, "reason": "failed", "detail": "x"}), set(), set()],
	["no GPUs", fixture.change(fixture.unset_in_training("/gpus"), [{"op": "remove", "path": "/launch/manifest/services/0/gpus"}]), set(), {"cards"}],
	["a card that is not there", fixture.change(fixture.unset_in_training("/communication"), [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0", "7"]}]), {"unmeasured"}, {"cards"}],
	["a card that is not there, and measured", fixture.set_in_training("/gpus", ["0", "7"]), set(), set()],
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

page := fixture.proven("docs/comm.json", [{"op": "replace", "path": "/kind", "value": "url"}, {"op": "remove", "path": "/found"}])

four := [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["0", "1", "2", "3"]}]

# linked is a server with a link on each card, active or not, and nothing measured.
linked(active) := fixture.change(fixture.unset_in_training("/communication"), [{"op": "replace", "path": sprintf("/nvml/gpus/%d/nvLinks", [i]), "value": [{"link": 0, "active": a}]} | some i, a in active])

unknown_links(doc) := fixture.change(doc, [{"op": "replace", "path": sprintf("/nvml/gpus/%d/nvLinksKnown", [i]), "value": false} | some i in [0, 1]])

test_the_cards_are_named if {
	some f in rule.fail with input as linked([true, false])
	f.args.links == "GPU 1 without an active NVLink"
	f.args.gpus == 2
	some u in rule.unknown with input as fixture.change(fixture.unset_in_training("/gpus"), [{"op": "remove", "path": "/launch/manifest/services/0/gpus"}])
	u.args.gpus == 0
	f.args.what == "at, evidence, gpus (at least the 2 it trains on), sharePercent"
}

test_a_page_is_taken_on_a_word if {
	fixture.said(rule.assumed) == {"word"} with input as page
	count(rule.assumed) == 0 with input as fixture.training
}
