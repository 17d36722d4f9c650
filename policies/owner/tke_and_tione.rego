# METADATA
# title: No GPU is allocated with both TKE and TI-ONE
# description: >-
#   TKE and TI-ONE do not know of each other. A server that is a node of a TKE
#   cluster and also a node of a TI-ONE resource group has its GPUs given away
#   twice, even while idle. The launch manifest may say that the server is not in
#   TI-ONE; that word is taken only while no export is at hand, and facts against
#   it are a violation.
# related_resources:
#   - ref: https://cloud.tencent.com/document/product/851
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN003
#   severity: error
#   requires:
#     - nvml.gpus
#     - kubernetes.node
#     - kubernetes.pods
#     - kubernetes.kubelet.registered
#     - tione.resourceGroup
#     - launch.manifest.tione.registered
#     - launch.manifest.tke.registered
#   covers: [O2, L11]
#   remediation: >-
#     Keep {gpu} in one of the two: take the server out of resource group {group} in the
#     TI-ONE console, or remove its node from the TKE cluster (drain it first).
#   messages:
#     both: "{gpu} is allocated twice: node {node} of a TKE cluster offers it, and TI-ONE resource group {group} has it"
#     pods: "{gpu} is offered by TKE node {node} while TI-ONE runs pods on this server: {pods}"
#     contradicted: "the launch manifest says that this server is not in TI-ONE, but {proof}"
#     whose: "{gpu} belongs to TI-ONE resource group {group} and to node {node}; whose cluster the node is in is not known"
#     unplaced: "{gpu} belongs to TI-ONE resource group {group}; on which GPUs node {node} offers its resources is not known"
#     nodeless: "which node of the cluster this server is could not be told"
#     exportless: "no export of a TI-ONE resource group was given"
#     paged: "the export of resource group {group} lists {listed} of {total} nodes; this server may be among the others"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no export was given"
#   ko:
#     title: "어떤 GPU도 TKE와 TI-ONE에 동시에 할당되지 않는다"
#     description: >-
#       TKE와 TI-ONE은 서로를 모릅니다. TKE 클러스터의 노드이면서 TI-ONE 자원 그룹의 노드이기도 한 서버의 GPU는 유휴
#       상태라도 두 번 내준 것입니다. 런치 매니페스트는 서버가 TI-ONE에 속하지 않는다고 말할 수 있습니다. 그 말은
#       내보내기 자료가 없을 때만 받아들이며, 이에 반하는 사실이 있으면 위반입니다.
#     remediation: >-
#       {gpu}을(를) 둘 가운데 하나에만 두십시오. TI-ONE 콘솔에서 자원 그룹 {group}에서 서버를 빼거나, TKE 클러스터에서
#       노드를 제거하십시오(먼저 drain 하십시오).
#     messages:
#       both: "{gpu}이(가) 두 번 할당되었습니다. TKE 클러스터의 노드 {node}이(가) 이를 제공하고, TI-ONE 자원 그룹 {group}에도 들어 있습니다"
#       pods: "{gpu}을(를) TKE 노드 {node}이(가) 제공하는데, TI-ONE이 이 서버에서 Pod를 실행하고 있습니다: {pods}"
#       contradicted: "런치 매니페스트는 이 서버가 TI-ONE에 속하지 않는다고 말하지만 사실과 다릅니다: {proof}"
#       whose: "{gpu}은(는) TI-ONE 자원 그룹 {group}과(와) 노드 {node}에 속합니다. 그 노드가 누구의 클러스터에 있는지 알 수 없습니다"
#       unplaced: "{gpu}은(는) TI-ONE 자원 그룹 {group}에 속합니다. 노드 {node}이(가) 어느 GPU를 자원으로 제공하는지 알 수 없습니다"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
#       exportless: "TI-ONE 자원 그룹의 내보내기 자료가 주어지지 않았습니다"
#       paged: "자원 그룹 {group}의 내보내기 자료에는 전체 {total}개 노드 가운데 {listed}개만 있습니다. 이 서버가 나머지에 있을 수 있습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 내보내기 자료는 주어지지 않았습니다"
package gpugate.rules.owner.tke_and_tione

import data.gpugate.lib.claims
import data.gpugate.lib.cluster
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.subject
import data.gpugate.lib.word

subjects contains subject.gpu(g) if some g in input.nvml.gpus

