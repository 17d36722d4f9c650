# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.cost_computed_test

import data.gpugate.lib.attestation_cases
import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.cost_computed as rule

document := fixture.serving

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in attestation_cases.of(document, rule.control)
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(attestation_cases.of(document, rule.control)) > 20
	count(wrong) == 0
}

test_what_is_judged if {
	fixture.names(rule.subjects) == {"launch manifest: L10"} with input as document
}

test_a_page_is_taken_on_a_word if {
	a := rule.assumed with input as attestation_cases.page(document, rule.control)
	fixture.said(a) == {"word"}
	count(rule.assumed) == 0 with input as document
}

stating(words) := fixture.change(document, [{"op": "replace", "path": sprintf("/launch/manifest/attestations/%d/statement", [attestation_cases.place(document, "L10")]), "value": words}])

test_each_item_must_be_named if {
	every words in [
		"instance, storage, transfer and MPS", "NAT, transfer and post-processing", "NAT, storage and MPS",
		"NAT, disk and traffic", "alternative storage transfer mps", "the cost",
	] {
		fixture.said(rule.fail) == {"leaves"} with input as stating(words)
	}
}

test_items_may_be_called_otherwise if {
	every words in ["NAT, disks, egress and post-processing", "nat storage traffic MPS", "NAT, storage, transfer, postprocessing"] {
		count(rule.fail) == 0 with input as stating(words)
	}
}

test_what_is_left_out_is_told if {
	some f in rule.fail with input as stating("NAT and storage")
	f.args.why == "post-processing, transfer"
}

test_a_second_attestation_may_name_them if {
	doc := fixture.change(stating("all of it"), [{"op": "add", "path": "/launch/manifest/attestations/-", "value": fixture.attestation("L10")}])
	count(rule.fail) == 0 with input as doc
}

test_attestations_that_are_not_whole_decide_nothing if {
	doc := fixture.gap(stating("all of it"), "launch", "launch.manifest.attestations", "failed")
	count(rule.fail) == 0 with input as doc
}
