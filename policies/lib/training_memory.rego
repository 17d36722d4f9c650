# METADATA
# title: Memory of a training
# description: >-
#   What each GPU must hold of a training: weights, gradients, optimizer state and, if
#   given, activations. Mixed precision with Adam takes 2 + 2 + 12 = 16 bytes for each
#   trained parameter; frozen weights take their own bytes alone. ZeRO divides what its
#   stage spreads by the number of data-parallel GPUs, model parallelism divides all.
#   Buffers and fragmentation are left out, so that the sum is a lower bound.
# related_resources:
#   - ref: https://arxiv.org/abs/1910.02054
#   - ref: https://arxiv.org/abs/2305.14314
#   - ref: https://deepspeed.readthedocs.io/en/latest/memory.html
# schemas:
#   - input: schema.facts
package gpugate.lib.training_memory

import data.gpugate.lib.training

mib := 1048576

# bytes of one weight in each precision.
bytes := {"fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1, "nf4": 0.5, "fp4": 0.5}

# optimizer_bytes for each trained parameter in mixed precision: a copy of the weight
# in 32 bits, and the optimizer's own state.
optimizer_bytes := {"adamw": 12, "adamw8bit": 6, "sgd": 4, "sgd-momentum": 8, "lion": 8, "adafactor": 4}

# The kinds that train an adapter beside frozen weights.
adapters := {"lora", "qlora"}

# lacking are the inputs without which there is no sum.
lacking(job) := ((({"memory.parameters" | not job.memory.parameters} | {"memory.trainableParameters" | job.kind in adapters; not job.memory.trainableParameters}) | {"gpus" | not training.gpus(job)}) | {"memory.optimizer (of no known size; give bytesPerParameter.optimizer)" | job.memory.optimizer == "other"; not job.memory.bytesPerParameter.optimizer}) | {"memory.precision (weights of 8 or 4 bits are not trained; give bytesPerParameter.weights)" | untrainable(job)}

untrainable(job) if {
	not job.kind in adapters
	job.memory.precision in {"int8", "nf4", "fp4"}
	not job.memory.bytesPerParameter.weights
}

# usual is the precision of the frozen weights where none is given.
usual := {"lora": "bf16", "qlora": "nf4", "full": "bf16", "scratch": "bf16"}

# defaulted are the inputs for which the usual is taken.
defaulted(job) := {sprintf("precision %s", [usual[job.kind]]) | not job.memory.precision} | {"optimizer adamw" | not job.memory.optimizer}

precision(job) := object.get(job, ["memory", "precision"], usual[job.kind])

# of is the sum for each GPU of a training of which all inputs are given.
of(job) := sum if {
	m := job.memory
	count(lacking(job)) == 0
	total := m.parameters
	trained := trained_parameters(job)
	gpus := count(training.gpus(job))
	split := object.get(m, "modelParallel", 1)
	stage := object.get(m, "zeroStage", 0)
	ways := max([1, floor(gpus / split)])
	per := per_parameter(job)
	parts := {
		"weights": ((weights(job, total, trained, per) / split) / divided(stage, 3, ways)) / mib,
		"gradients": (((trained * per.gradients) / split) / divided(stage, 2, ways)) / mib,
		"optimizer": (((trained * per.optimizer) / split) / divided(stage, 1, ways)) / mib,
		"activations": object.get(m, "activationsMiB", 0),
	}
	needed := ceil(((parts.weights + parts.gradients) + parts.optimizer) + parts.activations)
	sum := {
		"neededMiB": needed,
		"text": sprintf("%d parameters, %d trained: weights %d + gradients %d + optimizer state %d + activations %s MiB at %v, %v and %v bytes a parameter, ZeRO stage %d over %d GPUs, model parallel %d (arXiv 1910.02054, section 3.1)", [
			total, trained, ceil(parts.weights), ceil(parts.gradients), ceil(parts.optimizer), told(m),
			per.frozen, per.gradients, per.optimizer, stage, gpus, split,
		]),
	}
}

told(m) := format_int(m.activationsMiB, 10) if {
	m.activationsMiB >= 0
} else := "(not given)"

# divided is by what a part is divided that ZeRO spreads from a stage on.
divided(stage, from, ways) := ways if stage >= from

divided(stage, from, _) := 1 if stage < from

trained_parameters(job) := job.memory.trainableParameters if {
	job.memory.trainableParameters > 0
} else := job.memory.parameters

# An adapter comes on top of the frozen weights; else the trained ones are among them.
weights(job, total, trained, per) := (total * per.frozen) + (trained * per.trained) if {
	job.kind in adapters
} else := ((total - trained) * per.frozen) + (trained * per.trained)

# per_parameter are bytes a parameter: those the manifest gives, or the usual ones.
per_parameter(job) := {
	"frozen": object.get(job, ["memory", "bytesPerParameter", "weights"], held(job)),
	"trained": object.get(own, "weights", trained_bytes(job)),
	"gradients": object.get(job, ["memory", "bytesPerParameter", "gradients"], trained_bytes(job)),
	"optimizer": object.get(job, ["memory", "bytesPerParameter", "optimizer"], object.get(optimizer_bytes, object.get(job, ["memory", "optimizer"], "adamw"), 0) - copied(job)),
} if {
	own := {k: v | some k, v in object.get(job, ["memory", "bytesPerParameter"], {}); not job.kind in adapters}
}

# held are the bytes of a weight. In training with 8-bit floats the weights are kept
# in 16 bits.
held(job) := bytes[precision(job)] if {
	job.kind in adapters
} else := max([bytes[precision(job)], 2])

# trained_bytes of a weight and of a gradient: 4 in full precision, else 2.
trained_bytes(job) := 4 if {
	precision(job) in {"fp32", "tf32"}
} else := 2

# copied are the bytes of the optimizer's copy that full precision does not need.
copied(job) := 4 if {
	precision(job) in {"fp32", "tf32"}
} else := 0
