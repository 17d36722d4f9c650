# METADATA
# title: The GPUs compute with the precision of the training
# description: >-
#   bf16 and tf32 need compute capability 8.0 (Ampere), fp8 8.9 (Ada), 8-bit
#   quantisation 7.5, 4-bit quantisation 6.0, fp16 5.3. Where a card tells its architecture alone, that
#   bounds its capability. That the model supports the precision as well is a step people record
#   (SCP008, precision).
# related_resources:
#   - ref: https://developer.nvidia.com/cuda-gpus
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP009
#   severity: error
#   requires: [launch.manifest, nvml.gpus]
#   covers: [I6]
#   remediation: >-
#     Train {name} with a precision that {gpu} computes with, or on other GPUs; change
#     memory.precision in the launch manifest to what is really used.
#   messages:
#     unsupported: "{name} trains with {precision}, which needs compute capability {needed}; {gpu} ({model}) has {has}"
#     precision: "whether the GPUs compute with the precision of {name} cannot be told; the launch manifest does not give it (memory.precision)"
#     cards: "whether the GPUs compute with the precision of {name} cannot be told; {why}"
#     capability: "whether {gpu} ({model}) computes with {precision} cannot be told; it needs compute capability {needed}, and {why}"
#     unlisted: "whether the GPUs compute with the precision of a training cannot be told: {why}"
#   ko:
#     title: "GPU가 학습의 정밀도로 계산한다"
#     description: >-
#       bf16과 tf32에는 compute capability 8.0(Ampere), fp8에는 8.9(Ada), 8비트 양자화에는 7.5, 4비트 양자화에는 6.0,
#       fp16에는 5.3이 필요합니다. 카드가 아키텍처만 말해 주면 그것이 한계를 정합니다. 모델도 그 정밀도를 지원하는지는
#       사람이 기록하는 단계입니다(SCP008, precision).
#     remediation: >-
#       {gpu}이(가) 계산하는 정밀도로, 또는 다른 GPU에서 {name}을(를) 학습하십시오. 런치 매니페스트의
#       memory.precision은 실제로 쓰는 값으로 고치십시오.
#     messages:
#       unsupported: "{name}의 정밀도 {precision}에는 compute capability {needed}이(가) 필요한데 {gpu}({model})은(는) {has}입니다"
#       precision: "GPU가 {name}의 정밀도로 계산하는지 판단할 수 없습니다. 런치 매니페스트에 정밀도(memory.precision)가 없습니다"
#       cards: "GPU가 {name}의 정밀도로 계산하는지 판단할 수 없습니다. {why}"
#       capability: "{gpu}({model})이(가) {precision}(으)로 계산하는지 판단할 수 없습니다. compute capability {needed}이(가) 필요하며, {why}"
#       unlisted: "GPU가 학습의 정밀도로 계산하는지 판단할 수 없습니다: {why}"
package gpugate.rules.scope.precision_supported

import data.gpugate.lib.capability
import data.gpugate.lib.subject
import data.gpugate.lib.training

subjects := training.subjects

applicable := false if training.none

statement(found, message, args, evidence) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name, "gpu": "the GPU"}, args),
	"evidence": array.concat([training.pointer(found, "/memory/precision")], evidence),
}

# pairs are a training and one of its cards.
pairs contains {"found": found, "gpu": g, "at": at, "precision": precision, "needed": capability.needed[precision]} if {
	some found in training.jobs
	precision := found.job.memory.precision
	some at, g in input.nvml.gpus
	g in training.cards(found.job)
}

args(p) := {
	"gpu": subject.gpu_name(p.gpu),
	"model": object.get(p.gpu, "name", "unnamed"),
	"precision": p.precision,
	"needed": capability.spelt(p.needed),
}

fail contains statement(p.found, "unsupported", object.union(args(p), {"has": capability.text(p.gpu)}), [sprintf("/nvml/gpus/%d", [p.at])]) if {
	some p in pairs
	capability.range(p.gpu)[1] < p.needed
}

unknown contains statement(p.found, "capability", object.union(args(p), {"why": why}), [sprintf("/nvml/gpus/%d", [p.at])]) if {
	some p in pairs
	some why in undecided(p)
}

undecided(p) := {"it tells neither capability nor a known architecture" | not capability.range(p.gpu)} | {sprintf("the cards of its architecture (%s) differ", [p.gpu.architecture]) | capability.range(p.gpu)[0] < p.needed; capability.range(p.gpu)[1] >= p.needed}

unknown contains statement(found, "precision", {}, []) if {
	some found in training.jobs
	not found.job.memory.precision
}

unknown contains statement(found, "cards", {"why": why}, []) if {
	some found in training.jobs
	some why in cardless(found.job)
}

cardless(job) := {"the launch manifest does not say which GPUs it uses (gpus)" | not training.gpus(job)} | {sprintf("%s names no single GPU of this server", [r]) | some r in training.unresolved(job)}

unknown contains object.union(u, {"args": object.union(u.args, {"gpu": "the GPU"})}) if some u in training.unlisted
