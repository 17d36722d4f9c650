# METADATA
# title: The cost is computed with everything beside the instance
# description: >-
#   The instance is not the whole cost: NAT, storage, transfer and the media post-processing (MPS) are paid beside it.
#   Only people can state this: the launch manifest holds an attestation whose statement names the four, with who, when,
#   until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE010
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L10]
#   remediation: >-
#     Compute the monthly cost with NAT, storage, transfer and post-processing beside the instance. Then record it in the
#     launch manifest: {control}, a statement that names the four, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the cost ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the cost ({control}): {why}"
#     leaves: "the attestation of the cost ({control}) does not name {why}"
#     doubt: "whether the evidence of the cost ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the cost ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the cost ({control})"
package gpugate.rules.prelaunch.cost_computed

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.subject

control := "L10"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)

# items are what is paid beside the instance, as people write it.
items := {
	"NAT": `\bnat\b`,
	"storage": `\bstorage\b|\bdisks?\b`,
	"transfer": `\btransfer\b|\btraffic\b|\begress\b`,
	"post-processing": `post-?processing|\bmps\b`,
}

# named holds if one attestation that stands names every item.
named if {
	some found in attestation.of(control)
	attestation.holds(found)
	count(left_out(found)) == 0
}

left_out(found) := {item |
	some item, words in items
	not regex.match(words, lower(found.attestation.statement))
}

fail contains {
	"subject": subject.manifest(control),
	"message": "leaves",
	"args": {"control": control, "why": concat(", ", sort(left_out(found)))},
	"evidence": [sprintf("%s/statement", [attestation.pointer(found)])],
} if {
	index.complete("launch.manifest.attestations")
	not named
	some found in attestation.of(control)
	attestation.holds(found)
}
