# METADATA
# title: The cluster and the server share a private network
# description: >-
#   The server lies in the cluster's VPC or in a network that is routed to it, and reaches the management
#   endpoint, the image registry and the other nodes. Only people can state this: the launch manifest holds an
#   attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: REG003
#   severity: error
#   requires: [kubernetes, launch.manifest, launch.evidence]
#   covers: [S3]
#   remediation: >-
#     From the server, reach the cluster's endpoint, the image registry and another node, and keep what was
#     printed. Then record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the private network ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the private network ({control}): {why}"
#     doubt: "whether the evidence of the private network ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the private network ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the private network ({control})"
package gpugate.rules.registration.private_network

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "S3"

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
