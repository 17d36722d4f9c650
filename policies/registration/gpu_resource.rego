# METADATA
# title: The node is Ready and exposes every GPU
# description: >-
#   After registration the node must be Ready and its allocatable GPU resources
#   must equal the GPUs present. Ready without GPU resources points to the driver,
#   the container runtime or the device plugin; the finding says to which the facts
#   point. Time-slicing, MIG profiles and qGPU count differently by design. Capacity
#   says nothing: only allocatable counts healthy devices.
# related_resources:
#   - ref: https://github.com/NVIDIA/k8s-device-plugin
#   - ref: https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html
# schemas:
#   - input: schema.facts
# custom:
#   id: REG001
#   severity: error
#   requires:
#     - nvml.gpus
#     - host.pciGpus
#     - kubernetes.node
#     - kubernetes.pods
#     - kubernetes.daemonSets
#     - kubernetes.kubelet.registered
#   covers: [S7]
#   remediation: >-
#     Follow what the facts point to, most likely first: {causes}. Then look again
#     (kubectl describe node {node}).
#   messages:
#     notReady: "node {node} is not Ready: {status}"
#     none: "node {node} exposes no GPU resource although {proof}; the facts point to: {causes}"
#     fewer: "node {node} offers {offered} GPUs of {present}; the facts point to: {causes}"
#     more: "node {node} offers {offered} GPUs, but the server has {present}; the facts point to: {causes}"
#     leftovers: "node {node} offers whole GPUs although every card is cut into MIG instances that are offered too ({resources}): the kubelet keeps what an earlier layout registered"
#     instances: "node {node} offers {resources}, but the cards are cut into {instances} MIG instances; the facts point to: {causes}"
#     unready: "whether node {node} is Ready is not known"
#     uncounted: "node {node} offers {resources}; with how many GPUs to compare that is not known"
#     shared: "node {node} offers {offered} for {present} GPUs; time-slicing would explain it, but nothing confirms it"
#     hardware: "node {node} exposes no GPU resource; whether the server has a GPU is not known"
#     nodeless: "which node of the cluster this server is could not be told"
#   ko:
#     title: "노드가 Ready이고 모든 GPU를 노출한다"
#     description: >-
#       등록 후 노드는 Ready여야 하고 allocatable GPU 자원은 실제 GPU 수와 같아야 합니다. GPU 자원 없이 Ready라면
#       드라이버, 컨테이너 런타임 또는 장치 플러그인을 가리키며, 지적 사항은 사실이 그 가운데 무엇을 가리키는지
#       말합니다. time-slicing, MIG 프로필, qGPU는 의도적으로 다르게 셉니다. capacity는 아무것도 말해 주지 않으며,
#       정상 장치를 세는 것은 allocatable뿐입니다.
#     remediation: >-
#       사실이 가리키는 원인을 가능성이 큰 것부터 따라가십시오: {causes}. 그런 다음 다시 살펴보십시오(kubectl describe
#       node {node}).
#     messages:
#       notReady: "노드 {node}이(가) Ready가 아닙니다: {status}"
#       none: "노드 {node}이(가) GPU 자원을 노출하지 않습니다. 그러나 GPU가 있습니다({proof}). 사실이 가리키는 원인: {causes}"
#       fewer: "노드 {node}이(가) GPU {present}개 가운데 {offered}개만 제공합니다. 사실이 가리키는 원인: {causes}"
#       more: "노드 {node}이(가) GPU {offered}개를 제공하지만 서버에는 {present}개가 있습니다. 사실이 가리키는 원인: {causes}"
#       leftovers: "모든 카드가 MIG 인스턴스로 나뉘어 그것도 제공되는데({resources}) 노드 {node}이(가) 온전한 GPU를 제공합니다. kubelet이 이전 구성이 등록한 것을 간직하고 있습니다"
#       instances: "노드 {node}이(가) {resources}을(를) 제공하지만 카드는 MIG 인스턴스 {instances}개로 나뉘어 있습니다. 사실이 가리키는 원인: {causes}"
#       unready: "노드 {node}이(가) Ready인지 알 수 없습니다"
#       uncounted: "노드 {node}이(가) {resources}을(를) 제공합니다. 몇 개의 GPU와 비교해야 하는지 알 수 없습니다"
#       shared: "노드 {node}이(가) GPU {present}개에 대해 {offered}개를 제공합니다. time-slicing이라면 설명되지만 이를 확인해 주는 것이 없습니다"
#       hardware: "노드 {node}이(가) GPU 자원을 노출하지 않습니다. 서버에 GPU가 있는지 알 수 없습니다"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
package gpugate.rules.registration.gpu_resource

