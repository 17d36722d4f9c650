# METADATA
# title: The account may create groups of external servers
# description: >-
#   A resource group of external servers is made by an account that may do so, with the source external server.
#   No export tells what an account may do. Only people can state this: the launch manifest holds an attestation
#   with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO006
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T1]
#   remediation: >-
#     Create the resource group with source external server, and keep the account's permission with it. Then
#     record it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that the account may create external-server groups ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that the account may create external-server groups ({control}): {why}"
#     doubt: "whether the evidence of that the account may create external-server groups ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that the account may create external-server groups ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that the account may create external-server groups ({control})"
#   ko:
#     title: "계정이 외부 서버 그룹을 만들 수 있다"
#     description: >-
#       외부 서버의 자원 그룹은 그럴 권한이 있는 계정이 소스를 외부 서버로 하여 만듭니다. 어떤 내보내기 자료도 계정이
#       무엇을 할 수 있는지 말해 주지 않습니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를 둡니다.
#       확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       소스를 외부 서버로 하여 자원 그룹을 만들고 계정의 권한을 함께 보관하십시오. 그런 다음 런치 매니페스트에
#       {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "계정의 외부 서버 그룹 생성 권한에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 계정의 외부 서버 그룹 생성 권한에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "계정의 외부 서버 그룹 생성 권한에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "계정의 외부 서버 그룹 생성 권한에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 계정의 외부 서버 그룹 생성 권한({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.tione.group_rights

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T1"

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
