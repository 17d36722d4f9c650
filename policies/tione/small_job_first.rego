# METADATA
# title: Workspace, quota and policy are set, and a small job ran first
# description: >-
#   Before real work, workspace, quota and scheduling policy are set and one small job has run to its end in the
#   group. Only people can state this: the launch manifest holds an attestation with who, when, until when, and
#   evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO009
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [T7]
#   remediation: >-
#     Set workspace, quota and scheduling policy, run one small job and keep its log. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that workspace, quota and policy are set and a small job ran ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that workspace, quota and policy are set and a small job ran ({control}): {why}"
#     doubt: "whether the evidence of that workspace, quota and policy are set and a small job ran ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that workspace, quota and policy are set and a small job ran ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that workspace, quota and policy are set and a small job ran ({control})"
#   ko:
#     title: "작업 공간, 할당량, 정책을 설정하고 작은 작업을 먼저 실행했다"
#     description: >-
#       실제 작업 전에 작업 공간, 할당량, 스케줄링 정책을 설정하고 작은 작업 하나를 그룹에서 끝까지 실행합니다.
#       사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지
#       확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       작업 공간, 할당량, 스케줄링 정책을 설정하고 작은 작업 하나를 실행한 뒤 그 로그를 보관하십시오. 그런 다음 런치
#       매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "작업 공간, 할당량, 정책 설정과 작은 작업의 선행 실행에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 작업 공간, 할당량, 정책 설정과 작은 작업의 선행 실행에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "작업 공간, 할당량, 정책 설정과 작은 작업의 선행 실행에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "작업 공간, 할당량, 정책 설정과 작은 작업의 선행 실행에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 작업 공간, 할당량, 정책 설정과 작은 작업의 선행 실행({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.tione.small_job_first

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

control := "T7"

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
