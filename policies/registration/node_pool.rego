# METADATA
# title: The node is of the registered-node pool that was meant
# description: >-
#   A GPU server joins as a registered node: its record carries instance-type external and the id of a registered-node
#   pool. An ordinary virtual machine's pool or a serverless one is another kind of node.
# schemas:
#   - input: schema.facts
# custom:
#   id: REG004
#   severity: error
#   requires: [host.name, kubernetes, launch.manifest]
#   covers: [S4]
#   remediation: >-
#     Remove node {node} from the cluster and register the server again with the script of the registered-node pool {pool}.
#   messages:
#     kind: "node {node} is no registered node: {why}"
#     pool: "node {node} is in node pool {found}, not in {pool}"
#     poolless: "node {node} does not tell its node pool"
#     undeclared: "the launch manifest does not name the node pool (tke.nodePool) that node {node} is meant to be in"
#     nodeless: "which node of the cluster this server is could not be told"
package gpugate.rules.registration.node_pool

import data.gpugate.lib.cluster
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

node := input.kubernetes.node

subjects contains subject.node(node)

subjects contains subject.host if not node

# Before the server is registered there is no node to look at.
applicable := false if {
	not node
	registration.no_node
}

applicable := false if {
	not node
	index.absent("kubernetes")
}

default pool := "that was meant"

pool := input.launch.manifest.tke.nodePool

say(message, extra, evidence) := {
	"subject": subject.node(node),
	"message": message,
	"args": object.union({"node": node.name, "pool": pool}, extra),
	"evidence": evidence,
}

kind_label := "node.kubernetes.io/instance-type"

fail contains say("kind", {"why": sprintf("its instance type is %s, not external", [cluster.label(kind_label)])}, ["/kubernetes/node/labels"]) if {
	not cluster.label(kind_label) in {"", "external"}
}

fail contains say("kind", {"why": sprintf("its provider id is %s, that of an ordinary virtual machine", [node.providerId])}, ["/kubernetes/node/providerId"]) if {
	startswith(node.providerId, "qcloud://")
}

fail contains say("kind", {"why": "it carries no label of a registered node"}, ["/kubernetes/node/labels"]) if {
	node
	cluster.label(kind_label) == ""
	not cluster.registered_node
	index.complete("kubernetes.node.labels")
}

fail contains say("pool", {"found": found}, ["/launch/manifest/tke/nodePool", "/kubernetes/node/labels"]) if {
	found := cluster.label("tke.cloud.tencent.com/nodepool-id")
	found != ""
	found != input.launch.manifest.tke.nodePool
}

unknown contains say("poolless", {}, ["/kubernetes/node/labels"]) if {
	node
	cluster.label("tke.cloud.tencent.com/nodepool-id") == ""
}

unknown contains say("undeclared", {}, ["/launch/manifest"]) if {
	node
	not input.launch.manifest.tke.nodePool
}

unknown contains {"subject": subject.host, "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if not node
