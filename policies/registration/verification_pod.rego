# METADATA
# title: A verification Pod with a GPU limit reached the device
# description: >-
#   A small Pod with a limit of one GPU was placed on this node and printed the card (nvidia-smi -L): that the
#   node offers GPUs does not show that a Pod can use one. Only people can state this: the launch manifest holds
#   an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: REG009
#   severity: error
#   requires: [kubernetes, launch.manifest, launch.evidence]
#   covers: [S9]
#   remediation: >-
#     Run a Pod with a limit of nvidia.com/gpu: 1 on this node that prints nvidia-smi -L, and keep its log. Then
#     record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that a verification Pod reached the GPU ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that a verification Pod reached the GPU ({control}): {why}"
#     doubt: "whether the evidence of that a verification Pod reached the GPU ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that a verification Pod reached the GPU ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that a verification Pod reached the GPU ({control})"
#   ko:
#     title: "GPU limit을 가진 검증 Pod가 장치에 도달했다"
#     description: >-
#       GPU 하나의 limit을 가진 작은 Pod를 이 노드에 배치해 카드를 출력했습니다(nvidia-smi -L). 노드가 GPU를
#       제공한다는 것만으로는 Pod가 이를 쓸 수 있음을 보여 주지 못합니다. 사람만이 말할 수 있는 사실이므로 런치
#       매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는
#       URL)이 있어야 합니다.
#     remediation: >-
#       이 노드에서 nvidia.com/gpu: 1 limit으로 nvidia-smi -L을 출력하는 Pod를 실행하고 그 로그를 보관하십시오. 그런
#       다음 런치 매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "검증 Pod의 GPU 접근에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 검증 Pod의 GPU 접근에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "검증 Pod의 GPU 접근에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "검증 Pod의 GPU 접근에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 검증 Pod의 GPU 접근({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.registration.verification_pod

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "S9"

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
