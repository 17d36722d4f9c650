# METADATA
# title: Workspace, quota and policy are set, and a small job ran first
# description: >-
#   Before real work, workspace, quota and scheduling policy are set and one small job has run to its end in the
#   group. Only people can state this: the launch manifest holds an attestation with who, when, until when, and
#   evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO009
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T7]
#   remediation: >-
#     Set workspace, quota and scheduling policy, run one small job and keep its log. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that workspace, quota and policy are set and a small job ran ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that workspace, quota and policy are set and a small job ran ({control}): {why}"
#     doubt: "whether the evidence of that workspace, quota and policy are set and a small job ran ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that workspace, quota and policy are set and a small job ran ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that workspace, quota and policy are set and a small job ran ({control})"
package gpugate.rules.tione.small_job_first

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T7"

subjects contains subject.manifest(control)

applicable := false if registration.no_member

fail contains f if {
	index.complete("launch.manifest.tione")
	not registration.no_member
	some f in attestation.failing(control)
}

unknown contains u if {
	not registration.no_member
	some u in attestation.doubted(control)
}

assumed contains w if some w in attestation.assumed(control)
