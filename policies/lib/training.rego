# METADATA
# title: Trainings
# description: >-
#   What the launch manifest says of the trainings a server is for, and what the rules
#   on them have in common.
# schemas:
#   - input: schema.facts
package gpugate.lib.training

import data.gpugate.lib.attestation
import data.gpugate.lib.index
import data.gpugate.lib.subject

# jobs are the trainings, each with its place.
jobs contains {"at": at, "job": job} if some at, job in input.launch.manifest.training

job_subject(job) := {"kind": "training", "id": job.name, "name": job.name}

pointer(found, below) := sprintf("/launch/manifest/training/%d%s", [found.at, below])

# subjects are the trainings or, where there are none, what should list them.
subjects contains job_subject(found.job) if some found in jobs

subjects contains self if count(jobs) == 0

self := subject.manifest("training")

# none holds for a server that is for inference and lists no training.
none if {
	input.launch.manifest.scope == "inference"
	count(jobs) == 0
}

# unlisted is why there is no training to judge, on a server that is not for
# inference alone.
unlisted contains {"subject": self, "message": "unlisted", "args": args, "evidence": ["/launch"]} if {
	count(jobs) == 0
	not input.launch.manifest.scope == "inference"
	args := object.union(blank, {"why": why})
}

why := "the launch manifest declares the server for training and lists none (training)" if {
	input.launch.manifest.scope == "training"
} else := "the launch manifest does not say whether the server trains (scope, training)" if {
	input.launch.manifest
} else := "there is no launch manifest that could say what is trained"

# blank are the arguments of the messages about no training in particular.
blank := {"name": "the training", "kind": "of no kind", "what": "what is trained"}

kinds := {"lora": "LoRA", "qlora": "QLoRA", "full": "full fine-tuning", "scratch": "training from scratch"}

# service is the services[] entry a training runs as.
service(job) := s if {
	some s in input.launch.manifest.services
	s.name == job.service
}

# runs_training holds for a service that a training names.
runs_training(s) if {
	some found in jobs
	found.job.service == s.name
}

# gpus are those of a training or, if it names none, of its service.
gpus(job) := job.gpus if {
	count(job.gpus) > 0
} else := service(job).gpus if {
	count(service(job).gpus) > 0
}

# cards are the cards that a training's references name.
cards(job) := {g |
	some reference in gpus(job)
	some g in input.nvml.gpus
	means(reference, g)
}

# unresolved are the references of a training that name no card, or more than one.
unresolved(job) := {reference |
	some reference in gpus(job)
	count({g.uuid | some g in input.nvml.gpus; means(reference, g)}) != 1
}

means(reference, g) if reference == format_int(g.index, 10)

means(reference, g) if {
	startswith(reference, "GPU-")
	startswith(lower(g.uuid), lower(reference))
}

# flaws are what is wrong with a reference, for evidence that only people can
# give; empty while nobody looked.
flaws(reference) := attestation.broken(reference)

# open holds for a reference of which nobody could look whether it is there.
open(reference) if not attestation.settled(reference)

# paged holds for a reference that is a page, which nobody looks at.
paged(reference) if {
	some e in input.launch.evidence
	e.reference == reference
	e.kind == "url"
}

# told holds if all that the manifest says of trainings could be read: only then may
# something be found wrong because it is not said.
told if index.complete("launch.manifest.training")
