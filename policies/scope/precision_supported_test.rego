# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.precision_supported_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.precision_supported as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["bf16 on Ada", fixture.training, set(), set()],
	["bf16 below 8.0", card("bf16", {"computeCapability": "7.5"}), {"unsupported"}, set()],
	["bf16 from 8.0", card("bf16", {"computeCapability": "8.0"}), set(), set()],
	["tf32 below 8.0", card("tf32", {"computeCapability": "7.5"}), {"unsupported"}, set()],
	["tf32 from 8.0", card("tf32", {"computeCapability": "8.0"}), set(), set()],
	["fp8 below 8.9", card("fp8", {"computeCapability": "8.7"}), {"unsupported"}, set()],
	["fp8 from 8.9", card("fp8", {"computeCapability": "8.9"}), set(), set()],
	["fp16 below 5.3", card("fp16", {"computeCapability": "5.2"}), {"unsupported"}, set()],
	["fp16 from 5.3", card("fp16", {"computeCapability": "5.3"}), set(), set()],
	["int8 below 7.5", card("int8", {"computeCapability": "7.2"}), {"unsupported"}, set()],
	["int8 from 7.5", card("int8", {"computeCapability": "7.5"}), set(), set()],
	["nf4 below 6.0", card("nf4", {"computeCapability": "5.3"}), {"unsupported"}, set()],
	["nf4 from 6.0", card("nf4", {"computeCapability": "6.0"}), set(), set()],
	["fp4 below 6.0", card("fp4", {"computeCapability": "5.3"}), {"unsupported"}, set()],
	["fp4 from 6.0", card("fp4", {"computeCapability": "6.0"}), set(), set()],
	["bf16 below 12.0", card("bf16", {"computeCapability": "7.0"}), {"unsupported"}, set()],
	["bf16 from 12.0", card("bf16", {"computeCapability": "12.0"}), set(), set()],
	["fp32 on anything", card("fp32", {"computeCapability": "3.0"}), set(), set()],
	["bf16 on Turing", card("bf16", {"architecture": "Turing"}), {"unsupported"}, set()],
	["bf16 on Volta", card("bf16", {"architecture": "Volta"}), {"unsupported"}, set()],
	["bf16 on Ampere", card("bf16", {"architecture": "Ampere"}), set(), set()],
	["fp8 on Ampere", card("fp8", {"architecture": "Ampere"}), {"unsupported"}, set()],
	["fp8 on Ada Lovelace", card("fp8", {"architecture": "Ada Lovelace"}), set(), set()],
	["fp8 on Hopper", card("fp8", {"architecture": "Hopper"}), set(), set()],
	["fp8 on Blackwell", card("fp8", {"architecture": "Blackwell"}), set(), set()],
	["int8 on Volta", card("int8", {"architecture": "Volta"}), {"unsupported"}, set()],
	["nf4 on Maxwell", card("nf4", {"architecture": "Maxwell"}), {"unsupported"}, set()],
	["nf4 on Pascal", card("nf4", {"architecture": "Pascal"}), set(), set()],
	["fp16 on Maxwell", card("fp16", {"architecture": "Maxwell"}), set(), {"capability"}],
	["fp16 on Kepler", card("fp16", {"architecture": "Kepler"}), {"unsupported"}, set()],
	["bf16 on Feynman", card("bf16", {"architecture": "Feynman"}), set(), {"capability"}],
	["a card that tells nothing", card("bf16", {}), set(), {"capability"}],
	["a capability of no form", card("bf16", {"computeCapability": "nine"}), set(), {"capability"}],
	["no precision", fixture.unset_in_training("/memory/precision"), set(), {"precision"}],
	["no memory", fixture.unset_in_training("/memory"), set(), {"precision"}],
	["no GPUs", fixture.change(fixture.unset_in_training("/gpus"), [{"op": "remove", "path": "/launch/manifest/services/0/gpus"}]), set(), {"cards"}],
	["a card that is not there", fixture.set_in_training("/gpus", ["0", "7"]), set(), {"cards"}],
	["a card of another", fixture.change(card("bf16", {"computeCapability": "7.5"}), [{"op": "replace", "path": "/launch/manifest/training/0/gpus", "value": ["1"]}]), set(), set()],
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

# card is a server whose first card tells only this, and that trains with a precision.
card(precision, members) := fixture.change(fixture.set_in_training("/memory/precision", precision), [{"op": "replace", "path": "/nvml/gpus/0", "value": object.union(object.remove(fixture.training.nvml.gpus[0], ["computeCapability"]), members)}])

test_the_card_is_named if {
	some f in rule.fail with input as card("bf16", {"architecture": "Turing"})
	f.args == {"name": "tune", "gpu": "GPU 0", "model": "NVIDIA L20", "precision": "bf16", "needed": "8.0", "has": "at most 7.5 (Turing)"}
	some g in rule.fail with input as card("fp8", {"computeCapability": "8.6"})
	g.args.needed == "8.9"
	g.args.has == "8.6"
}
