# METADATA
# title: The pods that run are those recorded
# description: >-
#   Of each service in Kubernetes the launch manifest records image digest and
#   arguments. Every pod of the workload on this node must match.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE014
#   severity: error
#   requires: [kubernetes.pods, launch.manifest]
#   covers: [L1]
#   remediation: >-
#     Roll workload {workload} of service {service} back to what is recorded
#     (kubectl rollout history and undo), or record what runs now after reviewing it.
#   messages:
#     missing: "service {service} is recorded as workload {workload}, of which no pod is on this node"
#     image: "pod {pod} of service {service} runs image {running}, not the recorded {recorded}"
#     args: "pod {pod} of service {service} has other arguments than recorded: {drift}"
#     unfound: "whether a pod of workload {workload} (service {service}) is on this node is not known"
#     container: "workload {workload} of service {service} has several containers; runtime.kubernetes.container would tell which is meant"
#     unidentified: "the digest of the image that pod {pod} of service {service} runs is not known"
#     unrecorded: "service {service} has no {what} recorded to compare its pods with"
#   ko:
#     title: "실행 중인 Pod가 기록과 같다"
#     description: >-
#       런치 매니페스트는 Kubernetes의 각 서비스에 대해 이미지 다이제스트와 인자를 기록합니다. 이 노드에 있는
#       워크로드의 모든 Pod가 이와 같아야 합니다.
#     remediation: >-
#       서비스 {service}의 워크로드 {workload}을(를) 기록된 것으로 되돌리거나(kubectl rollout history와 undo), 지금
#       실행 중인 것을 검토한 뒤 기록하십시오.
#     messages:
#       missing: "서비스 {service}은(는) 워크로드 {workload}(으)로 기록되어 있으나 이 노드에 그 Pod가 없습니다"
#       image: "서비스 {service}의 Pod {pod}은(는) 기록된 {recorded}이(가) 아니라 이미지 {running}을(를) 실행합니다"
#       args: "서비스 {service}의 Pod {pod}의 인자가 기록과 다릅니다: {drift}"
#       unfound: "워크로드 {workload}(서비스 {service})의 Pod가 이 노드에 있는지 알 수 없습니다"
#       container: "서비스 {service}의 워크로드 {workload}에는 컨테이너가 여럿 있습니다. 어느 것인지는 runtime.kubernetes.container로 정합니다"
#       unidentified: "서비스 {service}의 Pod {pod}이(가) 실행하는 이미지의 다이제스트를 알 수 없습니다"
#       unrecorded: "서비스 {service}에 Pod와 비교할 {what}이(가) 기록되어 있지 않습니다"
package gpugate.rules.prelaunch.pod_matches_record

import data.gpugate.lib.index
import data.gpugate.lib.record
import data.gpugate.lib.subject

recorded := [r | some r in record.services; r.service.runtime.kubernetes]

subjects contains subject.service(r.service) if some r in recorded

applicable := false if {
	input.launch.manifest
	count(recorded) == 0
}

# belongs holds if a pod is of the workload: by its own name, its controller, or the
# deployment that its ReplicaSet is named after.
belongs(p, k) if {
	p.namespace == k.namespace
	some name in {p.name, object.get(p, "ownerName", "")}
	name == k.workload
}

belongs(p, k) if {
	p.namespace == k.namespace
	p.ownerKind == "ReplicaSet"
	regex.replace(p.ownerName, `-[a-z0-9]+$`, "") == k.workload
}

live(p) if not object.get(p, "phase", "") in {"Succeeded", "Failed"}

matched := [{"record": r, "at": sprintf("/kubernetes/pods/%d", [i]), "pod": p} |
	some r in recorded
	some i, p in input.kubernetes.pods
	belongs(p, r.service.runtime.kubernetes)
	live(p)
]

# meant are the containers of a pod that the record means.
meant(m) := [c |
	some c in m.pod.containers
	not c.init
	c.name == object.get(m.record.service.runtime.kubernetes, "container", c.name)
]

workload(r) := sprintf("%s/%s", [r.service.runtime.kubernetes.namespace, r.service.runtime.kubernetes.workload])

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "workload": workload(r)}, extra),
	"evidence": evidence,
}

named(m) := {"pod": sprintf("%s/%s", [m.pod.namespace, m.pod.name])}

there(r) if {
	some m in matched
	m.record.at == r.at
}

fail contains say(r, "missing", {}, [sprintf("%s/runtime/kubernetes", [r.pointer])]) if {
	some r in recorded
	not there(r)
	index.complete("kubernetes.pods")
	index.complete("launch.manifest.services")
}

running_digest(c) := lower(split(c.imageId, "sha256:")[1]) if contains(c.imageId, "sha256:")

fail contains say(m.record, "image", object.union(named(m), {"running": c.imageId, "recorded": m.record.service.image}), [sprintf("%s/image", [m.record.pointer]), m.at]) if {
	some m in matched
	count(meant(m)) == 1
	some c in meant(m)
	want := record.digest(m.record.service)
	want != ""
	running_digest(c) != want
	index.complete("kubernetes.pods")
	index.complete("launch.manifest.services")
}

fail contains say(m.record, "args", object.union(named(m), {"drift": drift}), [sprintf("%s/args", [m.record.pointer]), m.at]) if {
	some m in matched
	count(meant(m)) == 1
	some c in meant(m)
	drift := record.drift(m.record.service.args, c.args)
	drift != ""
	index.complete("kubernetes.pods")
	index.complete("launch.manifest.services")
}

unknown contains say(r, "unfound", {}, [sprintf("%s/runtime/kubernetes", [r.pointer])]) if {
	some r in recorded
	not there(r)
}

unknown contains say(m.record, "container", {}, [m.at]) if {
	some m in matched
	count(meant(m)) != 1
}

unknown contains say(m.record, "unidentified", named(m), [m.at]) if {
	some m in matched
	some c in meant(m)
	not running_digest(c)
}

unknown contains say(r, "unrecorded", {"what": "image digest"}, [r.pointer]) if {
	some r in recorded
	record.digest(r.service) == ""
}

unknown contains say(r, "unrecorded", {"what": "arguments"}, [r.pointer]) if {
	some r in recorded
	not r.service.args
}
