# METADATA
# title: Nothing is left of a former cluster
# description: >-
#   A server that belonged to a cluster before keeps kubelet state, iptables chains, CNI configuration and interfaces.
#   They break the next registration, or the network of what runs. On a node of a cluster they belong there.
# schemas:
#   - input: schema.facts
# custom:
#   id: REG006
#   severity: error
#   requires: [host.name, host.residue, kubernetes]
#   covers: [S6, O4]
#   remediation: >-
#     Make sure that nothing on {host} uses {paths} any more and remove it before the server is registered (iptables chains
#     with iptables -F and -X, interfaces with ip link delete). The clear of the initialisation script removes container
#     runtimes too: not on a server that serves.
#   messages:
#     left: "{host} is no node of a cluster, but holds what one left behind ({kind}): {paths}"
#     whose: "{host} holds what a cluster leaves behind ({kind}: {paths}); whether it is a node of one now could not be told"
#   ko:
#     title: "이전 클러스터의 잔여물이 없다"
#     description: >-
#       이전에 클러스터에 속했던 서버에는 kubelet 상태, iptables 체인, CNI 설정과 인터페이스가 남습니다. 이는 다음
#       등록이나 실행 중인 것의 네트워크를 망가뜨립니다. 클러스터의 노드라면 있어야 할 것들입니다.
#     remediation: >-
#       {host}에서 {paths}을(를) 더는 아무것도 쓰지 않는지 확인하고 서버를 등록하기 전에 제거하십시오(iptables 체인은
#       iptables -F와 -X, 인터페이스는 ip link delete). 초기화 스크립트의 clear는 컨테이너 런타임도 제거하므로 서비스
#       중인 서버에서는 쓰지 마십시오.
#     messages:
#       left: "{host}은(는) 클러스터의 노드가 아닌데 이전 클러스터의 잔여물({kind})이 있습니다: {paths}"
#       whose: "{host}에 클러스터가 남기는 것({kind}: {paths})이 있습니다. 지금 클러스터의 노드인지 알 수 없습니다"
package gpugate.rules.registration.residue

import data.gpugate.lib.index
import data.gpugate.lib.subject

subjects contains subject.host

# What lies on a node belongs to its cluster.
applicable := false if input.kubernetes.node

kinds := {
	"kubeletState": "kubelet state",
	"kubernetesConfig": "cluster configuration",
	"cni": "CNI configuration",
	"iptables": "iptables chains",
	"interface": "network interfaces",
}

say(message, kind, paths) := {
	"subject": subject.host,
	"message": message,
	"args": {"host": subject.host.name, "kind": kinds[kind], "paths": concat(", ", sort(paths))},
	"evidence": ["/host/residue"],
}

# left is what is there, by kind.
left[r.kind] contains r.path if some r in input.host.residue

fail contains say("left", kind, paths) if {
	index.absent("kubernetes")
	some kind, paths in left
}

unknown contains say("whose", kind, paths) if {
	not index.absent("kubernetes")
	not input.kubernetes.node
	some kind, paths in left
}
