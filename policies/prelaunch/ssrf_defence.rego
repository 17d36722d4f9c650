# METADATA
# title: External URL inputs are defended against SSRF
# description: >-
#   Where users may give URLs, the service fetches them from inside the private network: addresses are to be
#   checked against an allowlist after resolution, and download size and time limited. Only people can state
#   this: the launch manifest holds an attestation with who, when, until when, and evidence (a file beside it or
#   a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE005
#   severity: error
#   securitySeverity: "7.5"
#   requires: [launch.manifest, launch.evidence]
#   covers: [L5]
#   remediation: >-
#     Put a fetching proxy with an allowlist, a size and a time limit before the service. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the SSRF defence ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the SSRF defence ({control}): {why}"
#     doubt: "whether the evidence of the SSRF defence ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the SSRF defence ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the SSRF defence ({control})"
package gpugate.rules.prelaunch.ssrf_defence

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L5"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
