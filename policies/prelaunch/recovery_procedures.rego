# METADATA
# title: Stop, recovery, backup and rollback are prepared
# description: >-
#   Who is on call must be able to stop the service, bring it back, restore what was backed up and return to the
#   last version. Only people can state this: the launch manifest holds an attestation with who, when, until
#   when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE012
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L12]
#   remediation: >-
#     Write the procedures down and try them once. Then record it in the launch manifest: {control}, by, on,
#     until and evidence.
#   messages:
#     invalid: "the attestation of the stop, recovery, backup and rollback procedures ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the stop, recovery, backup and rollback procedures ({control}): {why}"
#     doubt: "whether the evidence of the stop, recovery, backup and rollback procedures ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the stop, recovery, backup and rollback procedures ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the stop, recovery, backup and rollback procedures ({control})"
package gpugate.rules.prelaunch.recovery_procedures

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L12"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
