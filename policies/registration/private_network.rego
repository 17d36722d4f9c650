# METADATA
# title: The cluster and the server share a private network
# description: >-
#   The server lies in the cluster's VPC or in a network that is routed to it, and reaches the management
#   endpoint, the image registry and the other nodes. Only people can state this: the launch manifest holds an
#   attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: REG003
#   severity: error
#   requires: [kubernetes, launch.manifest, launch.evidence]
#   covers: [S3]
#   remediation: >-
#     From the server, reach the cluster's endpoint, the image registry and another node, and keep what was
#     printed. Then record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the private network ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the private network ({control}): {why}"
#     doubt: "whether the evidence of the private network ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the private network ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the private network ({control})"
#   ko:
#     title: "클러스터와 서버가 사설 네트워크를 공유한다"
#     description: >-
#       서버는 클러스터의 VPC 안에 있거나 그곳으로 라우팅되는 네트워크에 있으며, 관리 엔드포인트와 이미지 저장소, 다른
#       노드에 도달합니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제,
#       언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       서버에서 클러스터의 엔드포인트, 이미지 저장소, 다른 노드에 접속해 보고 출력된 내용을 보관하십시오. 그런 다음
#       런치 매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "사설 네트워크에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 사설 네트워크에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "사설 네트워크에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "사설 네트워크에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 사설 네트워크({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.registration.private_network

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "S3"

subjects contains subject.manifest(control)

applicable := false if registration.no_node

fail contains f if {
	index.complete("launch.manifest.tke")
	not registration.no_node
	some f in attestation.failing(control)
}

unknown contains u if {
	not registration.no_node
	some u in attestation.doubted(control)
}

assumed contains w if some w in attestation.assumed(control)
