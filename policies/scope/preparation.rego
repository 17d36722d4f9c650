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
