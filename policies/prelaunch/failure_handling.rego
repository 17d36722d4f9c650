# METADATA
# title: Failure, cancellation, timeout, 429 and 503 are handled
# description: >-
#   A model server is busy, loads for minutes and runs out of memory. Callers must get an answer they can act
#   on: failure, cancellation, timeout, 429 and 503 were each tried. Only people can state this: the launch
#   manifest holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE007
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L7]
#   remediation: >-
#     Try failure, cancellation, timeout, 429 and 503 once each and write down what a caller sees. Then record
#     it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that failures are handled ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that failures are handled ({control}): {why}"
#     doubt: "whether the evidence of that failures are handled ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that failures are handled ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that failures are handled ({control})"
package gpugate.rules.prelaunch.failure_handling

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L7"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
