# METADATA
# title: The scheduling policy was reviewed
# description: >-
#   Somebody weighed what each value of the policy means for running work. The
#   launch manifest keeps who, when, and the digest of exactly that file: a policy that
#   was changed since was not reviewed.
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO002
#   severity: error
#   requires: [tione.policy, launch.manifest]
#   covers: [T5]
#   remediation: >-
#     Weigh what the priority, queue and preemption values of {file} do to running work, then record
#     tione.review (by, on, sha256: {sha256}) in the launch manifest.
#   messages:
#     unreviewed: "nobody has reviewed {file}: the launch manifest has no tione.review"
#     changed: "{file} was changed since {by} reviewed it on {on}"
#     early: "the review of {file} by {by} is dated {on}, which is still to come or no day"
#     manifestless: "there is no launch manifest that could tell of a review of {file}"
#     policyless: "no scheduling policy was given that could have been reviewed"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no policy was given"
#   ko:
#     title: "스케줄링 정책을 검토했다"
#     description: >-
#       정책의 각 값이 실행 중인 작업에 무엇을 뜻하는지 누군가 따져 보았습니다. 런치 매니페스트는 누가, 언제, 정확히
#       어느 파일(다이제스트)을 검토했는지 간직합니다. 그 뒤에 바뀐 정책은 검토된 것이 아닙니다.
#     remediation: >-
#       {file}의 우선순위, 큐, 선점 값이 실행 중인 작업에 무엇을 하는지 따져 보고 런치 매니페스트에 tione.review(by,
#       on, sha256: {sha256})를 기록하십시오.
#     messages:
#       unreviewed: "아무도 {file}을(를) 검토하지 않았습니다. 런치 매니페스트에 tione.review가 없습니다"
#       changed: "{by} 담당자가 {on}에 검토한 뒤 {file}이(가) 바뀌었습니다"
#       early: "{by} 담당자의 {file} 검토 날짜 {on}은(는) 아직 오지 않았거나 날짜가 아닙니다"
#       manifestless: "{file}의 검토를 기록할 런치 매니페스트가 없습니다"
#       policyless: "검토했을 스케줄링 정책이 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 정책은 주어지지 않았습니다"
package gpugate.rules.tione.policy_reviewed

import data.gpugate.lib.dates
import data.gpugate.lib.index
import data.gpugate.lib.subject
import data.gpugate.lib.word

policy := input.tione.policy

self := subject.policy(policy)

subjects contains self

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

review := input.launch.manifest.tione.review

args := {
	"file": policy.file,
	"sha256": policy.sha256,
	"by": object.get(object.get(object.get(input.launch.manifest, "tione", {}), "review", {}), "by", ""),
	"on": object.get(object.get(object.get(input.launch.manifest, "tione", {}), "review", {}), "on", ""),
}

fail contains {"subject": self, "message": "unreviewed", "args": args, "evidence": ["/launch/manifest/tione", "/tione/policy"]} if {
	input.launch.manifest
	not review
	index.complete("launch.manifest.tione.review")
}

fail contains {"subject": self, "message": "changed", "args": args, "evidence": ["/launch/manifest/tione/review/sha256", "/tione/policy"]} if {
	lower(review.sha256) != lower(policy.sha256)
}

fail contains {"subject": self, "message": "early", "args": args, "evidence": ["/launch/manifest/tione/review/on"]} if {
	review
	not reviewed_by_now
}

reviewed_by_now if {
	dates.valid(review.on)
	not dates.future(review.on)
}

unknown contains {"subject": self, "message": "manifestless", "args": {"file": policy.file}, "evidence": ["/launch"]} if {
	not input.launch.manifest
}

unknown contains {"subject": {"kind": "policy", "id": "policy", "name": "scheduling policy"}, "message": "policyless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.policy
}
