# METADATA
# title: Attestations
# description: >-
#   What only people can state: who, when, until when, and with what evidence. One
#   without evidence, expired, or contradicted by what was found holds nothing. A URL
#   is evidence that nobody looked at; that is said.
# schemas:
#   - input: schema.facts
package gpugate.lib.attestation

import data.gpugate.lib.dates
import data.gpugate.lib.index
import data.gpugate.lib.subject

# of are the attestations on one control, each with its place.
of(control) := {{"at": i, "attestation": a} |
	some i, a in input.launch.manifest.attestations
	upper(a.control) == control
}

pointer(found) := sprintf("/launch/manifest/attestations/%d", [found.at])

# problems are why one attestation does not hold.
problems(found) := claimed(found.attestation) | {p |
	some reference in object.get(found.attestation, "evidence", [])
	some p in broken(reference)
}

claimed(a) := {p |
	some p in [
		missing(a, "statement", "it states nothing"),
		missing(a, "by", "it does not say by whom"),
		missing(a, "on", "it does not say on which day"),
		missing(a, "until", "it does not say until when it holds"),
		lasting(a),
		begun(a),
		unproven(a),
	]
	p != ""
}

missing(a, member, words) := "" if {
	regex.match(`[\p{L}\p{N}]`, object.get(a, [member], ""))
} else := words

lasting(a) := sprintf("it expired on %s", [a.until]) if {
	dates.past(a.until)
} else := sprintf("its end %q is not a day (yyyy-mm-dd)", [a.until]) if {
	not dates.valid(a.until)
} else := ""

begun(a) := sprintf("it is dated %s, which is still to come", [a.on]) if {
	dates.future(a.on)
} else := sprintf("its date %q is not a day (yyyy-mm-dd)", [a.on]) if {
	not dates.valid(a.on)
} else := ""

unproven(a) := "it names no evidence" if {
	count(object.get(a, "evidence", [])) == 0
} else := ""

# broken is what is wrong with one reference, as far as it was looked at.
broken(reference) := {p |
	some e in input.launch.evidence
	e.reference == reference
	e.kind == "file"
	some p in [unfound(e), changed(e)]
	p != ""
}

unfound(e) := sprintf("its evidence %s is not there", [e.path]) if {
	e.found == false
} else := ""

changed(e) := sprintf("its evidence %s is not the file whose digest was recorded", [e.path]) if {
	e.recordedSha256 != ""
	e.actualSha256 != ""
	lower(e.recordedSha256) != lower(e.actualSha256)
} else := ""

# doubts are the references of which nobody could look whether they are there.
doubts(found) := {reference |
	some reference in object.get(found.attestation, "evidence", [])
	not settled(reference)
}

settled(reference) if {
	some e in input.launch.evidence
	e.reference == reference
	e.kind == "url"
}

settled(reference) if {
	some e in input.launch.evidence
	e.reference == reference
	e.found == false
}

settled(reference) if {
	some e in input.launch.evidence
	e.reference == reference
	e.found == true
	matches(e)
}

# matches holds unless a digest was recorded and the file's own is not known.
matches(e) if object.get(e, "recordedSha256", "") == ""

matches(e) if e.actualSha256 != ""

# urls are the references that are taken on the word of who attests.
urls(found) := {reference |
	some reference in object.get(found.attestation, "evidence", [])
	some e in input.launch.evidence
	e.reference == reference
	e.kind == "url"
}

# holds if the attestation stands: nothing is wrong and nothing in doubt.
holds(found) if {
	count(problems(found)) == 0
	count(doubts(found)) == 0
}

# attested holds if any attestation on the control stands.
attested(control) if {
	some found in of(control)
	holds(found)
}

# refuted are the reasons why no attestation on the control stands, as
# {statement, why, evidence}; empty if one does, or if it cannot be told.
refuted(control) := {{"message": "invalid", "why": concat(", ", sort([p | some p in problems(found)])), "evidence": [pointer(found)]} |
	decided(control)
	some found in of(control)
} | {{"message": "absent", "why": "nobody attests it", "evidence": ["/launch/manifest/attestations"]} |
	input.launch.manifest
	count(of(control)) == 0
	index.complete("launch.manifest.attestations")
}

# decided holds if every attestation on the control is surely broken. What is not
# said counts only if all that was said could be read.
decided(control) if {
	index.complete("launch.manifest.attestations")
	every found in of(control) {
		count(problems(found)) > 0
	}
}

# open are the attestations on the control that may or may not stand.
open(control) := {{"why": concat(", ", sort([d | some d in doubts(found)])), "evidence": [pointer(found)]} |
	not attested(control)
	some found in of(control)
	count(problems(found)) == 0
}

# worded are the references taken on somebody's word.
worded(control) := {{"url": url, "by": object.get(found.attestation, "by", "nobody"), "evidence": [pointer(found)]} |
	some found in of(control)
	holds(found)
	some url in urls(found)
}

# failing, doubted and assumed are what a rule says that asks for nothing but an
# attestation on its control.
failing(control) := {{"subject": subject.manifest(control), "message": r.message, "args": {"control": control, "why": r.why}, "evidence": r.evidence} |
	not attested(control)
	some r in refuted(control)
}

doubted(control) := {{"subject": subject.manifest(control), "message": "doubt", "args": {"control": control, "why": o.why}, "evidence": o.evidence} |
	some o in open(control)
} | {{"subject": subject.manifest(control), "message": "manifestless", "args": {"control": control}, "evidence": ["/launch"]} |
	not input.launch.manifest
}

assumed(control) := {{"message": "word", "args": {"control": control, "url": w.url, "by": w.by}, "evidence": w.evidence} |
	some w in worded(control)
}
