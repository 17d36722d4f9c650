# METADATA
# title: The account may create groups of external servers
# description: >-
#   A resource group of external servers is made by an account that may do so, with the source external server.
#   No export tells what an account may do. Only people can state this: the launch manifest holds an attestation
#   with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO006
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T1]
#   remediation: >-
#     Create the resource group with source external server, and keep the account's permission with it. Then
#     record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that the account may create external-server groups ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that the account may create external-server groups ({control}): {why}"
#     doubt: "whether the evidence of that the account may create external-server groups ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that the account may create external-server groups ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that the account may create external-server groups ({control})"
package gpugate.rules.tione.group_rights

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T1"

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
