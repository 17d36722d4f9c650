# METADATA
# title: The images chosen in the manifest are the server's own
# description: >-
#   The image of the TKE cluster or node pool, and the system the launch manifest
#   expects, must be what the server runs: this is checked before it is registered,
#   while there is no node to look at.
# schemas:
#   - input: schema.facts
# custom:
#   id: OSP003
#   severity: error
#   requires: [host.os.id, host.os.versionId, launch.manifest]
#   covers: [S2]
#   remediation: >-
#     Choose {host} for {what}, or reinstall the server with {declared}; correct the launch manifest to match.
#   messages:
#     different: "{what} is {declared}, but the server runs {host}"
#     untold: "what the server itself runs is not known"
#     unrecognised: "{what} is {declared}, which is not recognised"
#     undeclared: "the launch manifest does not say which image was chosen for {what}"
package gpugate.rules.os.declared_image

import data.gpugate.lib.index
import data.gpugate.lib.osname
import data.gpugate.lib.subject

cluster_subject := subject.manifest("tke.os")

host_subject := subject.manifest("host.os")

subjects contains cluster_subject if not stays_out

subjects contains host_subject if input.launch.manifest.host.os

# stays_out holds if the server is not meant to be a TKE node: the manifest says
# so, or says nothing while no cluster is here.
stays_out if input.launch.manifest.tke.registered == false

stays_out if {
	not input.launch.manifest.tke
	index.absent("kubernetes")
}

applicable := false if {
	input.launch.manifest
	stays_out
	not input.launch.manifest.host.os
}

expected := {"id": lower(os.id), "version": os.versionId} if os := input.launch.manifest.host.os

chosen := osname.of_tke(input.launch.manifest.tke.os)

fail contains {
	"subject": cluster_subject,
	"message": "different",
	"args": {"what": "the TKE cluster's image", "declared": input.launch.manifest.tke.os, "host": osname.text(osname.host)},
	"evidence": ["/launch/manifest/tke/os", "/host/os/versionId"],
} if {
	not stays_out
	not osname.same(chosen, osname.host)
}

fail contains {
	"subject": host_subject,
	"message": "different",
	"args": {"what": "the expected system", "declared": osname.text(expected), "host": osname.text(osname.host)},
	"evidence": ["/launch/manifest/host/os", "/host/os/versionId"],
} if {
	not osname.same(expected, osname.host)
}

unknown contains {"subject": s, "message": "untold", "args": {}, "evidence": ["/host/os"]} if {
	not osname.host
	some s in subjects
}

unknown contains {"subject": cluster_subject, "message": "undeclared", "args": {"what": "the TKE cluster"}, "evidence": ["/launch/manifest"]} if {
	not stays_out
	not input.launch.manifest.tke.os
}

unknown contains {
	"subject": cluster_subject,
	"message": "unrecognised",
	"args": {"what": "the TKE cluster's image", "declared": input.launch.manifest.tke.os},
	"evidence": ["/launch/manifest/tke/os"],
} if {
	not stays_out
	not osname.of_tke(input.launch.manifest.tke.os)
}
