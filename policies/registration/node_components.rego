# METADATA
# title: The node's components are healthy
# description: >-
#   Device plugin, CNI, kube-proxy and the monitoring agent run on the node as pods; each is ready and does not start over
#   and over. A device plugin must be there. The others may be replaced (a CNI without kube-proxy, an agent that is a
#   systemd unit), so that none seen is not proven wrong.
# schemas:
#   - input: schema.facts
# custom:
#   id: REG008
#   severity: error
#   requires: [host.name, kubernetes, launch.manifest]
#   covers: [S8]
#   remediation: >-
#     Look why {component} does not run on node {node}: kubectl get pods -A --field-selector spec.nodeName={node}, then
#     kubectl describe and kubectl logs of the pod.
#   messages:
#     unready: "{component} on node {node} is not healthy: {pod} {why}"
#     missing: "node {node} has no pod of the {component}"
#     unseen: "no pod of the {component} was seen on node {node}; whether something else does its work is not known"
#     untold: "whether {pod} on node {node} is ready is not known"
#     nodeless: "which node of the cluster this server is could not be told"
#   ko:
#     title: "노드의 구성 요소가 정상이다"
#     description: >-
#       장치 플러그인, CNI, kube-proxy, 모니터링 에이전트는 노드에서 Pod로 실행됩니다. 각각 준비되어 있고 거듭 다시
#       시작하지 않아야 합니다. 장치 플러그인은 반드시 있어야 합니다. 나머지는 다른 것으로 대체될 수
#       있으므로(kube-proxy 없는 CNI, systemd 유닛인 에이전트), 보이지 않는다고 해서 잘못이 증명되지는 않습니다.
#     remediation: >-
#       {component}이(가) 노드 {node}에서 왜 실행되지 않는지 살펴보십시오: kubectl get pods -A --field-selector
#       spec.nodeName={node}, 그다음 그 Pod의 kubectl describe와 kubectl logs.
#     messages:
#       unready: "노드 {node}의 {component}이(가) 정상이 아닙니다: {pod} {why}"
#       missing: "노드 {node}에 {component}의 Pod가 없습니다"
#       unseen: "노드 {node}에서 {component}의 Pod가 보이지 않습니다. 다른 것이 그 일을 하는지 알 수 없습니다"
#       untold: "노드 {node}의 {pod}이(가) 준비되었는지 알 수 없습니다"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
package gpugate.rules.registration.node_components

import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

node := input.kubernetes.node

components := {"device-plugin": "NVIDIA device plugin", "cni": "CNI", "kube-proxy": "kube-proxy", "monitoring": "monitoring agent"}

about(role) := {"kind": "component", "id": sprintf("%s/%s", [node.name, role]), "name": sprintf("%s on %s", [components[role], node.name])}

subjects contains about(role) if some role, _ in components

subjects contains subject.host if not node

applicable := false if {
	not node
	registration.no_node
}

applicable := false if {
	not node
	index.absent("kubernetes")
}

say(role, message, extra, evidence) := {
	"subject": about(role),
	"message": message,
	"args": object.union({"node": node.name, "component": components[role]}, extra),
	"evidence": evidence,
}

named(p) := sprintf("%s/%s", [p.namespace, p.name])

# pods are those of a component that are not done with.
pods[role] contains {"at": sprintf("/kubernetes/pods/%d", [i]), "pod": p} if {
	some i, p in input.kubernetes.pods
	role := p.role
	components[role]
	not object.get(p, "phase", "") == "Succeeded"
	not p.deletionAt
}

fail contains say(role, "unready", {"pod": named(found.pod), "why": why}, [found.at]) if {
	some role, all in pods
	some found in all
	some why in faults(found.pod)
}

faults(p) := ({"has failed" | p.phase == "Failed"} | {"is not ready" |
	p.ready == false
	object.get(p, "phase", "") != "Failed"
}) | {sprintf("starts over and over: %s, %d restarts", [c.reason, c.restartCount]) |
	some c in p.containers
	c.state == "waiting"
	c.reason in {"CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull", "CreateContainerConfigError", "RunContainerError"}
}

fail contains say("device-plugin", "missing", {}, ["/kubernetes/pods"]) if {
	node
	not pods["device-plugin"]
	index.complete("kubernetes.pods")
}

unknown contains say(role, "unseen", {}, ["/kubernetes/pods"]) if {
	some role, _ in components
	node
	not pods[role]
}

unknown contains say(role, "untold", {"pod": named(found.pod)}, [found.at]) if {
	some role, all in pods
	some found in all
	not told(found.pod)
}

told(p) if p.ready in {true, false}

unknown contains {"subject": subject.host, "message": "nodeless", "args": {}, "evidence": ["/kubernetes"]} if not node
