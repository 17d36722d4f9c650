# METADATA
# title: The cost is computed with everything beside the instance
# description: >-
#   The instance is not the whole cost: NAT, storage, transfer and the media post-processing (MPS) are paid beside it.
#   Only people can state this: the launch manifest holds an attestation whose statement names the four, with who, when,
#   until when, and evidence (a file beside it or a URL).
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE010
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L10, D5]
#   remediation: >-
#     Compute the monthly cost with NAT, storage, transfer and post-processing beside the instance. Then record it in the
#     launch manifest: {control}, a statement that names the four, by, on, until and evidence.
#   messages:
#     invalid: "the attestation of the cost ({control}) does not hold: {why}"
#     absent: "the launch manifest does not attest the cost ({control}): {why}"
#     leaves: "the attestation of the cost ({control}) does not name {why}"
#     doubt: "whether the evidence of the cost ({control}) is there could not be looked at: {why}"
#     manifestless: "there is no launch manifest that could attest the cost ({control})"
#     word: "{url} was not looked at; {by} attests that it shows the cost ({control})"
#   ko:
#     title: "인스턴스 외의 비용까지 모두 계산했다"
#     description: >-
#       인스턴스가 비용의 전부는 아닙니다. NAT, 저장소, 전송, 미디어 후처리(MPS) 비용이 따로 듭니다. 사람만이 말할 수
#       있는 사실이므로 런치 매니페스트에 이 넷을 모두 적은 확인서를 둡니다. 확인서에는 누가, 언제, 언제까지
#       확인했는지와 증빙(매니페스트 옆의 파일 또는 URL)이 있어야 합니다.
#     remediation: >-
#       인스턴스와 함께 NAT, 저장소, 전송, 후처리를 포함한 월 비용을 계산하십시오. 그런 다음 런치 매니페스트에
#       {control}, 이 넷을 적은 statement, by, on, until, evidence를 기록하십시오.
#     messages:
#       invalid: "비용에 관한 확인서({control})가 유효하지 않습니다: {why}"
#       absent: "런치 매니페스트에 비용에 관한 확인서({control})가 없습니다: {why}"
#       leaves: "비용에 관한 확인서({control})에 빠진 항목이 있습니다: {why}"
#       doubt: "비용에 관한 증빙({control})이 있는지 살펴볼 수 없었습니다: {why}"
#       manifestless: "비용에 관한 확인서({control})를 둘 런치 매니페스트가 없습니다"
#       word: "{url} 자료는 살펴보지 않았습니다. 비용({control})의 증빙이라는 것은 {by} 담당자의 확인입니다"
package gpugate.rules.prelaunch.cost_computed

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.subject

control := "L10"

subjects contains subject.manifest(control)

fail contains f if some f in attestation.failing(control)

unknown contains u if some u in attestation.doubted(control)

assumed contains w if some w in attestation.assumed(control)

# items are what is paid beside the instance, as people write it.
items := {
	"NAT": `\bnat\b`,
	"storage": `\bstorage\b|\bdisks?\b`,
	"transfer": `\btransfer\b|\btraffic\b|\begress\b`,
	"post-processing": `post-?processing|\bmps\b`,
}

# named holds if one attestation that stands names every item.
named if {
	some found in attestation.of(control)
	attestation.holds(found)
	count(left_out(found)) == 0
}

left_out(found) := {item |
	some item, words in items
	not regex.match(words, lower(found.attestation.statement))
}

fail contains {
	"subject": subject.manifest(control),
	"message": "leaves",
	"args": {"control": control, "why": concat(", ", sort(left_out(found)))},
	"evidence": [sprintf("%s/statement", [attestation.pointer(found)])],
} if {
	index.complete("launch.manifest.attestations")
	not named
	some found in attestation.of(control)
	attestation.holds(found)
}