# Where there is no card, none is allocated.
subjects contains subject.no_gpu if count(input.nvml.gpus) == 0

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

node := input.kubernetes.node.name

group := claims.first([object.get(input.tione.resourceGroup, "name", ""), object.get(input.tione.resourceGroup, "id", ""), "without name"])

# offered are the GPUs a node has to give, whether it is Ready just now or not.
offered contains target.gpu if some target in cluster.targets

# Of a node that does not say which GPUs it offers, all may be meant: TI-ONE has
# all of them.
offered contains g.uuid if {
	count(cluster.nowhere) > 0
	index.complete("kubernetes.kubelet.registered")
	index.every_card_listed
	some g in input.nvml.gpus
}

fail contains {
	"subject": subject.gpu(g),
	"message": "both",
	"args": {"gpu": subject.gpu(g).name, "node": node, "group": group},
	"evidence": array.concat(["/kubernetes/node/allocatable"], c.evidence),
} if {
	cluster.manager == "tke"
	some c in claims.registered
	some g in input.nvml.gpus
	g.uuid == c.gpu
	g.uuid in offered
}

# TI-ONE's pods on a node with TKE's own labels.
fail contains {
	"subject": subject.gpu(g),
	"message": "pods",
	"args": {
		"gpu": subject.gpu(g).name,
		"node": node,
		"group": "of these pods",
		"pods": party.listed(object.keys(tione_pods), ", "),
	},
	"evidence": array.slice(sort([at | some _, at in tione_pods]), 0, 2 * party.most),
} if {
	cluster.registered_node
	count(tione_pods) > 0
	some g in input.nvml.gpus
	g.uuid in offered
}

# tione_pods are the pods that TI-ONE placed here, with their places.
tione_pods[name] := sprintf("/kubernetes/pods/%d", [min(at)]) if some name, at in places

# places are where TI-ONE's pods of a name are listed.
places[name] contains i if {
	some i, pod in input.kubernetes.pods
	pod.manager == "ti-one"
	name := sprintf("%s/%s", [pod.namespace, pod.name])
}

fail contains contradiction(g, group, sprintf("the export of resource group %s lists it as %s", [group, c.note]), c.evidence) if {
	input.launch.manifest.tione.registered == false
	some c in claims.registered
	some g in input.nvml.gpus
	g.uuid == c.gpu
}

fail contains contradiction(g, "of these pods", sprintf("TI-ONE runs pods on it: %s", [party.listed(object.keys(tione_pods), ", ")]), array.slice(sort([at | some _, at in tione_pods]), 0, 2 * party.most)) if {
	input.launch.manifest.tione.registered == false
	count(tione_pods) > 0
	some g in input.nvml.gpus
}

contradiction(g, name, proof, evidence) := {
	"subject": subject.gpu(g),
	"message": "contradicted",
	"args": {"gpu": subject.gpu(g).name, "group": name, "proof": proof},
	"evidence": array.concat([word.tione_pointer], evidence),
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "whose",
	"args": {"gpu": subject.gpu(g).name, "node": node, "group": group},
	"evidence": c.evidence,
} if {
	cluster.manager == "kubernetes"
	some c in claims.registered
	some g in input.nvml.gpus
	g.uuid == c.gpu
	g.uuid in offered
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "unplaced",
	"args": {"gpu": subject.gpu(g).name, "node": node, "group": group},
	"evidence": array.concat(["/kubernetes/node/allocatable"], c.evidence),
} if {
	count(cluster.unplaced) > 0
	some c in claims.registered
	some g in input.nvml.gpus
	g.uuid == c.gpu
	not g.uuid in offered
}

unknown contains {"subject": subject.gpu(g), "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if {
	not input.kubernetes.node
	index.status("kubernetes") != "absent"
	some g in input.nvml.gpus
}

unknown contains {"subject": subject.gpu(g), "message": "exportless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.resourceGroup
	some g in input.nvml.gpus
}

# A paged export proves nothing about nodes it does not list.
unknown contains {
	"subject": subject.gpu(g),
	"message": "paged",
	"args": {"group": group, "listed": count(input.tione.resourceGroup.instances), "total": input.tione.resourceGroup.totalCount},
	"evidence": ["/tione/resourceGroup/totalCount"],
} if {
	input.tione.resourceGroup.totalCount > count(input.tione.resourceGroup.instances)
	count(claims.registered) == 0
	some g in input.nvml.gpus
}
