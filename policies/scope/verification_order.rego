# METADATA
# title: A training was verified step by step, in order
# description: >-
#   First licences, versions and the place for checkpoints; then task and format, rights,
#   an evaluation set kept apart and the data loader on a small sample; then whether
#   model, architecture and precision go together; then forward and backward pass,
#   optimizer step, saving and restoring of a checkpoint on a single GPU with a small
#   batch; only then more GPUs, with throughput and communication measured. A step
#   that is recorded before one it needs, or without it, proves little.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP008
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [I6]
#   remediation: >-
#     Do the steps of {name} in their order, first {before}, and record each under
#     training[].steps with by, on and evidence (docs/launch.md).
#   messages:
#     skipped: "{name}: step {step} is recorded as done, and {before}, which it needs, is not"
#     early: "{name}: step {step} is dated {on}, before {before}, which it needs, on {later}"
#     undone: "{name}: {step} is not recorded as done"
#     invalid: "{name}: step {step} does not hold: {why}"
#     doubt: "{name}: whether the evidence of step {step} is there could not be looked at: {why}"
#     cards: "{name}: whether moreGpus is a step of it cannot be told; the launch manifest does not say which GPUs it uses (gpus)"
#     unlisted: "whether a training was verified in order cannot be told: {why}"
#     word: "{why} was not looked at; {by} says that it shows step {step} of {name}"
#   ko:
#     title: "학습을 단계별로, 순서대로 검증했다"
#     description: >-
#       먼저 라이선스, 버전, 체크포인트 저장 위치를, 다음으로 과제와 형식, 권리, 따로 둔 평가 세트, 작은 표본의 데이터
#       로더를, 다음으로 모델과 아키텍처와 정밀도가 서로 맞는지를, 다음으로 단일 GPU와 작은 배치에서 순전파와 역전파,
#       옵티마이저 단계, 체크포인트의 저장과 복원을, 그런 뒤에야 더 많은 GPU를 처리량과 통신 측정과 함께 확인합니다.
#       필요한 앞 단계보다 먼저, 또는 앞 단계 없이 기록된 단계는 증명하는 것이 적습니다.
#     remediation: >-
#       {name}의 단계를 순서대로, 먼저 {before}부터 하고 training[].steps에 각각 by, on, evidence와 함께
#       기록하십시오(docs/launch.md).
#     messages:
#       skipped: "{name}: 단계 {step}은(는) 끝났다고 기록되었지만 그에 필요한 {before}은(는) 그렇지 않습니다"
#       early: "{name}: 단계 {step}의 날짜는 {on}로, 그에 필요한 {before}의 날짜 {later}보다 앞섭니다"
#       undone: "{name}: {step} 단계가 끝났다는 기록이 없습니다"
#       invalid: "{name}: 단계 {step}이(가) 유효하지 않습니다: {why}"
#       doubt: "{name}: 단계 {step}의 증빙이 있는지 살펴볼 수 없었습니다: {why}"
#       cards: "{name}: moreGpus가 필요한 단계인지 판단할 수 없습니다. 런치 매니페스트에 어떤 GPU를 쓰는지(gpus) 적혀 있지 않습니다"
#       unlisted: "학습을 순서대로 검증했는지 판단할 수 없습니다: {why}"
#       word: "{why} 자료는 살펴보지 않았습니다. {name}의 단계 {step}의 증빙이라는 것은 {by} 담당자의 말입니다"
package gpugate.rules.scope.verification_order

import data.gpugate.lib.dates
import data.gpugate.lib.training

subjects := training.subjects

applicable := false if training.none

design := {"dataLicence", "modelLicence", "versions", "checkpointStorage"}

# needs are the steps that must be done before one, those before them left out.
needs := {
	"checkpointRestore": {"checkpointSave"},
	"checkpointSave": {"optimizerStep"},
	"checkpointStorage": set(),
	"dataLicence": set(),
	"evaluationSplit": {"taskAndFormat", "rights"},
	"forwardBackward": {"precision"},
	"modelLicence": set(),
	"moreGpus": {"checkpointRestore"},
	"optimizerStep": {"forwardBackward"},
	"precision": {"preprocessing"},
	"preprocessing": {"evaluationSplit"},
	"rights": design,
	"taskAndFormat": design,
	"versions": set(),
}

# required are the steps a training must have done: more GPUs only if it has them.
required(job) := object.keys(needs) if {
	count(training.gpus(job)) > 1
} else := object.keys(needs) - {"moreGpus"}

# done are the records of one step.
done(job, step) := [s | some s in job.steps; s.step == step]

statement(found, message, args, below) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name, "before": "those before it"}, args),
	"evidence": [training.pointer(found, below)],
}

place(found, step) := sprintf("/steps/%d", [[i | some i, s in found.job.steps; s.step == step][0]])

fail contains statement(found, "skipped", {"step": s.step, "before": before}, place(found, s.step)) if {
	training.told
	some found in training.jobs
	some s in found.job.steps
	some before in needs[s.step]
	count(done(found.job, before)) == 0
}

fail contains statement(found, "early", {"step": s.step, "on": s.on, "before": before, "later": b.on}, place(found, s.step)) if {
	some found in training.jobs
	some s in found.job.steps
	some before in needs[s.step]
	some b in done(found.job, before)
	dates.valid(s.on)
	dates.valid(b.on)
	s.on < b.on
}

# One finding tells of all that is missing, and of what comes first.
fail contains statement(found, "undone", {"step": concat(", ", sort([s | some s in missing])), "before": concat(", ", sort([s | some s in next]))}, "") if {
	training.told
	some found in training.jobs
	missing := {s | some s in required(found.job); count(done(found.job, s)) == 0}
	next := {s | some s in missing; count(needs[s] & missing) == 0}
	count(next) > 0
}

fail contains statement(found, "invalid", {"step": s.step, "why": why}, place(found, s.step)) if {
	training.told
	some found in training.jobs
	some s in found.job.steps
	some why in wrong(s)
}

wrong(s) := (((({"it does not say by whom" | not regex.match(`[\p{L}\p{N}]`, object.get(s, "by", ""))} | {"it does not say on which day" | not s.on}) | {sprintf("its date %q is not a day (yyyy-mm-dd)", [s.on]) | not dates.valid(s.on)}) | {sprintf("it is dated %s, which is still to come", [s.on]) | dates.future(s.on)}) | {"it names no evidence" | count(object.get(s, "evidence", [])) == 0}) | {flaw | some reference in s.evidence; some flaw in training.flaws(reference)}

unknown contains statement(found, "doubt", {"step": s.step, "why": reference}, place(found, s.step)) if {
	some found in training.jobs
	some s in found.job.steps
	some reference in s.evidence
	training.open(reference)
}

unknown contains statement(found, "cards", {"before": "what is needed on one GPU"}, "") if {
	some found in training.jobs
	not training.gpus(found.job)
}

unknown contains object.union(u, {"args": object.union(u.args, {"before": "the licences of data and model"})}) if some u in training.unlisted

assumed contains object.remove(statement(found, "word", {"step": s.step, "why": reference, "by": object.get(s, "by", "nobody")}, place(found, s.step)), ["subject"]) if {
	some found in training.jobs
	some s in found.job.steps
	some reference in s.evidence
	training.paged(reference)
}
