# METADATA
# title: External URL inputs are defended against SSRF
# description: >-
#   Where users may give URLs, the service fetches them from inside the private network: addresses are to be checked against an allowlist after resolution, and download size and time limited. Only people can state this: the launch manifest holds an attestation with
#   who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE005
#   severity: error
#   securitySeverity: "7.5"
#   requires: [launch.manifest, launch.evidence]
#   covers: [L5]
#   remediation: >-
#     Put a fetching proxy with an allowlist, a size and a time limit before the service. Then record it in the launch manifest: {control}, by, on, until and evidence.
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

self := subject.manifest(control)

subjects contains self

fail contains {"subject": self, "message": r.message, "args": {"control": control, "why": r.why}, "evidence": r.evidence} if {
	not attestation.attested(control)
	some r in attestation.refuted(control)
}

unknown contains {"subject": self, "message": "doubt", "args": {"control": control, "why": o.why}, "evidence": o.evidence} if {
	some o in attestation.open(control)
}

unknown contains {"subject": self, "message": "manifestless", "args": {"control": control}, "evidence": ["/launch"]} if {
	not input.launch.manifest
}

assumed contains {"message": "word", "args": {"control": control, "url": w.url, "by": w.by}, "evidence": w.evidence} if {
	some w in attestation.worded(control)
}
