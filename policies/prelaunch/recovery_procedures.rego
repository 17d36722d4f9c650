# METADATA
# title: Stop, recovery, backup and rollback are prepared
# description: >-
#   Who is on call must be able to stop the service, bring it back, restore what was backed up and return to the
#   last version. Only people can state this: the launch manifest holds an attestation with who, when, until
#   when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE012
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L12, D5]
#   remediation: >-
#     Write the procedures down and try them once. Then record it in the launch manifest: {control}, by, on,
#     until and evidence.
#   messages:
#     invalid: "the attestation of the stop, recovery, backup and rollback procedures ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the stop, recovery, backup and rollback procedures ({control}): {why}"
#     doubt: "whether the evidence of the stop, recovery, backup and rollback procedures ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the stop, recovery, backup and rollback procedures ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the stop, recovery, backup and rollback procedures ({control})"
#   ko:
#     title: "중지, 복구, 백업, 롤백이 준비되어 있다"
#     description: >-
#       당직자는 서비스를 멈추고, 되살리고, 백업한 것을 복원하고, 이전 버전으로 돌아갈 수 있어야 합니다. 사람만이 말할
#       수 있는 사실이므로 런치 매니페스트에 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와
#       증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       절차를 적고 한 번 시험하십시오. 그런 다음 런치 매니페스트에 {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "중지, 복구, 백업, 롤백 절차에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 중지, 복구, 백업, 롤백 절차에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "중지, 복구, 백업, 롤백 절차에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "중지, 복구, 백업, 롤백 절차에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 중지, 복구, 백업, 롤백 절차({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.recovery_procedures

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L12"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
