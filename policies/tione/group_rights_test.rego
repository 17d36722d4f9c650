# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.group_rights_test

import data.gpugate.lib.attestation_cases
import data.gpugate.lib.fixture
import data.gpugate.rules.tione.group_rights as rule

document := fixture.attested(fixture.tione, "T1")

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
	fixture.names(rule.subjects) == {"launch manifest: T1"} with input as document
}

test_a_page_is_taken_on_a_word if {
	a := rule.assumed with input as attestation_cases.page(document, rule.control)
	fixture.said(a) == {"word"}
	count(rule.assumed) == 0 with input as document
}

test_a_server_that_stays_out_has_nothing_to_attest if {
	doc := fixture.change(fixture.tione, [{"op": "add", "path": "/launch/manifest/tione", "value": {"registered": false}}])
	rule.applicable == false with input as doc
	count(rule.fail) == 0 with input as doc
	count(rule.unknown) == 0 with input as doc
}

test_a_server_of_which_nothing_is_said_must_attest if {
	doc := fixture.change(fixture.tione, [{"op": "add", "path": "/launch/manifest/tione", "value": {}}])
	not rule.applicable == false with input as doc
	fixture.said(rule.fail) == {"absent"} with input as doc
}

test_a_section_that_could_not_be_read_decides_nothing if {
	doc := fixture.gap(fixture.change(fixture.tione, [{"op": "remove", "path": "/launch/manifest/tione"}]), "launch", "launch.manifest.tione", "failed")
	count(rule.fail) == 0 with input as doc
}
