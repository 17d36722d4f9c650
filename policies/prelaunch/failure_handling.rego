# METADATA
# title: Failure, cancellation, timeout, 429 and 503 are handled
# description: >-
#   A model server is busy, loads for minutes and runs out of memory. Callers must get an answer they can act
#   on: failure, cancellation, timeout, 429 and 503 were each tried. Only people can state this: the launch
#   manifest holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE007
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L7, D5]
#   remediation: >-
#     Try failure, cancellation, timeout, 429 and 503 once each and write down what a caller sees. Then record
#     it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that failures are handled ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that failures are handled ({control}): {why}"
#     doubt: "whether the evidence of that failures are handled ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that failures are handled ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that failures are handled ({control})"
#   ko:
#     title: "실패, 취소, 시간 초과, 429, 503을 처리한다"
#     description: >-
#       모델 서버는 바쁘거나, 몇 분 동안 로드하거나, 메모리가 부족해집니다. 호출자는 그에 따라 행동할 수 있는 응답을
#       받아야 하므로 실패, 취소, 시간 초과, 429, 503을 각각 시험했습니다. 사람만이 말할 수 있는 사실이므로 런치
#       매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는
#       URL)이 있어야 합니다.
#     remediation: >-
#       실패, 취소, 시간 초과, 429, 503을 한 번씩 시험하고 호출자에게 무엇이 보이는지 적어 두십시오. 그런 다음 런치
#       매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "실패 처리에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 실패 처리에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "실패 처리에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "실패 처리에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 실패 처리({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.failure_handling

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L7"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
