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
#   ko:
#     title: "노드가 의도한 등록 노드 풀에 속한다"
#     description: >-
#       GPU 서버는 등록 노드로 참여합니다. 노드 기록에는 instance-type이 external이고 등록 노드 풀의 id가 있습니다.
#       일반 가상 머신의 풀이나 서버리스 풀은 다른 종류의 노드입니다.
#     remediation: >-
#       노드 {node}을(를) 클러스터에서 제거하고, 등록 노드 풀 {pool}의 스크립트로 서버를 다시 등록하십시오.
#     messages:
#       kind: "노드 {node}은(는) 등록 노드가 아닙니다: {why}"
#       pool: "노드 {node}은(는) 노드 풀 {pool}이(가) 아니라 {found}에 있습니다"
#       poolless: "노드 {node}에 노드 풀이 적혀 있지 않습니다"
#       undeclared: "런치 매니페스트에 노드 {node}이(가) 속해야 할 노드 풀(tke.nodePool)이 적혀 있지 않습니다"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
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
