# METADATA
# title: A training fits into the memory of its GPUs
# description: >-
#   That a model just fits for inference says nothing of training it, which also holds
#   gradients, optimizer state and activations. Their sum for each GPU is compared with
#   each GPU of the training: with all its memory, and with what is free, or held by a
#   training already. The sum is a lower bound: what exceeds it does not fit; what is
#   within it passes only with activations given.
# related_resources:
#   - ref: https://arxiv.org/abs/1910.02054
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP006
#   severity: error
#   requires: [launch.manifest, nvml.gpus, nvml.processes, host.processes]
#   covers: [I4]
#   remediation: >-
#     Take more or larger GPUs for {name}, spread more of it (memory.zeroStage,
#     modelParallel), or train less: LoRA or QLoRA, a shorter sequence, a smaller batch. Free
#     the cards of other work first (nvidia-smi).
#   messages:
#     exceeds: "{name} ({kind}) needs {need} MiB on each GPU, and {gpu} has {have} MiB: {sum}"
#     occupied: "{name} ({kind}) needs {need} MiB on each GPU, and of {gpu} {have} MiB are free: {sum}"
#     missing: "whether {name} ({kind}) fits cannot be computed; the launch manifest does not give {what}"
#     activations: "{name} ({kind}) needs {need} MiB on each GPU without its activations, which the launch manifest does not give (memory.activationsMiB): {sum}"
#     unresolved: "whether {name} ({kind}) fits cannot be told; {what} names no single GPU of this server"
#     unmeasured: "whether {name} ({kind}) fits cannot be told; {gpu} does not tell its {what}"
#     unlisted: "whether a training fits cannot be computed: {why}"
#     usual: "{name} ({kind}) is computed with the usual {what}, since the launch manifest does not say"
#   ko:
#     title: "학습이 GPU 메모리에 들어간다"
#     description: >-
#       모델이 추론에 겨우 들어간다고 해서 학습할 수 있는 것은 아닙니다. 학습은 그래디언트, 옵티마이저 상태, 활성화도
#       담습니다. GPU마다 그 합을 학습에 쓰는 각 GPU의 전체 메모리, 그리고 비어 있거나 이미 학습이 잡고 있는 메모리와
#       비교합니다. 합은 하한이므로 넘치면 들어가지 않으며, 넘치지 않더라도 활성화가 주어졌을 때만 통과합니다.
#     remediation: >-
#       {name}에 더 많거나 더 큰 GPU를 쓰거나, 더 나누거나(memory.zeroStage, modelParallel), 학습을 줄이십시오: LoRA나
#       QLoRA, 더 짧은 시퀀스, 더 작은 배치. 먼저 카드에서 다른 작업을 비우십시오(nvidia-smi).
#     messages:
#       exceeds: "{name}({kind})에는 GPU마다 {need} MiB가 필요한데 {gpu}에는 {have} MiB가 있습니다: {sum}"
#       occupied: "{name}({kind})에는 GPU마다 {need} MiB가 필요한데 {gpu}에는 {have} MiB가 비어 있습니다: {sum}"
#       missing: "{name}({kind})이(가) 들어가는지 계산할 수 없습니다. 런치 매니페스트에 없는 것: {what}"
#       activations: "{name}({kind})에는 활성화를 빼고도 GPU마다 {need} MiB가 필요합니다. 런치 매니페스트에 활성화(memory.activationsMiB)가 없습니다: {sum}"
#       unresolved: "{name}({kind})이(가) 들어가는지 판단할 수 없습니다. {what}은(는) 이 서버의 GPU 하나를 가리키지 않습니다"
#       unmeasured: "{name}({kind})이(가) 들어가는지 판단할 수 없습니다. {gpu}의 {what}을(를) 알 수 없습니다"
#       unlisted: "학습이 들어가는지 계산할 수 없습니다: {why}"
#       usual: "런치 매니페스트가 말하지 않으므로 {name}({kind})은(는) 통상적인 {what}(으)로 계산했습니다"
package gpugate.rules.scope.training_memory

import data.gpugate.lib.index
import data.gpugate.lib.subject
import data.gpugate.lib.training
import data.gpugate.lib.training_memory
import data.gpugate.lib.workload

subjects := training.subjects

applicable := false if training.none

# sums are the trainings that can be computed.
sums contains {"found": found, "sum": training_memory.of(found.job)} if some found in training.jobs

statement(found, message, args) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name, "kind": training.kinds[found.job.kind]}, args),
	"evidence": [training.pointer(found, "/memory")],
}

compared(s, g, have) := {"need": s.sum.neededMiB, "gpu": subject.gpu_name(g), "have": floor(have / mib), "sum": s.sum.text}

mib := 1048576

fail contains statement(s.found, "exceeds", compared(s, g, g.memory.totalBytes)) if {
	training.told
	index.complete("launch.manifest.services")
	some s in sums
	some g in training.cards(s.found.job)
	s.sum.neededMiB * mib > g.memory.totalBytes
}

fail contains statement(s.found, "occupied", compared(s, g, available(g))) if {
	training.told
	index.complete("launch.manifest.services")
	index.complete("nvml.processes")
	index.complete("host.processes")
	some s in sums
	some g in training.cards(s.found.job)
	s.sum.neededMiB * mib <= g.memory.totalBytes
	s.sum.neededMiB * mib > available(g)
}

# own are the processes of trainings on a card: what they hold, a training that runs
# already has.
own(g) := [p |
	some p in input.nvml.processes
	p.gpu == g.uuid
	some w in workload.processes
	w.subject.id == format_int(p.pid, 10)
	w.answer.class == "training"
]

available(g) := g.memory.freeBytes + sum([p.usedMemoryBytes | some p in own(g)]) if {
	every p in own(g) {
		p.usedMemoryBytes
	}
}

unknown contains statement(found, "missing", {"what": concat(", ", sort([w | some w in what]))}) if {
	some found in training.jobs
	what := training_memory.lacking(found.job)
	count(what) > 0
}

unknown contains statement(s.found, "activations", {"need": s.sum.neededMiB, "sum": s.sum.text}) if {
	some s in sums
	not s.found.job.memory.activationsMiB
}

unknown contains statement(found, "unresolved", {"what": reference}) if {
	some found in training.jobs
	some reference in training.unresolved(found.job)
}

unknown contains statement(found, "unmeasured", {"gpu": subject.gpu_name(g), "what": what}) if {
	some found in training.jobs
	some g in training.cards(found.job)
	some what in untold(g)
}

untold(g) := {"memory" | not g.memory} | {"free memory, or what its processes hold" | g.memory; not available(g)}

unknown contains u if some u in training.unlisted

assumed contains object.remove(statement(s.found, "usual", {"what": what}), ["subject"]) if {
	some s in sums
	some what in training_memory.defaulted(s.found.job)
}
