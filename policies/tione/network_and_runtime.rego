# METADATA
# title: The group's network reaches the server, and its runtime is supported
# description: >-
#   VPC and subnet of the group must reach the server's SSH and management ports, and beyond the distribution's
#   name the kernel, driver and container runtime must be ones that TI-ONE supports. Only people can state this:
#   the launch manifest holds an attestation with who, when, until when, and evidence (a file beside it or a
#   URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO007
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T2]
#   remediation: >-
#     Try the SSH and management ports from the group's subnet, and compare kernel, driver and runtime with the
#     supported list. Then record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that the network reaches the server and its runtime is supported ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that the network reaches the server and its runtime is supported ({control}): {why}"
#     doubt: "whether the evidence of that the network reaches the server and its runtime is supported ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that the network reaches the server and its runtime is supported ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that the network reaches the server and its runtime is supported ({control})"
package gpugate.rules.tione.network_and_runtime

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T2"

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
