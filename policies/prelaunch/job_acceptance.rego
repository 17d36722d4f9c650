# METADATA
# title: A generation request is accepted once, and job ids are kept
# description: >-
#   A client that times out sends its POST again. Without an idempotency key the same video is generated twice,
#   and without a kept job id nobody finds the first one. A server that accepts no jobs says so. Only people can
#   state this: the launch manifest holds an attestation with who, when, until when, and evidence (a file beside
#   it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE006
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L6]
#   remediation: >-
#     Let a repeated POST return the first job, and keep job ids longer than results. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that a job is accepted once ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that a job is accepted once ({control}): {why}"
#     doubt: "whether the evidence of that a job is accepted once ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that a job is accepted once ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that a job is accepted once ({control})"
package gpugate.rules.prelaunch.job_acceptance

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L6"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
