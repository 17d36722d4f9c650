# METADATA
# title: The scheduling policy parses and is complete
# description: >-
#   A TI-ONE resource group is scheduled by a JSON text with Version,
#   ResourceRule.DefaultPriority (0 to 9), .DefaultQueue (0, 1 or 2), .Preempted (0 or
#   1) and TaskRules (a list). What does not parse, lacks a field or holds another value is
#   not applied as meant. The sample of the guide, whose TaskRules has no value, is such.
# related_resources:
#   - ref: https://cloud.tencent.com/document/product/851/109976
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO001
#   severity: error
#   requires: [tione.policy, launch.manifest.tione.registered]
#   covers: [T5]
#   remediation: >-
#     Correct {file}{place}, compare it with the default policy of the TI-ONE documentation, and give it to the
#     resource group again.
#   messages:
#     problem: "{file}{place}: {what}"
#     lacking: "{file}: {field} is missing"
#     range: "{file}: {field} is {value}; it is to be {allowed}"
#     extra: "{file} has members the format does not know: {fields}; whether TI-ONE heeds them is not known"
#     policyless: "no scheduling policy was given"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no policy was given"
#   ko:
#     title: "스케줄링 정책이 올바르게 해석되고 완전하다"
#     description: >-
#       TI-ONE 자원 그룹은 Version, ResourceRule.DefaultPriority(0~9), .DefaultQueue(0, 1, 2), .Preempted(0 또는 1),
#       TaskRules(목록)를 가진 JSON으로 스케줄링됩니다. 해석되지 않거나 필드가 없거나 다른 값을 가진 것은 의도대로
#       적용되지 않습니다. TaskRules에 값이 없는 가이드의 예시가 그런 경우입니다.
#     remediation: >-
#       {file}{place}을(를) 고치고 TI-ONE 문서의 기본 정책과 비교한 다음 자원 그룹에 다시 적용하십시오.
#     messages:
#       problem: "{file}{place}: {what}"
#       lacking: "{file}: {field} 필드가 없습니다"
#       range: "{file}: {field} 값이 {value}입니다. 허용되는 값: {allowed}"
#       extra: "{file}에 형식에 없는 항목이 있습니다: {fields}. TI-ONE이 이를 따르는지 알 수 없습니다"
#       policyless: "스케줄링 정책이 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 정책은 주어지지 않았습니다"
package gpugate.rules.tione.policy_form

import data.gpugate.lib.index
import data.gpugate.lib.subject
import data.gpugate.lib.word

policy := input.tione.policy

self := subject.policy(policy)

subjects contains self

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

fail contains {
	"subject": self,
	"message": "problem",
	"args": {"file": policy.file, "place": sprintf(":%d:%d", [p.line, p.column]), "what": p.message},
	"evidence": [sprintf("/tione/policy/problems/%d", [i])],
} if {
	some i, p in policy.problems
}

# fields are what a policy has, where it is found, and what it may say.
fields := [
	["Version", "version", {"1.0"}, "\"1.0\""],
	["ResourceRule.DefaultPriority", "defaultPriority", numbers.range(0, 9), "a whole number from 0 (first) to 9"],
	["ResourceRule.DefaultQueue", "defaultQueue", [0, 1, 2], "0, 1 or 2"],
	["ResourceRule.Preempted", "preempted", [0, 1], "0 or 1"],
]

values := {
	"version": object.get(policy, "version", null),
	"defaultPriority": object.get(policy, "defaultPriority", null),
	"defaultQueue": object.get(policy, "defaultQueue", null),
	"preempted": object.get(policy, "preempted", null),
	"taskRules": object.get(policy, "taskRules", null),
}

fail contains {
	"subject": self,
	"message": "lacking",
	"args": {"file": policy.file, "place": "", "field": name},
	"evidence": ["/tione/policy"],
} if {
	some [name, member] in array.concat([[f[0], f[1]] | some f in fields], [["TaskRules", "taskRules"]])
	values[member] == null
	index.complete("tione.policy")
}

fail contains {
	"subject": self,
	"message": "range",
	"args": {"file": policy.file, "place": "", "field": name, "value": value, "allowed": words},
	"evidence": [sprintf("/tione/policy/%s", [member])],
} if {
	some [name, member, allowed, words] in fields
	value := values[member]
	value != null
	not value in allowed
}

unknown contains {"subject": self, "message": "extra", "args": {"file": policy.file, "fields": concat(", ", sort(policy.unknownFields))}, "evidence": ["/tione/policy"]} if {
	count(policy.unknownFields) > 0
}

unknown contains {"subject": {"kind": "policy", "id": "policy", "name": "scheduling policy"}, "message": "policyless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.policy
}