import data.gpugate.lib.cluster
import data.gpugate.lib.diagnosis
import data.gpugate.lib.index
import data.gpugate.lib.selection
import data.gpugate.lib.subject

node := input.kubernetes.node

self := subject.node(node)

subjects contains self

# No cluster, and that is known.
applicable := false if {
	not input.kubernetes.node
	index.absent("kubernetes")
}

# A server without a GPU has none to expose.
applicable := false if {
	count(input.nvml.gpus) == 0
	count(input.host.pciGpus) == 0
	count(cluster.mentioned) == 0
	not cluster.meant_for_gpus
}

present := count(input.nvml.gpus)

resources := concat(", ", sort([sprintf("%s: %d", [r.resource, r.quantity]) | some r in cluster.offered]))

# args of any finding here.
args := {
	"node": node.name,
	"status": ready_text,
	"offered": whole,
	"present": present,
	"resources": resources,
	"instances": instances,
	"causes": diagnosis.text,
	"proof": cluster.proof,
}

default ready_text := "it has no Ready condition"

ready_text := concat(", ", [t |
	some c in node.conditions
	c.type == "Ready"
	some t in [sprintf("Ready is %s", [c.status]), object.get(c, "reason", "")]
	t != ""
])

fail contains {"subject": self, "message": "notReady", "args": args, "evidence": ["/kubernetes/node/conditions"]} if {
	cluster.ready in {"False", "Unknown"}
}

unknown contains {"subject": self, "message": "unready", "args": {"node": node.name}, "evidence": ["/kubernetes/node/conditions"]} if {
	not cluster.ready in {"True", "False", "Unknown"}
}

# whole is how many whole GPUs the node offers, 0 if the resource is not there.
whole := sum([r.quantity | some r in cluster.offered; r.resource in {"nvidia.com/gpu", "nvidia.com/gpu.shared"}])

# Nothing at all is offered, and there should be something.
fail contains {"subject": self, "message": "none", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	node
	count(cluster.offered) == 0
	cluster.proof
	index.complete("kubernetes.node")
}

unknown contains {"subject": self, "message": "hardware", "args": {"node": node.name}, "evidence": ["/kubernetes/node/allocatable"]} if {
	count(cluster.offered) == 0
	not cluster.proof
}

# Cards that are cut are not whole: they count by their instances.
cut := {g.uuid | some g in input.nvml.gpus; selection.sliced(g)}

instances := sum([count(g.migDevices) | some g in input.nvml.gpus; g.uuid in cut])

uncut := present - count(cut)

profiles := {r | some r in cluster.offered; startswith(r.resource, "nvidia.com/mig-")}

# expected is how many whole GPUs should be offered: with the single strategy the
# instances of cut cards are counted as GPUs, with the mixed one they have
# resources of their own. Each is counted as often as time-slicing says.
expected := (uncut + instances) * cluster.replicas if {
	count(profiles) == 0
} else := uncut * cluster.replicas

# sized holds if whole GPUs are what this node offers, so that they can be counted.
sized if whole > 0

# counted holds if the number of GPUs present is known and not none.
counted if {
	present > 0
	index.complete("nvml.gpus")
}

fail contains {"subject": self, "message": "fewer", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	sized
	counted
	whole < expected
	index.complete("kubernetes.node")
}

fail contains {"subject": self, "message": "leftovers", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	sized
	counted
	uncut == 0
	count(profiles) > 0
}

# More than there are: explained by sharing if the amount is a multiple and
# anything says so, else not explained.
fail contains {"subject": self, "message": "more", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	sized
	counted
	expected > 0
	whole > expected
	not cluster.shares
	whole % expected != 0
	index.complete("kubernetes.node")
	index.complete("kubernetes.kubelet.registered")
}

# MIG instances are offered one by one, unless they are shared on top.
offered_instances := sum([r.quantity | some r in profiles])

fail contains {"subject": self, "message": "instances", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	count(profiles) > 0
	counted
	offered_instances != instances
	not cluster.shares
	index.complete("kubernetes.node")
	index.complete("kubernetes.kubelet.registered")
}

unknown contains {"subject": self, "message": "shared", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	sized
	counted
	expected > 0
	whole > expected
	not cluster.shares
}

unknown contains {"subject": self, "message": "uncounted", "args": args, "evidence": ["/kubernetes/node/allocatable"]} if {
	count(cluster.offered) > 0
	not counted
}

unknown contains {"subject": {"kind": "node", "id": "node", "name": "node"}, "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if {
	not input.kubernetes.node
	not index.absent("kubernetes")
}
