# METADATA
# title: External URL inputs are defended against SSRF
# description: >-
#   Where users may give URLs, the service fetches them from inside the private network: addresses are to be
#   checked against an allowlist after resolution, and download size and time limited. Only people can state
#   this: the launch manifest holds an attestation with who, when, until when, and evidence (a file beside it or
#   a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE005
#   severity: error
#   securitySeverity: "7.5"
#   requires: [launch.manifest, launch.evidence]
#   covers: [L5]
#   remediation: >-
#     Put a fetching proxy with an allowlist, a size and a time limit before the service. Then record it in the
#     launch manifest: {control}, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the SSRF defence ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the SSRF defence ({control}): {why}"
#     doubt: "whether the evidence of the SSRF defence ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the SSRF defence ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the SSRF defence ({control})"
#   ko:
#     title: "외부 URL 입력에 SSRF 방어가 있다"
#     description: >-
#       사용자가 URL을 줄 수 있는 곳에서 서비스는 사설 네트워크 안에서 그 URL을 가져옵니다. 주소는 이름 해석 후에 허용
#       목록으로 확인하고, 내려받는 크기와 시간을 제한해야 합니다. 사람만이 말할 수 있는 사실이므로 런치 매니페스트에
#       확인서를 둡니다. 확인서에는 누가, 언제, 언제까지 확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야
#       합니다.
#     remediation: >-
#       서비스 앞에 허용 목록과 크기, 시간 제한이 있는 가져오기 프록시를 두십시오. 그런 다음 런치 매니페스트에
#       {control}, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "SSRF 방어에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 SSRF 방어에 관한 확인서({control})가 없습니다: {why}"
#       doubt: "SSRF 방어에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "SSRF 방어에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. SSRF 방어({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.ssrf_defence

import data.gpugate.lib.attestation
import data.gpugate.lib.subject

control := "L5"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)
