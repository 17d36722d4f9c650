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
#   ko:
#     title: "클러스터가 아는 운영체제가 서버의 운영체제와 같다"
#     description: >-
#       클러스터의 노드 기록은 서버가 실제로 실행하는 시스템을 가리켜야 합니다. 둘 다 Linux라도 Ubuntu와 TencentOS를,
#       또는 한 배포판의 서로 다른 릴리스를 섞어 쓸 수 없습니다. 같은 Ubuntu LTS의 포인트 릴리스는 같은 것으로 봅니다.
#     remediation: >-
#       이미지가 {host}인 노드 풀에 서버를 다시 등록하거나, 서버를 {cluster} 이미지로 다시 설치하십시오. 둘이 같아질
#       때까지 노드 {node}에서 작업을 실행하지 마십시오.
#     messages:
#       different: "노드 {node}의 기록은 {cluster}이지만 서버가 실행하는 것은 {host}입니다"
#       untold: "서버 자신이 무엇을 실행하는지 알 수 없습니다"
#       nameless: "노드 {node}에 운영체제가 적혀 있지 않습니다"
#       unrecognised: "노드 {node}의 운영체제 {image}은(는) 알아볼 수 없는 값입니다"
#       nodeless: "이 서버가 클러스터의 어느 노드인지 알 수 없습니다"
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
