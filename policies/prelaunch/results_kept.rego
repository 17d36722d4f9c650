# METADATA
# title: Results are kept before they expire, and the real file is checked
# description: >-
#   A link to a result expires, and a file may be there and not play. Results are to be copied in time, and
#   resolution, length and playback of the real file checked. Only people can state this: the launch manifest
#   holds an attestation with who, when, until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE009
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L9, D5]
#   remediation: >-
#     Copy results before they expire and check resolution, length and playback of one real file. Then record it
#     in the launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of that results are kept ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest that results are kept ({control}): {why}"
#     doubt: "whether the evidence of that results are kept ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest that results are kept ({control})"
#     word: "{url} was not looked at; {by} attests that it shows that results are kept ({control})"
#   ko:
#     title: "결과를 만료 전에 보관하고 실제 파일을 확인한다"
#     description: >-
#       결과 링크는 만료되며, 파일이 있어도 재생되지 않을 수 있습니다. 결과를 제때 복사하고 실제 파일의 해상도, 길이,
#       재생을 확인해야 합니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에 확인서를 둡니다. 확인서에는 누가,
#       언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       결과를 만료 전에 복사하고 실제 파일 하나의 해상도, 길이, 재생을 확인하십시오. 그런 다음 런치 매니페스트에
#       {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "결과 보관에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 결과 보관에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "결과 보관에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "결과 보관에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 결과 보관({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.results_kept

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L9"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
