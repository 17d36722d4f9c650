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
