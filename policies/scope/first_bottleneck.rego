# METADATA
# title: What runs short first in a training was looked at
# description: >-
#   Each use case has its usual tools and its first bottleneck. LoRA or QLoRA of language
#   models (LLaMA-Factory, Transformers, DeepSpeed): sequence length, batch, support of the
#   quantisation, activations. LoRA, DreamBooth and ControlNet of images (Diffusers, Kohya):
#   resolution, number of images, cache, GPU memory. Multimodal and video (the model's own
#   code): frames, spatial tensors, decoding, checkpoints. On more than one GPU (DDP, FSDP,
#   ZeRO, pipeline): links, host memory, storage bandwidth. Advice: where the settings are
#   recorded, they were looked at.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP011
#   severity: note
#   requires: [launch.manifest]
#   covers: [I8]
#   remediation: >-
#     Before {name} takes more data or GPUs, look with {tools} at {what}, and record the settings
#     (training[].bottlenecks).
#   messages:
#     unrecorded: "{name} ({case}; usual tools: {tools}) runs short first of these, whose settings are not recorded: {what}"
#     caseless: "which tools and bottlenecks {name} has cannot be told; the launch manifest does not give its useCase (language, image, multimodal)"
#     unlisted: "which tools and bottlenecks a training has cannot be told: {why}"
#   ko:
#     title: "학습에서 먼저 부족해지는 것을 살펴보았다"
#     description: >-
#       용도마다 흔히 쓰는 도구와 첫 병목이 있습니다. 언어 모델의 LoRA와 QLoRA(LLaMA-Factory, Transformers,
#       DeepSpeed)는 시퀀스 길이, 배치, 양자화 지원, 활성화. 이미지의 LoRA, DreamBooth, ControlNet(Diffusers, Kohya)은
#       해상도, 이미지 수, 캐시, GPU 메모리. 멀티모달과 영상(모델 자체 코드)은 프레임, 공간 텐서, 디코딩, 체크포인트.
#       둘 이상의 GPU(DDP, FSDP, ZeRO, 파이프라인)는 GPU 연결, 호스트 메모리, 저장소 대역폭. 이것은 조언이며, 설정이
#       기록되어 있으면 살펴본 것으로 봅니다.
#     remediation: >-
#       {name}에 데이터나 GPU를 늘리기 전에 {tools}(으)로 다음을 살펴보고 설정을 기록하십시오(training[].bottlenecks):
#       {what}.
#     messages:
#       unrecorded: "{name}({case}, 흔히 쓰는 도구: {tools})에서 먼저 부족해지는 것 가운데 설정이 기록되지 않은 것: {what}"
#       caseless: "{name}의 도구와 병목을 판단할 수 없습니다. 런치 매니페스트에 useCase(language, image, multimodal)가 없습니다"
#       unlisted: "학습의 도구와 병목을 판단할 수 없습니다: {why}"
package gpugate.rules.scope.first_bottleneck

import data.gpugate.lib.classify
import data.gpugate.lib.training

subjects := training.subjects

applicable := false if training.none

# cases are the use cases with their tools and what runs short first.
cases := {
	"language": {"words": "language model", "tools": "LLaMA-Factory, Transformers, DeepSpeed", "items": ["sequenceLength", "batch", "quantization", "activations"]},
	"image": {"words": "image LoRA, DreamBooth or ControlNet", "tools": "Diffusers, Kohya", "items": ["resolution", "imageCount", "cache", "gpuMemory"]},
	"multimodal": {"words": "multimodal or video", "tools": "the training code of the model itself", "items": ["frames", "spatialTensors", "decoding", "checkpoints"]},
	"distributed": {"words": "on several GPUs", "tools": "DDP, FSDP, ZeRO, pipeline", "items": ["gpuLinks", "hostMemory", "storageBandwidth"]},
}

# use_case is what the manifest says or, where it does not, what the recorded command
# line shows.
use_case(job) := job.useCase if {
	job.useCase != ""
} else := "image" if {
	regex.match(`dreambooth|controlnet|text_to_image|textual_inversion|train_network|train_db|(sdxl|flux|sd3)_train`, command(job))
} else := "language" if {
	regex.match(`llamafactory|lmf |axolotl|trl |swift (sft|pt|rlhf)|pretrain_gpt|finetune_lora|megatron|unsloth|torchtune|tune run`, command(job))
}

command(job) := lower(concat(" ", training.service(job).args)) if {
	classify.of(training.service(job).args, []).class == "training"
}

# of are the use cases of one training.
of(job) := {case | case := use_case(job)} | {"distributed" | count(training.gpus(job)) > 1}

statement(found, message, args) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name, "case": "of no told use case", "tools": "its tools", "what": "its bottlenecks"}, args),
	"evidence": [training.pointer(found, "/bottlenecks")],
}

fail contains statement(found, "unrecorded", {"case": cases[case].words, "tools": cases[case].tools, "what": concat(", ", missing)}) if {
	training.told
	some found in training.jobs
	some case in of(found.job)
	missing := [item | some item in cases[case].items; not found.job.bottlenecks[item]]
	count(missing) > 0
}

unknown contains statement(found, "caseless", {}) if {
	some found in training.jobs
	not use_case(found.job)
}

unknown contains object.union(u, {"args": object.union(u.args, {"tools": "its tools"})}) if some u in training.unlisted
