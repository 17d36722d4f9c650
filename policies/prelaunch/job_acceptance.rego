# METADATA
# title: A generation request is accepted once, and job ids are kept
# description: >-
#   A client that times out sends its POST again. Without an idempotency key the same video is generated twice,
#   and without a kept job id nobody finds the first one. A server that accepts no jobs says so. Only people can
#   state this: the launch manifest holds an attestation with who, when, until when, and evidence (a file beside
#   it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE006
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L6, D5]
#   remediation: >-
#     Let a repeated POST return the first job, and keep job ids longer than results. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that a job is accepted once ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that a job is accepted once ({control}): {why}"
#     doubt: "whether the evidence of that a job is accepted once ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that a job is accepted once ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that a job is accepted once ({control})"
#   ko:
#     title: "생성 요청은 한 번만 받고 작업 id를 보관한다"
#     description: >-
#       시간이 초과된 클라이언트는 POST를 다시 보냅니다. 멱등 키가 없으면 같은 영상을 두 번 만들고, 작업 id를 보관하지
#       않으면 아무도 첫 결과를 찾지 못합니다. 작업을 받지 않는 서버는 그렇다고 적습니다. 사람만이 말할 수 있는
#       사실이므로 런치 매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트
#       옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       반복된 POST가 첫 작업을 돌려주게 하고 작업 id를 결과보다 오래 보관하십시오. 그런 다음 런치 매니페스트에
#       {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "작업의 중복 접수 방지에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 작업의 중복 접수 방지에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "작업의 중복 접수 방지에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "작업의 중복 접수 방지에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 작업의 중복 접수 방지({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.job_acceptance

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L6"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
