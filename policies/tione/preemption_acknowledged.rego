# METADATA
# title: Preemption of declared long work is acknowledged
# description: >-
#   With Preempted set to 1 (TI-ONE's default) a queued task of higher priority ends a
#   running one of lower priority, which starts again from what it saved itself. Where
#   training or long generation is declared, somebody must have acknowledged that
#   beforehand. As long as all tasks have one priority nothing is preempted, but one
#   more rule in the policy changes that, so that it must be acknowledged too.
# related_resources:
#   - ref: https://cloud.tencent.com/document/product/851/109976
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO003
#   severity: error
#   requires: [tione.policy, launch.manifest]
#   covers: [T6]
#   remediation: >-
#     Set ResourceRule.Preempted to 0 in {file}, or record tione.preemption (acknowledged: true, by, on,
#     reason) in the launch manifest after telling the owners of {work}.
#   messages:
#     possible: "{file} lets tasks of priority {priorities} preempt each other, and nobody acknowledged it for {work}"
#     enabled: "{file} enables preemption, and nobody acknowledged it for {work}; so far all tasks have one priority"
#     untold: "{file} enables preemption; whether long work runs here is not known: {why}"
#     unset: "whether {file} enables preemption is not known"
#     policyless: "no scheduling policy was given"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no policy was given"
#   ko:
#     title: "선언된 장시간 작업의 선점을 미리 승인했다"
#     description: >-
#       Preempted가 1이면(TI-ONE의 기본값) 대기 중인 높은 우선순위 작업이 실행 중인 낮은 우선순위 작업을 끝내고, 끝난
#       작업은 스스로 저장한 곳부터 다시 시작합니다. 학습이나 장시간 생성이 선언된 곳에서는 누군가 이를 미리 승인해야
#       합니다. 모든 작업의 우선순위가 같으면 선점은 일어나지 않지만, 정책에 규칙이 하나만 더해져도 달라지므로 그
#       경우에도 승인이 필요합니다.
#     remediation: >-
#       {file}에서 ResourceRule.Preempted를 0으로 하거나, {work}의 책임자에게 알린 뒤 런치 매니페스트에
#       tione.preemption(acknowledged: true, by, on, reason)을 기록하십시오.
#     messages:
#       possible: "{file}은(는) 우선순위 {priorities}의 작업이 서로를 선점하게 하는데, {work}에 대해 아무도 이를 승인하지 않았습니다"
#       enabled: "{file}이(가) 선점을 켰는데, {work}에 대해 아무도 이를 승인하지 않았습니다. 지금까지는 모든 작업의 우선순위가 같습니다"
#       untold: "{file}이(가) 선점을 켰습니다. 장시간 작업이 여기서 실행되는지 알 수 없습니다: {why}"
#       unset: "{file}이(가) 선점을 켰는지 알 수 없습니다"
#       policyless: "스케줄링 정책이 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 정책은 주어지지 않았습니다"
package gpugate.rules.tione.preemption_acknowledged

import data.gpugate.lib.index
import data.gpugate.lib.preemption
import data.gpugate.lib.subject
import data.gpugate.lib.word

policy := input.tione.policy

self := subject.policy(policy)

subjects contains self

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

# priorities are all that the policy gives to some task; "unknown" stands for
# a rule whose priority is not recognised.
priorities := ({p | p := policy.defaultPriority} | {object.get(r, "priority", "unknown") |
	some r in policy.taskRules
}) | {"unknown" | not policy.taskRules}

possible if count(priorities) > 1

possible if "unknown" in priorities

# work is what would be lost, with where it is declared.
work contains ["the training this server is declared for", "/launch/manifest/scope"] if input.launch.manifest.scope == "training"

work contains [sprintf("service %s", [s.name]), sprintf("/launch/manifest/services/%d/longRunning", [i])] if {
	some i, s in input.launch.manifest.services
	s.longRunning == true
}

args := {
	"file": policy.file,
	"work": concat(", ", sort([name | some [name, _] in work])),
	"priorities": concat(", ", sort([sprintf("%v", [p]) | some p in priorities])),
}

found(message) := {
	"subject": self,
	"message": message,
	"args": args,
	"evidence": array.concat(["/tione/policy/preempted"], sort([pointer | some [_, pointer] in work])),
}

# An acknowledgement is missing only if it would have been read.
unacknowledged if {
	preemption.enabled
	count(work) > 0
	not preemption.acknowledged
	index.complete("launch.manifest.tione.preemption")
}

fail contains found("possible") if {
	unacknowledged
	possible
}

fail contains found("enabled") if {
	unacknowledged
	not possible
}

unknown contains {"subject": self, "message": "untold", "args": {"file": policy.file, "why": "the launch manifest does not declare the scope"}, "evidence": ["/launch/manifest"]} if {
	preemption.enabled
	not preemption.acknowledged
	not input.launch.manifest.scope
}

unknown contains {"subject": self, "message": "unset", "args": {"file": policy.file}, "evidence": ["/tione/policy"]} if {
	not preemption.told
}

unknown contains {"subject": {"kind": "policy", "id": "policy", "name": "scheduling policy"}, "message": "policyless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.policy
}
