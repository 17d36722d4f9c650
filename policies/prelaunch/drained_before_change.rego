# METADATA
# title: Running work is drained before a model switch or re-creation
# description: >-
#   Changed arguments take effect only in a new container, and stopping the old one ends what it is working on.
#   New requests are to be refused, and running ones finished, before. Only people can state this: the launch
#   manifest holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE008
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L8]
#   remediation: >-
#     Write down how requests are turned away and how long to wait before the container is stopped. Then record
#     it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that running work is drained ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that running work is drained ({control}): {why}"
#     doubt: "whether the evidence of that running work is drained ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that running work is drained ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that running work is drained ({control})"
package gpugate.rules.prelaunch.drained_before_change

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L8"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
