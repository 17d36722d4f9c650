# METADATA
# title: Each kind of work keeps its own list of preparation
# description: >-
#   Inference needs a model, an engine and a way to handle requests. LoRA and QLoRA need
#   data, the format of the answers, training code and an evaluation set; full
#   fine-tuning a plan of the memory of optimizer state, gradients and activations;
#   training from scratch large data, compute, a distribution over GPUs and a long
#   validation. What is prepared for one is not prepared for another. The launch
#   manifest records each item: of a service by weights, image or args, and endpoint,
#   limits or the attestation L7; of a training by a file or page.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP005
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [I3]
#   remediation: >-
#     Record for {name} in the launch manifest: {what}; see docs/launch.md, the list of each kind.
#   messages:
#     unprepared: "of the preparation of {name} ({kind}), this is not recorded: {what}"
#     unrecorded: "of the preparation of service {name} (inference), this is not recorded: {what}"
#     broken: "{name} ({kind}): {what}: {why}"
#     doubt: "whether {name} ({kind}) recorded {what} could not be looked at: {why}"
#     unlisted: "no list of preparation can be judged: {why}"
#     word: "{why} was not looked at; the launch manifest says that it is {what} of {name}"
#   ko:
#     title: "작업 종류마다 고유한 준비 목록이 있다"
#     description: >-
#       추론에는 모델, 엔진, 요청 처리 방법이 필요합니다. LoRA와 QLoRA에는 데이터, 응답 형식, 학습 코드, 평가 세트가,
#       전체 파인튜닝에는 옵티마이저 상태와 그래디언트, 활성화의 메모리 계획이, 처음부터의 학습에는 대규모 데이터,
#       계산 자원, GPU 분산, 긴 검증이 필요합니다. 하나를 위해 준비한 것이 다른 것의 준비는 아닙니다. 런치
#       매니페스트는 각 항목을 기록합니다. 서비스는 weights, image 또는 args, 그리고 endpoint, limits 또는 확인서
#       L7로, 학습은 파일이나 페이지로 기록합니다.
#     remediation: >-
#       런치 매니페스트에 {name}의 다음 항목을 기록하십시오: {what}. 종류별 목록은 docs/launch.md에 있습니다.
#     messages:
#       unprepared: "{name}({kind})의 준비 가운데 기록되지 않은 것: {what}"
#       unrecorded: "서비스 {name}(추론)의 준비 가운데 기록되지 않은 것: {what}"
#       broken: "{name}({kind}): {what}: {why}"
#       doubt: "{name}({kind})의 {what} 기록을 살펴볼 수 없었습니다: {why}"
#       unlisted: "준비 목록을 판단할 수 없습니다: {why}"
#       word: "{why} 자료는 살펴보지 않았습니다. {name}의 {what}이라는 것은 런치 매니페스트의 말입니다"
package gpugate.rules.scope.preparation

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.subject
import data.gpugate.lib.training

# lists are the items of each kind.
lists := {
	"full": ["optimizerState", "gradients", "activations"],
	"lora": ["data", "answerFormat", "trainingCode", "evaluationSet"],
	"qlora": ["data", "answerFormat", "trainingCode", "evaluationSet"],
	"scratch": ["data", "compute", "distribution", "validation"],
}

subjects contains s if {
	some s in training.subjects
	not nothing_else
}

subjects contains subject.service(s) if some s in serving

# nothing_else holds where only services are there to be judged.
nothing_else if {
	training.none
	count(serving) > 0
}

applicable := false if {
	training.none
	count(input.launch.manifest.services) == 0
}

# serving are the services that no training names.
serving contains s if {
	some s in input.launch.manifest.services
	not training.runs_training(s)
}

fail contains {
	"subject": subject.service(s),
	"message": "unrecorded",
	"args": {"name": s.name, "kind": "inference", "what": concat(", ", missing), "why": ""},
	"evidence": [sprintf("/launch/manifest/services/%d", [at])],
} if {
	some at, s in input.launch.manifest.services
	s in serving
	training.told
	index.complete("launch.manifest.services")
	index.complete("launch.manifest.attestations")
	missing := [item |
		some item in ["model (weights)", "engine (image or args)", "request handling (endpoint, limits or L7)"]
		not recorded(s, item)
	]
	count(missing) > 0
}

recorded(s, "model (weights)") if s.weights

recorded(s, "engine (image or args)") if s.image

recorded(s, "engine (image or args)") if count(s.args) > 0

recorded(s, "request handling (endpoint, limits or L7)") if s.endpoint

recorded(s, "request handling (endpoint, limits or L7)") if s.limits

recorded(_, "request handling (endpoint, limits or L7)") if count(attestation.of("L7")) > 0

fail contains {
	"subject": training.job_subject(found.job),
	"message": "unprepared",
	"args": args(found, concat(", ", missing), ""),
	"evidence": [training.pointer(found, "")],
} if {
	training.told
	some found in training.jobs
	missing := [item | some item in lists[found.job.kind]; not found.job.preparation[item]]
	count(missing) > 0
}

args(found, what, reason) := {"name": found.job.name, "kind": training.kinds[found.job.kind], "what": what, "why": reason}

# named are the recorded items of a kind's list, with their references.
named contains {"found": found, "item": item, "reference": reference} if {
	some found in training.jobs
	some item in lists[found.job.kind]
	reference := found.job.preparation[item]
}

statement(n, message, reason) := {
	"subject": training.job_subject(n.found.job),
	"message": message,
	"args": args(n.found, n.item, reason),
	"evidence": [training.pointer(n.found, sprintf("/preparation/%s", [n.item]))],
}

fail contains statement(n, "broken", flaw) if {
	some n in named
	some flaw in training.flaws(n.reference)
}

unknown contains statement(n, "doubt", n.reference) if {
	some n in named
	training.open(n.reference)
}

unknown contains u if some u in training.unlisted

assumed contains object.remove(statement(n, "word", n.reference), ["subject"]) if {
	some n in named
	training.paged(n.reference)
}
