# A server for training, beside the other test documents.
package gpugate.lib.fixture

# steps of a training, all done in their order.
steps := [{"step": step, "by": "Kim", "on": on, "evidence": ["docs/steps.md"]} |
	some [step, on] in [
		["dataLicence", "2026-10-01"], ["modelLicence", "2026-10-01"], ["versions", "2026-10-02"], ["checkpointStorage", "2026-10-02"],
		["taskAndFormat", "2026-10-05"], ["rights", "2026-10-06"], ["evaluationSplit", "2026-10-07"], ["preprocessing", "2026-10-08"],
		["precision", "2026-10-09"], ["forwardBackward", "2026-10-10"], ["optimizerStep", "2026-10-10"], ["checkpointSave", "2026-10-11"],
		["checkpointRestore", "2026-10-11"], ["moreGpus", "2026-10-14"],
	]
]

# job is a LoRA training of a language model on both cards.
job := {
	"name": "tune", "kind": "lora", "useCase": "language", "service": "tune", "gpus": ["0", "1"],
	"preparation": {"data": "docs/data.md", "answerFormat": "docs/format.md", "trainingCode": "docs/code.md", "evaluationSet": "docs/eval.md"},
	"memory": {"parameters": 7000000000, "trainableParameters": 20000000, "precision": "bf16", "optimizer": "adamw", "zeroStage": 0, "activationsMiB": 9000},
	"steps": steps,
	"communication": {"sharePercent": 18.5, "gpus": 2, "at": "2026-10-14", "evidence": "docs/comm.json"},
	"bottlenecks": {
		"sequenceLength": "4096", "batch": "8", "quantization": "none", "activations": "recomputed",
		"gpuLinks": "PCIe", "hostMemory": "256 GiB", "storageBandwidth": "2 GiB/s",
	},
}

# training is a server whose one container trains on both cards.
training := change(
	object.union(serving, {"nvml": object.union(serving.nvml, {"gpus": [object.union(g, {"computeCapability": "8.9"}) | some g in serving.nvml.gpus]})}),
	array.concat(
		[
			{"op": "replace", "path": "/launch/manifest/scope", "value": "training"},
			{"op": "replace", "path": "/launch/manifest/services", "value": [object.union(service("tune"), {"args": trainer, "image": sprintf("registry.example/lab/tune@sha256:%s", [other_digest])})]},
			{"op": "add", "path": "/launch/manifest/training", "value": [job]},
			{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": trainer},
			{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "tune"},
			{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": [sprintf("registry.example/lab/tune@sha256:%s", [other_digest])]},
			{"op": "replace", "path": "/host/processes/0/args", "value": trainer},
			{"op": "replace", "path": "/host/processes/1/args", "value": trainer},
			{"op": "replace", "path": "/host/processes/0/owner/name", "value": "tune"},
			{"op": "replace", "path": "/host/processes/1/owner/name", "value": "tune"},
		],
		[{"op": "add", "path": "/launch/evidence/-", "value": found(name)} |
			some name in ["docs/data.md", "docs/format.md", "docs/code.md", "docs/eval.md", "docs/steps.md", "docs/comm.json"]
		],
	),
)

trainer := ["torchrun", "--nproc_per_node", "2", "finetune_lora.py", "--learning_rate", "1e-4"]

# train changes the one training.
train(patches) := change(training, [object.union(p, {"path": sprintf("/launch/manifest/training/0%s", [p.path])}) | some p in patches])

# set and unset are changes of one member of the one training.
set_in_training(member, value) := train([{"op": "add", "path": member, "value": value}])

unset_in_training(member) := train([{"op": "remove", "path": member}])

# with_service adds another service to the one that trains.
with_service(s) := change(training, [{"op": "add", "path": "/launch/manifest/services/-", "value": s}])

# proven changes what was found of one reference.
proven(reference, patches) := change(training, [object.union(p, {"path": sprintf("/launch/evidence/%d%s", [at, p.path])}) |
	some at, e in training.launch.evidence
	e.reference == reference
	some p in patches
])

# unheard changes a document into one whose manifest's trainings could not be read.
unheard(doc) := gap(doc, "launch", "launch.manifest.training", "failed")

no_training := change(training, [{"op": "remove", "path": "/launch/manifest/training"}])

# beginnings are the documents without a training, for every rule on trainings, with
# what is left open.
beginnings := [
	["no training listed", no_training, {"unlisted"}],
	["no scope", change(no_training, [{"op": "remove", "path": "/launch/manifest/scope"}]), {"unlisted"}],
	["no manifest", change(training, [{"op": "remove", "path": "/launch/manifest"}]), {"unlisted"}],
	["no training could be read", unheard(no_training), {"unlisted"}],
]
