# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.job_acceptance_test

import data.gpugate.lib.attestation_cases
import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.job_acceptance as rule

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
	fixture.names(rule.subjects) == {"launch manifest: L6"} with input as document
}

test_a_page_is_taken_on_a_word if {
	a := rule.assumed with input as attestation_cases.page(document, rule.control)
	fixture.said(a) == {"word"}
	count(rule.assumed) == 0 with input as document
}
