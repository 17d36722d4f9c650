# METADATA
# title: "The final answer is there"
# description: >-
#   The final answer of a language model is null. Most often the budget of output tokens went into reasoning:
#   finish_reason is length, and content is null or empty.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS006
#   severity: warning
#   onRequest: true
#   requires: [samples.answers]
#   covers: [F6]
#   remediation: >-
#     Raise the output budget (max_tokens) of the request behind {file}, or lower the reasoning effort.
#   messages:
#     cut: "{file}: the answer was cut off (finish_reason length) before any final text; {tokens} completion tokens, of which {reasoning} for reasoning"
#     empty: "{file}: the answer has no final text, though it was not cut off (finish_reason {reason})"
#     none: "no saved answer of a completion was given (--sample FILE)"
#   ko:
#     title: "최종 답변이 있다"
#     description: >-
#       LLM의 최종 답변이 null인 증상입니다. 대개 출력 토큰 예산을 추론에 다 썼습니다. finish_reason이
#       length이고 content가 null이거나 비어 있습니다.
#     remediation: >-
#       {file}에 해당하는 요청의 출력 예산(max_tokens)을 늘리거나 추론 강도를 낮추십시오.
#     messages:
#       cut: "{file}: 최종 글이 나오기 전에 답변이 잘렸습니다(finish_reason length). 완성 토큰 {tokens}개, 그 가운데 추론 {reasoning}개"
#       empty: "{file}: 잘리지 않았는데도 최종 글이 없습니다(finish_reason {reason})"
#       none: "저장된 완성 응답이 주어지지 않았습니다(--sample FILE)"
package gpugate.rules.operations.final_answer_null

# about is the answer as a subject.
about(s) := {"kind": "sample", "id": s.file, "name": s.file}

all_answers := {"kind": "sample", "id": "samples", "name": "saved answers"}

say(i, s, message, extra) := {
	"subject": about(s), "message": message, "args": object.union({"file": s.file}, extra), "evidence": [sprintf("/samples/answers/%d", [i])],
}

completions := [[i, s] | some i, s in input.samples.answers; s.kind == "completion"]

subjects contains about(s) if some [_, s] in completions

subjects contains all_answers if count(completions) == 0

fail contains say(i, s, "cut", {"tokens": number(s, "completionTokens"), "reasoning": number(s, "reasoningTokens")}) if {
	some [i, s] in completions
	some c in s.choices
	c.content != "text"
	c.finishReason == "length"
}

number(s, member) := sprintf("%d", [s[member]]) if {
	s[member] >= 0
} else := "an untold number of"

fail contains say(i, s, "empty", {"reason": object.get(c, "finishReason", "untold")}) if {
	some [i, s] in completions
	some c in s.choices
	c.content != "text"
	object.get(c, "finishReason", "untold") != "length"
}

unknown contains {"subject": all_answers, "message": "none", "args": {"file": "it"}, "evidence": []} if count(completions) == 0
