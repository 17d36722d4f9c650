# METADATA
# title: The cluster sees the server's own operating system
# description: >-
#   The node record of the cluster must name the system that the server runs.
#   Ubuntu and TencentOS, or two releases of one, may not be mixed though both are
#   Linux; point releases of one Ubuntu LTS are the same.
# schemas:
#   - input: schema.facts
# custom:
#   id: OSP002
#   severity: error
#   requires: [host.os.id, host.os.versionId, kubernetes.node]
#   covers: [S2]
#   remediation: >-
#     Register the server again with a node pool whose image is {host}, or reinstall it with {cluster};
#     node {node} is not to run work until both are the same.
#   messages:
#     different: "node {node} is recorded as {cluster}, but the server runs {host}"
#     untold: "what the server itself runs is not known"
#     nameless: "node {node} does not tell its operating system"
#     unrecognised: "node {node} says {image}, which is not recognised"
#     nodeless: "which node of the cluster this server is could not be told"
package gpugate.rules.os.cluster_image

import data.gpugate.lib.index
import data.gpugate.lib.osname
import data.gpugate.lib.subject

node := input.kubernetes.node

self := subject.node(node)

default who := {"kind": "node", "id": "node", "name": "node"}

who := self

subjects contains self

# No cluster, and that is known.
applicable := false if {
	not input.kubernetes.node
	index.status("kubernetes") == "absent"
}

cluster := osname.of_image(node.info.osImage)

fail contains {
	"subject": self,
	"message": "different",
	"args": {"node": node.name, "cluster": osname.text(cluster), "host": osname.text(osname.host)},
	"evidence": ["/kubernetes/node/info/osImage", "/host/os/versionId"],
} if {
	not osname.same(cluster, osname.host)
}

unknown contains {"subject": self, "message": "untold", "args": {}, "evidence": ["/host/os"]} if not osname.host

unknown contains {"subject": self, "message": "nameless", "args": {"node": node.name}, "evidence": ["/kubernetes/node/info"]} if {
	not node.info.osImage
}

unknown contains {
	"subject": self,
	"message": "unrecognised",
	"args": {"node": node.name, "image": node.info.osImage},
	"evidence": ["/kubernetes/node/info/osImage"],
} if {
	not osname.of_image(node.info.osImage)
}

unknown contains {"subject": who, "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if {
	not input.kubernetes.node
	index.status("kubernetes") != "absent"
}
