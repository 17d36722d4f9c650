# METADATA
# title: Cases of an attestation
# description: >-
#   What can be wrong with an attestation on a control, with what every rule says that
#   asks for one.
# schemas:
#   - input: schema.facts
package gpugate.lib.attestation_cases

import data.gpugate.lib.fixture

# place is where a document attests a control.
place(doc, control) := [i | some i, a in doc.launch.manifest.attestations; a.control == control][0]

shown(doc, control) := [i | some i, e in doc.launch.evidence; e.reference == sprintf("docs/%s.md", [lower(control)])][0]

claim(doc, control, op, member, value) := fixture.change(doc, [{"op": op, "path": sprintf("/launch/manifest/attestations/%d%s", [place(doc, control), member]), "value": value}])

unclaim(doc, control, member) := fixture.change(doc, [{"op": "remove", "path": sprintf("/launch/manifest/attestations/%d%s", [place(doc, control), member])}])

proof(doc, control, patches) := fixture.change(doc, [object.union(p, {"path": sprintf("/launch/evidence/%d%s", [shown(doc, control), p.path])}) | some p in patches])

# page is a document whose evidence is a URL.
page(doc, control) := proof(doc, control, [{"op": "replace", "path": "/kind", "value": "url"}, {"op": "remove", "path": "/found"}])

# of are documents with the messages that fail and those that leave it open.
of(doc, control) := [
	["attested", doc, set(), set()],
	["nobody", unclaim(doc, control, ""), {"absent"}, set()],
	["in small letters", claim(doc, control, "replace", "/control", lower(control)), set(), set()],
	["no attestations", fixture.change(doc, [{"op": "remove", "path": "/launch/manifest/attestations"}]), {"absent"}, set()],
	["no manifest", fixture.change(doc, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["a manifest that is not whole", fixture.gap(unclaim(doc, control, ""), "launch", "launch.manifest.attestations", "failed"), set(), set()],
	["expired", claim(doc, control, "replace", "/until", "2026-11-29"), {"invalid"}, set()],
	["expires today", claim(doc, control, "replace", "/until", "2026-11-30"), set(), set()],
	["no end", unclaim(doc, control, "/until"), {"invalid"}, set()],
	["no day", claim(doc, control, "replace", "/until", "soon"), {"invalid"}, set()],
	["from tomorrow", claim(doc, control, "replace", "/on", "2026-12-01"), {"invalid"}, set()],
	["on no day", unclaim(doc, control, "/on"), {"invalid"}, set()],
	["by nobody", claim(doc, control, "replace", "/by", " "), {"invalid"}, set()],
	["no evidence", unclaim(doc, control, "/evidence"), {"invalid"}, set()],
	["an empty list of evidence", claim(doc, control, "replace", "/evidence", []), {"invalid"}, set()],
	["the evidence is not there", proof(doc, control, [{"op": "replace", "path": "/found", "value": false}]), {"invalid"}, set()],
	["the evidence changed", proof(doc, control, [{"op": "add", "path": "/recordedSha256", "value": fixture.other_digest}]), {"invalid"}, set()],
	["the evidence as recorded", proof(doc, control, [{"op": "add", "path": "/recordedSha256", "value": upper(fixture.digest)}]), set(), set()],
	["recorded, but the file's digest is not known", proof(doc, control, [{"op": "add", "path": "/recordedSha256", "value": fixture.digest}, {"op": "remove", "path": "/actualSha256"}]), set(), {"doubt"}],
	["nobody could look", proof(doc, control, [{"op": "remove", "path": "/found"}]), set(), {"doubt"}],
	["nobody looked", proof(doc, control, [{"op": "remove", "path": ""}]), set(), {"doubt"}],
	["expired, and again", fixture.change(doc, [{"op": "add", "path": "/launch/manifest/attestations/-", "value": object.union(fixture.attestation(control), {"until": "2026-01-01"})}]), set(), set()],
	["a page", page(doc, control), set(), set()],
]
