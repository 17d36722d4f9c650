# METADATA
# title: Results are kept before they expire, and the real file is checked
# description: >-
#   A link to a result expires, and a file may be there and not play. Results are to be copied in time, and
#   resolution, length and playback of the real file checked. Only people can state this: the launch manifest
#   holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE009
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L9]
#   remediation: >-
#     Copy results before they expire and check resolution, length and playback of one real file. Then record it
#     in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that results are kept ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that results are kept ({control}): {why}"
#     doubt: "whether the evidence of that results are kept ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that results are kept ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that results are kept ({control})"
package gpugate.rules.prelaunch.results_kept

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L9"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
