# METADATA
# title: A verification Pod with a GPU limit reached the device
# description: >-
#   A small Pod with a limit of one GPU was placed on this node and printed the card (nvidia-smi -L): that the
#   node offers GPUs does not show that a Pod can use one. Only people can state this: the launch manifest holds
#   an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: REG009
#   severity: error
#   requires: [kubernetes, launch.manifest, launch.evidence]
#   covers: [S9]
#   remediation: >-
#     Run a Pod with a limit of nvidia.com/gpu: 1 on this node that prints nvidia-smi -L, and keep its log. Then
#     record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that a verification Pod reached the GPU ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that a verification Pod reached the GPU ({control}): {why}"
#     doubt: "whether the evidence of that a verification Pod reached the GPU ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that a verification Pod reached the GPU ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that a verification Pod reached the GPU ({control})"
package gpugate.rules.registration.verification_pod

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "S9"

subjects contains subject.manifest(control)

applicable := false if registration.no_node

fail contains f if {
	index.complete("launch.manifest.tke")
	not registration.no_node
	some f in attestation.failing(control)
}

unknown contains u if {
	not registration.no_node
	some u in attestation.doubted(control)
}

assumed contains w if some w in attestation.assumed(control)
