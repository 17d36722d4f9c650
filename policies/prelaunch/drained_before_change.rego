# METADATA
# title: Running work is drained before a model switch or re-creation
# description: >-
#   Changed arguments take effect only in a new container, and stopping the old one ends what it is working on.
#   New requests are to be refused, and running ones finished, before. Only people can state this: the launch
#   manifest holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE008
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L8]
#   remediation: >-
#     Write down how requests are turned away and how long to wait before the container is stopped. Then record
#     it in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that running work is drained ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that running work is drained ({control}): {why}"
#     doubt: "whether the evidence of that running work is drained ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that running work is drained ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that running work is drained ({control})"
#   ko:
#     title: "모델 전환이나 컨테이너 재생성 전에 실행 중인 작업을 비운다"
#     description: >-
#       바뀐 인자는 새 컨테이너에서만 적용되며, 이전 컨테이너를 멈추면 처리 중인 작업이 끝나 버립니다. 그 전에 새
#       요청을 거절하고 실행 중인 요청을 마쳐야 합니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를
#       둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       요청을 어떻게 돌려보내고 컨테이너를 멈추기 전에 얼마나 기다리는지 적어 두십시오. 그런 다음 런치 매니페스트에
#       {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "실행 중인 작업의 비우기에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 실행 중인 작업의 비우기에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "실행 중인 작업의 비우기에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "실행 중인 작업의 비우기에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 실행 중인 작업의 비우기({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.drained_before_change

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L8"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
