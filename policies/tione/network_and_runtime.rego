# METADATA
# title: The group's network reaches the server, and its runtime is supported
# description: >-
#   VPC and subnet of the group must reach the server's SSH and management ports, and beyond the distribution's
#   name the kernel, driver and container runtime must be ones that TI-ONE supports. Only people can state this:
#   the launch manifest holds an attestation with who, when, until when, and evidence (a file beside it or a
#   URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO007
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T2]
#   remediation: >-
#     Try the SSH and management ports from the group's subnet, and compare kernel, driver and runtime with the
#     supported list. Then record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that the network reaches the server and its runtime is supported ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that the network reaches the server and its runtime is supported ({control}): {why}"
#     doubt: "whether the evidence of that the network reaches the server and its runtime is supported ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that the network reaches the server and its runtime is supported ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that the network reaches the server and its runtime is supported ({control})"
#   ko:
#     title: "그룹의 네트워크가 서버에 도달하고 런타임이 지원된다"
#     description: >-
#       그룹의 VPC와 서브넷은 서버의 SSH 포트와 관리 포트에 도달해야 하며, 배포판 이름 외에도 커널, 드라이버, 컨테이너
#       런타임이 TI-ONE이 지원하는 것이어야 합니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를
#       둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       그룹의 서브넷에서 SSH 포트와 관리 포트에 접속해 보고, 커널, 드라이버, 런타임을 지원 목록과 비교하십시오. 그런
#       다음 런치 매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "서버까지의 네트워크 도달과 런타임 지원에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 서버까지의 네트워크 도달과 런타임 지원에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "서버까지의 네트워크 도달과 런타임 지원에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "서버까지의 네트워크 도달과 런타임 지원에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 서버까지의 네트워크 도달과 런타임 지원({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.tione.network_and_runtime

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T2"

subjects contains subject.manifest(control)

applicable := false if registration.no_member

fail contains f if {
	index.complete("launch.manifest.tione")
	not registration.no_member
	some f in attestation.failing(control)
}

unknown contains u if {
	not registration.no_member
	some u in attestation.doubted(control)
}

assumed contains w if some w in attestation.assumed(control)
