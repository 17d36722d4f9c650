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
