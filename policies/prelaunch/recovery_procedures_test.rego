# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.recovery_procedures_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.recovery_procedures as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["attested", fixture.serving, set(), set()],
	["nobody", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations/1"}]), {"absent"}, set()],
	["in small letters", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/control", "value": "l12"}]), set(), set()],
	["no attestations", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations"}]), {"absent"}, set()],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["a manifest that is not whole", fixture.gap(fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations/1"}]), "launch", "launch.manifest.attestations", "failed"), set(), set()],
	["expired", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/until", "value": "2026-11-29"}]), {"invalid"}, set()],
	["expires today", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/until", "value": "2026-11-30"}]), set(), set()],
	["no end", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations/1/until"}]), {"invalid"}, set()],
	["no day", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/until", "value": "soon"}]), {"invalid"}, set()],
	["from tomorrow", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/on", "value": "2026-12-01"}]), {"invalid"}, set()],
	["on no day", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations/1/on"}]), {"invalid"}, set()],
	["by nobody", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/by", "value": " "}]), {"invalid"}, set()],
	["no evidence", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/attestations/1/evidence"}]), {"invalid"}, set()],
	["an empty list of evidence", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/1/evidence", "value": []}]), {"invalid"}, set()],
	["the evidence is not there", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/evidence/0/found", "value": false}]), {"invalid"}, set()],
	["the evidence changed", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/evidence/0/recordedSha256", "value": fixture.other_digest}]), {"invalid"}, set()],
	["the evidence as recorded", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/evidence/0/recordedSha256", "value": upper(fixture.digest)}]), set(), set()],
	["recorded, but the file's digest is not known", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/evidence/0/recordedSha256", "value": fixture.digest}, {"op": "remove", "path": "/launch/evidence/0/actualSha256"}]), set(), {"doubt"}],
	["nobody could look", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/evidence/0/found"}]), set(), {"doubt"}],
	["nobody looked", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/evidence/0"}]), set(), {"doubt"}],
	["expired, and again", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/attestations/-", "value": object.union(fixture.attestation("L12"), {"until": "2026-01-01"})}]), set(), set()],
	["a page", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/evidence/0/kind", "value": "url"}, {"op": "remove", "path": "/launch/evidence/0/found"}]), set(), set()],
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

test_a_page_is_taken_on_a_word if {
	a := rule.assumed with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/evidence/0/kind", "value": "url"}, {"op": "remove", "path": "/launch/evidence/0/found"}])
	fixture.said(a) == {"word"}
	count(rule.assumed) == 0 with input as fixture.serving
}
