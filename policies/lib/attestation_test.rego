# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.attestation_test

import data.gpugate.lib.attestation
import data.gpugate.lib.fixture

with_evidence(list) := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/evidence", "value": list}])

file := {"reference": "docs/l5.md", "kind": "file", "path": "docs/l5.md", "found": true, "actualSha256": fixture.digest}

other := {"reference": "docs/l12.md", "kind": "file", "path": "docs/l12.md", "found": false}

problems := {p | some found in attestation.of("L5"); some p in attestation.problems(found)}

doubts := {d | some found in attestation.of("L5"); some d in attestation.doubts(found)}

test_files if {
	attestation.attested("L5") with input as with_evidence([file, other])
	problems == set() with input as with_evidence([file])

	# The one that is not there is another's.
	problems == set() with input as with_evidence([file, other])
	problems == {"its evidence docs/l5.md is not there"} with input as with_evidence([{"reference": "docs/l5.md", "kind": "file", "path": "docs/l5.md", "found": false}])
	doubts == {"docs/l5.md"} with input as with_evidence([other])
	doubts == {"docs/l5.md"} with input as with_evidence([object.remove(file, ["found"])])
	not attestation.attested("L5") with input as with_evidence([other])
}

recorded(change) := with_evidence([object.union(object.remove(file, ["actualSha256"]), change)])

test_digests if {
	doubts == set() with input as recorded({"recordedSha256": upper(fixture.digest), "actualSha256": fixture.digest})
	problems == set() with input as recorded({"recordedSha256": upper(fixture.digest), "actualSha256": fixture.digest})
	problems == {"its evidence docs/l5.md is not the file whose digest was recorded"} with input as recorded({"recordedSha256": fixture.other_digest, "actualSha256": fixture.digest})

	# Without a recorded digest the file itself is enough; without its own it is not
	# known whether it is the one.
	doubts == set() with input as recorded({})
	doubts == set() with input as recorded({"recordedSha256": ""})
	problems == set() with input as recorded({"recordedSha256": "", "actualSha256": fixture.digest})
	doubts == {"docs/l5.md"} with input as recorded({"recordedSha256": fixture.digest})
	problems == set() with input as recorded({"recordedSha256": fixture.digest, "actualSha256": ""})
	doubts == {"docs/l5.md"} with input as recorded({"recordedSha256": fixture.digest, "actualSha256": ""})
}

page := {"reference": "https://wiki.example/l5", "kind": "url"}

on_a_page(list) := fixture.change(fixture.serving, [
	{"op": "replace", "path": "/launch/manifest/attestations/0/evidence", "value": [page.reference]},
	{"op": "replace", "path": "/launch/evidence", "value": list},
])

said(control) := {w.url | some w in attestation.worded(control)}

test_pages_are_taken_on_the_word if {
	attestation.attested("L5") with input as on_a_page([page])
	said("L5") == {page.reference} with input as on_a_page([page])

	# A page that another attestation names is not this one's.
	said("L5") == set() with input as with_evidence([file, other, page])
	doubts == {page.reference} with input as on_a_page([object.union(page, {"reference": "https://wiki.example/l12"})])

	# The word of an attestation that does not hold is no word.
	stale := fixture.change(on_a_page([page]), [{"op": "replace", "path": "/launch/manifest/attestations/0/until", "value": "2026-11-01"}])
	said("L5") == set() with input as stale

	# A page is not looked for, and not found missing.
	problems == set() with input as on_a_page([object.union(page, {"found": false, "path": "l5"})])
}

why(control) := {r.why | some r in attestation.refuted(control)}

test_what_refutes if {
	why("L5") == set() with input as fixture.serving
	why("T1") == {"nobody attests it"} with input as fixture.serving
	lost := fixture.gap(fixture.serving, "launch", "launch.manifest.attestations", "failed")
	why("T1") == set() with input as lost
	expired := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/0/until", "value": "2026-11-01"}])
	why("L5") == {"it expired on 2026-11-01"} with input as expired
	why("L5") == set() with input as fixture.gap(expired, "launch", "launch.manifest.attestations", "failed")
	why("T1") == set() with input as fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}])

	# One that holds is enough.
	second := fixture.change(expired, [{"op": "add", "path": "/launch/manifest/attestations/-", "value": fixture.attestation("L5")}])
	why("L5") == set() with input as second
	attestation.attested("L5") with input as second
}

test_what_is_open if {
	{o.why | some o in attestation.open("L5")} == set() with input as fixture.serving
	{o.why | some o in attestation.open("L5")} == {"docs/l5.md"} with input as with_evidence([])
	twice := fixture.change(with_evidence([file]), [{"op": "add", "path": "/launch/manifest/attestations/-", "value": object.union(fixture.attestation("L5"), {"evidence": ["elsewhere.md"]})}])
	{o.why | some o in attestation.open("L5")} == set() with input as twice
	broken := fixture.change(with_evidence([]), [{"op": "replace", "path": "/launch/manifest/attestations/0/until", "value": "2026-11-01"}])
	{o.why | some o in attestation.open("L5")} == set() with input as broken
}

dated(change) := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/0", "value": object.union(fixture.attestation("L5"), change)}])

test_days_of_an_attestation if {
	problems == {`its date "soon" is not a day (yyyy-mm-dd)`} with input as dated({"on": "soon"})
	problems == {"it is dated 2026-12-01, which is still to come"} with input as dated({"on": "2026-12-01"})
	problems == {`its end "never" is not a day (yyyy-mm-dd)`} with input as dated({"until": "never"})
	problems == {"it names no evidence"} with input as dated({"evidence": []})
}
