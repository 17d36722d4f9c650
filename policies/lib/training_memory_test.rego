# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.training_memory_test

import data.gpugate.lib.training_memory

# A million parameters of 1048576, so that bytes a parameter are MiB.
million := 1073741824

# job needs so many MiB for each GPU.
job(kind, gpus, memory) := {"name": "t", "kind": kind, "gpus": gpus, "memory": object.union({"parameters": million}, memory)}

one := ["0"]

four := ["0", "1", "2", "3"]

# sums are trainings with what each GPU needs in MiB: bytes a parameter times 1024.
sums := [
	# Mixed precision with Adam: 16 bytes.
	[job("full", one, {}), 16384],
	[job("scratch", one, {}), 16384],
	[job("full", one, {"precision": "fp16"}), 16384],
	[job("full", one, {"precision": "fp8"}), 16384],
	# Full precision: 4 + 4 + 8.
	[job("full", one, {"precision": "fp32"}), 16384],
	[job("full", one, {"precision": "tf32", "optimizer": "sgd"}), 8192],
	# Other optimizers.
	[job("full", one, {"optimizer": "adamw8bit"}), 10240],
	[job("full", one, {"optimizer": "sgd"}), 8192],
	[job("full", one, {"optimizer": "sgd-momentum"}), 12288],
	[job("full", one, {"optimizer": "lion"}), 12288],
	[job("full", one, {"optimizer": "adafactor"}), 8192],
	# The accounting with gradients in 32 bits: 18 bytes.
	[job("full", one, {"bytesPerParameter": {"gradients": 4}}), 18432],
	# Optimizer state in host memory.
	[job("full", one, {"bytesPerParameter": {"optimizer": 0}}), 4096],
	[job("full", one, {"bytesPerParameter": {"weights": 1}}), 15360],
	[job("full", one, {"optimizer": "other", "bytesPerParameter": {"optimizer": 1}}), 5120],
	[job("full", one, {"precision": "int8", "bytesPerParameter": {"weights": 1}}), 15360],
	# A quarter is trained, the rest is frozen.
	[job("full", one, {"trainableParameters": million / 4}), 5632],
	[job("full", one, {"precision": "fp8", "trainableParameters": million / 4}), 5632],
	# Four GPUs: alike on each, then spread.
	[job("full", four, {}), 16384],
	[job("full", four, {"zeroStage": 0}), 16384],
	[job("full", four, {"zeroStage": 1}), 7168],
	[job("full", four, {"zeroStage": 2}), 5632],
	[job("full", four, {"zeroStage": 3}), 4096],
	# On one GPU ZeRO spreads nothing.
	[job("full", one, {"zeroStage": 3}), 16384],
	# Model parallelism, alone and with ZeRO over what is left.
	[job("full", four, {"modelParallel": 4}), 4096],
	[job("full", four, {"modelParallel": 2, "zeroStage": 1}), 5120],
	[job("full", one, {"modelParallel": 4}), 4096],
	[job("full", ["0", "1", "2"], {"modelParallel": 2, "zeroStage": 3}), 8192],
	# Adapters: frozen weights, and 16 bytes for what is trained.
	[job("lora", one, {"trainableParameters": million / 128}), 2176],
	[job("lora", one, {"trainableParameters": million / 128, "precision": "int8"}), 1152],
	[job("lora", one, {"trainableParameters": million / 128, "precision": "fp32"}), 4224],
	[job("lora", four, {"trainableParameters": million / 128, "zeroStage": 1}), 2104],
	[job("lora", four, {"trainableParameters": million / 128, "zeroStage": 3}), 544],
	[job("qlora", one, {"trainableParameters": million / 128}), 640],
	[job("qlora", one, {"trainableParameters": million / 128, "precision": "fp4"}), 640],
	[job("qlora", one, {"trainableParameters": million / 128, "precision": "int8"}), 1152],
	[job("qlora", one, {"trainableParameters": million / 128, "bytesPerParameter": {"weights": 0.515625}}), 656],
	# Activations come on top.
	[job("full", four, {"zeroStage": 3, "activationsMiB": 1000}), 5096],
	# What is not whole counts as a whole MiB.
	[job("full", one, {"parameters": 1}), 1],
]

wrong contains {"job": j.kind, "memory": j.memory, "want": want, "got": got} if {
	some [j, want] in sums
	got := training_memory.of(j).neededMiB
	got != want
}

test_sums if {
	print(wrong)
	count(wrong) == 0
	every s in sums {
		training_memory.of(s[0])
	}
}

test_no_sum_without_its_inputs if {
	every j in [
		{"name": "t", "kind": "full", "gpus": one}, job("lora", one, {}), job("qlora", one, {}), job("full", [], {}),
		job("full", one, {"optimizer": "other"}), job("full", one, {"precision": "int8"}), job("scratch", one, {"precision": "nf4"}),
	] {
		count(training_memory.lacking(j)) == 1
		not training_memory.of(j)
	}
}

test_the_usual_is_told if {
	training_memory.defaulted(job("qlora", one, {})) == {"precision nf4", "optimizer adamw"}
	training_memory.defaulted(job("lora", one, {})) == {"precision bf16", "optimizer adamw"}
	training_memory.defaulted(job("full", one, {"precision": "fp32", "optimizer": "sgd"})) == set()
}
