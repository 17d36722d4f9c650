# METADATA
# title: The cluster may not allocate a GPU that another party holds
# description: >-
#   A Ready node whose allocatable GPU resources are above zero claims the GPUs
#   its device plugin registered, even with no pod running. The scheduler knows
#   nothing of what systemd, Docker or TI-ONE do on them and will place pods there.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN002
#   severity: error
#   requires:
#     - nvml.gpus
#     - nvml.processes
#     - host.processes
#     - docker.daemons
#     - systemd.units
#     - kubernetes.node
#     - kubernetes.pods
#     - kubernetes.kubelet.registered
#     - launch.manifest.tke.registered
#   covers: [O1, L11]
#   remediation: >-
#     Keep one of the two: stop what runs outside the cluster on {gpu} ({stop}), or
#     take the GPUs out of the cluster (kubectl label node {node} nvidia-device-enable=disable --overwrite).
#   messages:
#     conflict: "{gpu} is held by {holders} while node {node} may allocate it to pods ({resources})"
#     unplaced: "{gpu} is held by {holders}; node {node} offers {resources}, and on which GPUs is not known"
#     readiness: "{gpu} is held by {holders}; whether node {node} is Ready and may allocate it is not known"
#     instance: "{gpu} is cut into MIG instances; whether {holders} and node {node} mean the same ones is not known"
#     undetermined: "{gpu} may be allocated by node {node}, and {holder} uses it, of which it is not known which party manages it"
#     undecided: "node {node} may allocate {gpu}; whether {claimant} uses it cannot be told: {why}"
#     nodeless: "which node of the cluster this server is could not be told"
#     word: "the launch manifest says that this server is no TKE node; no cluster was asked"
#   ko:
#     title: "다른 주체가 점유한 GPU를 클러스터가 할당할 수 없다"
#     description: >-
#       allocatable GPU 자원이 0보다 큰 Ready 노드는 실행 중인 Pod가 없어도 장치 플러그인이 등록한 GPU를 차지합니다.
#       스케줄러는 systemd, Docker, TI-ONE이 그 위에서 무엇을 하는지 모른 채 Pod를 배치합니다.
#     remediation: >-
#       둘 가운데 하나만 남기십시오. {gpu}에서 클러스터 밖의 작업을 멈추거나({stop}), GPU를 클러스터에서
#       빼십시오(kubectl label node {node} nvidia-device-enable=disable --overwrite).
#     messages:
#       conflict: "{gpu}의 점유자는 {holders}인데, 노드 {node}이(가) 이를 Pod에 할당할 수 있습니다({resources})"
#       unplaced: "{gpu}의 점유자는 {holders}입니다. 노드 {node}이(가) {resources}을(를) 제공하지만 어느 GPU인지 알 수 없습니다"
#       readiness: "{gpu}의 점유자는 {holders}입니다. 노드 {node}이(가) Ready이고 이를 할당할 수 있는지 알 수 없습니다"
#       instance: "{gpu}은(는) MIG 인스턴스로 나뉘어 있습니다. {holders}와(과) 노드 {node}이(가) 같은 인스턴스를 뜻하는지 알 수 없습니다"
#       undetermined: "노드 {node}이(가) {gpu}을(를) 할당할 수 있고 {holder}이(가) 이를 쓰고 있으나, 그 관리 주체를 알 수 없습니다"
#       undecided: "노드 {node}이(가) {gpu}을(를) 할당할 수 있습니다. {claimant}이(가) 이를 쓰는지 판단할 수 없습니다: {why}"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
#       word: "런치 매니페스트는 이 서버가 TKE 노드가 아니라고 말합니다. 클러스터에는 묻지 않았습니다"
package gpugate.rules.owner.cluster_may_allocate

import data.gpugate.lib.claims
import data.gpugate.lib.cluster
import data.gpugate.lib.holders
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject
import data.gpugate.lib.word

subjects contains subject.gpu(g) if some g in input.nvml.gpus

# Where there is no card, none is allocated.
subjects contains subject.no_gpu if count(input.nvml.gpus) == 0

applicable := false if word.not_in_tke

assumed contains {"message": "word", "args": {}, "evidence": [word.tke_pointer]} if word.not_in_tke

node := input.kubernetes.node

# outside are the holders of a GPU that the cluster surely does not manage.
outside[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	party.distinct(c.manager, cluster.manager)
}

offered := concat(", ", sort([sprintf("%s: %d", [r.resource, r.quantity]) | some r in cluster.offered]))

claimed[uuid] contains c if {
	some c in claims.allocatable
	uuid := c.gpu
}

clashing[uuid] contains c if {
	some uuid, here in outside
	some c in here
	some claim in claimed[uuid]
	selection.overlap(c.slice, claim.slice)
}

fail contains {
	"subject": subject.gpu(g),
	"message": "conflict",
	"args": {
		"gpu": subject.gpu(g).name,
		"holders": party.names(clashing[g.uuid]),
		"stop": party.stops(clashing[g.uuid]),
		"node": node.name,
		"resources": offered,
	},
	"evidence": array.concat(["/kubernetes/node/allocatable"], party.evidence(clashing[g.uuid])),
} if {
	some g in input.nvml.gpus
	count(clashing[g.uuid]) > 0
}

# held describes the doubt about one GPU that somebody else holds.
held(g, message) := {
	"subject": subject.gpu(g),
	"message": message,
	"args": {"gpu": subject.gpu(g).name, "holders": party.names(outside[g.uuid]), "node": node.name, "resources": offered},
	"evidence": ["/kubernetes/node"],
}

unknown contains held(g, "unplaced") if {
	cluster.ready == "True"
	count(cluster.unplaced) > 0
	some g in input.nvml.gpus
	outside[g.uuid]
	not claimed[g.uuid]
}

unknown contains held(g, "readiness") if {
	node.name
	not cluster.ready in {"True", "False"}
	count(cluster.offered) > 0
	some g in input.nvml.gpus
	outside[g.uuid]
}

unknown contains held(g, "instance") if {
	some g in input.nvml.gpus
	some c in outside[g.uuid]
	some claim in claimed[g.uuid]
	selection.may_overlap(c.slice, claim.slice)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "holder": party.describe(c), "node": node.name},
	"evidence": c.evidence,
} if {
	some g in input.nvml.gpus
	claimed[g.uuid]
	some c in holders.of[g.uuid]
	not party.determined(c.manager)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undecided",
	"args": {"gpu": subject.gpu(g).name, "node": node.name, "claimant": party.describe(u), "why": u.why},
	"evidence": u.evidence,
} if {
	some g in input.nvml.gpus
	claimed[g.uuid]
	some u in claims.undecided
}

# A cluster that answers, but in which nothing is recognised as this host.
unknown contains {"subject": subject.gpu(g), "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if {
	not input.kubernetes.node
	index.status("kubernetes") != "absent"
	some g in input.nvml.gpus
}
