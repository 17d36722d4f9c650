# METADATA
# title: Compute capability
# description: >-
#   What a card can compute with. nvidia-smi tells the architecture alone, which bounds
#   the capability from both sides.
# related_resources:
#   - ref: https://developer.nvidia.com/cuda-gpus
#   - ref: https://docs.nvidia.com/cuda/cuda-c-programming-guide/
#   - ref: https://huggingface.co/docs/bitsandbytes/main/en/installation
# schemas:
#   - input: schema.facts
package gpugate.lib.capability

# needed is the least capability for each precision: 16-bit arithmetic, bf16 and tf32
# (Ampere), fp8 (Ada), and what the quantisations of bitsandbytes ask for.
needed := {
	"fp32": 0,
	"tf32": 80,
	"fp16": 53,
	"bf16": 80,
	"fp8": 89,
	"int8": 75,
	"nf4": 60,
	"fp4": 60,
}

# architectures with the least and the greatest capability of their cards, in tenths.
architectures := {
	"Ada Lovelace": [89, 89],
	"Ampere": [80, 87],
	"Blackwell": [100, 129],
	"Hopper": [90, 90],
	"Kepler": [30, 37],
	"Maxwell": [50, 53],
	"Pascal": [60, 62],
	"Turing": [75, 75],
	"Volta": [70, 72],
}

# range of a card's capability in tenths, undefined if it tells neither capability nor
# a known architecture.
range(g) := [tenths, tenths] if {
	regex.match(`^[0-9]{1,2}\.[0-9]$`, g.computeCapability)
	tenths := to_number(replace(g.computeCapability, ".", ""))
} else := architectures[g.architecture]

# text is how a person writes the capability of a card.
text(g) := g.computeCapability if {
	regex.match(`^[0-9]{1,2}\.[0-9]$`, g.computeCapability)
} else := sprintf("at most %s (%s)", [spelt(architectures[g.architecture][1]), g.architecture])

spelt(tenths) := sprintf("%d.%d", [floor(tenths / 10), tenths % 10])
