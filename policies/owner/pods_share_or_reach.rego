# METADATA
# title: Pods use the GPUs they were given
# description: >-
#   Where NVIDIA's runtime is the default, a pod without a GPU limit whose image sets
#   NVIDIA_VISIBLE_DEVICES=all reaches every card of the node, and so does a privileged
#   one: the scheduler counted nothing. Two pods on one card are by design only where the
#   cluster shares cards (time-slicing, MPS, MIG, qGPU).
# related_resources:
#   - ref: https://github.com/NVIDIA/k8s-device-plugin#running-gpu-jobs
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN012
#   severity: warning
#   securitySeverity: "5.5"
#   requires: [nvml.gpus, nvml.processes, host.processes, kubernetes.node, kubernetes.pods, kubernetes.kubelet.registered]
#   covers: [O1, O7]
#   remediation: >-
#     Give {pods} GPUs through a limit (nvidia.com/gpu), or NVIDIA_VISIBLE_DEVICES=void where none is
#     needed; where cards are meant to be shared, configure time-slicing in the device plugin.
#   messages:
#     reach: "pod {pods} can reach the node's GPUs without a limit ({via}): the scheduler does not count it"
#     phaseless: "pod {pods} can reach the node's GPUs without a limit ({via}); whether it has ended is not known"
#     beside: "{gpu} is used by {pods}; whether these share it is not known"
#     shared: "{gpu} is used by {pods}, and nothing says that the cluster shares cards"
#   ko:
#     title: "Pod는 주어진 GPU를 쓴다"
#     description: >-
#       NVIDIA 런타임이 기본인 곳에서는 GPU limit이 없어도 NVIDIA_VISIBLE_DEVICES=all을 설정한 이미지의 Pod가 노드의
#       모든 카드에 접근하며, 특권 Pod도 마찬가지입니다. 스케줄러는 이를 세지 않습니다. 한 카드에 두 Pod가 있는 것은
#       클러스터가 카드를 공유할 때(time-slicing, MPS, MIG, qGPU)만 의도된 것입니다.
#     remediation: >-
#       {pods}에 limit(nvidia.com/gpu)으로 GPU를 주거나, GPU가 필요 없으면 NVIDIA_VISIBLE_DEVICES=void를 설정하십시오.
#       카드를 공유하려는 것이라면 장치 플러그인에 time-slicing을 설정하십시오.
#     messages:
#       reach: "Pod {pods}은(는) limit 없이 노드의 GPU에 접근할 수 있습니다({via}). 스케줄러는 이를 세지 않습니다"
#       phaseless: "Pod {pods}은(는) limit 없이 노드의 GPU에 접근할 수 있습니다({via}). 이미 끝났는지 알 수 없습니다"
#       beside: "{gpu}을(를) {pods}이(가) 쓰고 있습니다. 이들이 GPU를 공유하는지 알 수 없습니다"
#       shared: "{gpu}을(를) {pods}이(가) 함께 쓰고 있으나, 클러스터가 카드를 공유한다는 근거가 없습니다"
package gpugate.rules.owner.pods_share_or_reach

import data.gpugate.lib.claims
import data.gpugate.lib.cluster
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject

pod_name(p) := sprintf("%s/%s", [p.namespace, p.name])

subjects contains subject.pod(p) if some p in input.kubernetes.pods

subjects contains subject.gpu(g) if {
	some g in input.nvml.gpus
	sharing[g.uuid]
}

subjects contains subject.gpu(g) if {
	some g in input.nvml.gpus
	beside[g.uuid]
}

applicable := false if {
	count(input.kubernetes.pods) == 0
	count(sharing) == 0
	count(beside) == 0
}

# reaching are the selections that no limit stands for. Device plugins, monitors and
# the network see devices by their nature.
reaching contains {"pod": p, "via": s.via, "at": sprintf("/kubernetes/pods/%d/containers/%d/gpus/%d", [i, j, k])} if {
	some i, p in input.kubernetes.pods
	p.role == "workload"
	index.whole("kubernetes.pods", p.uid)
	some j, c in p.containers
	some k, s in c.gpus
	selection.counts(s)
	uncounted(s, c)
}

reach(r, message) := {"subject": subject.pod(r.pod), "message": message, "args": {"pods": pod_name(r.pod), "via": r.via}, "evidence": [r.at]}

fail contains reach(r, "reach") if {
	some r in reaching
	r.pod.phase
	not r.pod.phase in {"Succeeded", "Failed"}
}

unknown contains reach(r, "phaseless") if {
	some r in reaching
	not r.pod.phase
}

uncounted(s, c) if {
	not s.via in {"resourceLimit", "cudaVisibleDevices", "privileged"}
	not limited(c)
}

# A privileged container reaches more than its limit. Those without any GPU are
# the cluster's own helpers, which open devices of all kinds.
uncounted(s, c) if {
	s.via == "privileged"
	limited(c)
}

limited(c) if {
	some l in c.limits
	l.quantity > 0
}

# sharing are the pods that meet on a card.
sharing[uuid] contains c if {
	not cluster_shares
	some c in claims.running
	c.manager in party.cluster
	of_pod(c)
	count(near(c.gpu, c.manager, c.slice)) > 1
	uuid := c.gpu
}

# near are the ids of the pods of one party on the same hardware.
near(uuid, manager, slice) := {id |
	some [m, other, true], ids in ids_of[uuid]
	m == manager
	selection.overlap(slice, other)
	some id in ids
}

# ids_of are the ids of those that run on each card, by what decides whether they
# meet: claims are compared with these few kinds, not with each other.
ids_of[c.gpu][kind(c)] contains c.id if some c in claims.running

kind(c) := [c.manager, c.slice, of_pod(c)]

of_pod(c) := startswith(c.id, "pod:")

# beside are processes of which it is not known whether they are of one pod, or on
# one MIG instance.
beside[uuid] contains c if {
	not cluster_shares
	some c in claims.running
	some other, ids in ids_of[c.gpu]
	doubtful(kind(c), other)
	another(ids, c.id)
	uuid := c.gpu
}

doubtful(a, b) if beside_a_pod(a, b)

doubtful(a, b) if beside_a_pod(b, a)

# beside_a_pod holds if the second is a cluster's, and the first may be in its way.
beside_a_pod([manager, slice, pod], [of_cluster, other, _]) if {
	of_cluster in party.cluster
	manager in {of_cluster, "unknown"}
	unsure(pod, slice, other)
}

unsure(_, a, b) if selection.may_overlap(a, b)

unsure(false, a, b) if selection.overlap(a, b)

# another holds if there is an id beside the one.
another(ids, _) if count(ids) > 1

another(ids, id) if not id in ids

cluster_shares if cluster.shares

# qGPU and gpu-manager share by nature.
cluster_shares if {
	some r in cluster.offered
	r.resource != "nvidia.com/gpu"
}

fail contains {
	"subject": subject.gpu(g),
	"message": "shared",
	"args": {"gpu": subject.gpu(g).name, "pods": party.listed({c.claimant | some c in all}, ", ")},
	"evidence": party.evidence(all),
} if {
	some g in input.nvml.gpus
	all := sharing[g.uuid]
	index.complete("kubernetes.node")
	index.complete("kubernetes.kubelet.registered")
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "beside",
	"args": {"gpu": subject.gpu(g).name, "pods": party.listed({c.claimant | some c in all}, ", ")},
	"evidence": party.evidence(all),
} if {
	some g in input.nvml.gpus
	all := beside[g.uuid]
}
