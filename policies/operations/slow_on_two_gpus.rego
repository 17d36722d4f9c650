# METADATA
# title: "Nothing is moved off the GPUs that could stay there"
# description: >-
#   Two GPUs are slower than expected. Offloading of the VAE, the text encoders or weights to the host moves
#   data over PCIe for each request; on two GPUs with room for them it only costs. Engines of diffusion models
#   offload by default where nothing is said.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS008
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest]
#   covers: [F8]
#   remediation: >-
#     Set the offload options of {service} (VAE, text encoder) to what is meant, create it anew, and measure
#     CPU-GPU transfer (nvidia-smi dmon -s t) and concurrent load before and after.
#   messages:
#     offload: "{service} runs on {gpus} GPUs with {flag}, which moves data between CPU and GPU"
#     unset: "{service} runs on {gpus} GPUs, and its arguments do not say whether {what} is offloaded"
#     argless: "the launch manifest does not record the arguments of {service}"
#     gpuless: "the launch manifest does not say which GPUs {service} uses"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "GPU에 둘 수 있는 것을 밖으로 옮기지 않는다"
#     description: >-
#       GPU 두 개가 예상보다 느린 증상입니다. VAE, 텍스트 인코더, 가중치를 호스트로 오프로드하면 요청마다 PCIe로
#       데이터가 오갑니다. 둘 자리가 있는 두 GPU에서는 손해일 뿐입니다. 확산 모델 엔진은 따로 정하지 않으면
#       기본으로 오프로드합니다.
#     remediation: >-
#       {service}의 오프로드 옵션(VAE, 텍스트 인코더)을 뜻한 대로 정해 다시 만들고, 전후의 CPU↔GPU
#       전송(nvidia-smi dmon -s t)과 동시 실행 부하를 측정하십시오.
#     messages:
#       offload: "{service}은(는) GPU {gpus}개에서 {flag}(으)로 실행되어 CPU와 GPU 사이로 데이터를 옮깁니다"
#       unset: "{service}은(는) GPU {gpus}개에서 실행되며, 인자가 {what}의 오프로드 여부를 정하지 않습니다"
#       argless: "런치 매니페스트에 {service}의 인자가 기록되어 있지 않습니다"
#       gpuless: "런치 매니페스트에 {service}이(가) 어떤 GPU를 쓰는지 적혀 있지 않습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.slow_on_two_gpus

import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in spread

subjects contains subject.service(r.service) if some r in gpuless

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(spread) == 0
	count(gpuless) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "log": symptoms.logs_of(r.service), "state": symptoms.state_of(r.service)}, extra),
	"evidence": evidence,
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": []} if not input.launch.manifest

gpus(r) := count(object.get(r.service, "gpus", []))

# spread are the services on several cards.
spread := [r | some r in record.services; gpus(r) > 1]

gpuless := [r | some r in record.services; gpus(r) == 0]

args(r) := object.get(r.service, "args", [])

off := {"false", "no", "off", "0", "0.0"}

# offloads are options that move something off the card, by what they move.
offloads := {
	"VAE": {"vae_cpu_offload", "enable_vae_cpu_offload"},
	"text encoder": {"text_encoder_cpu_offload", "t5_cpu"},
	"weights": {"cpu_offload_gb", "enable_model_cpu_offload", "enable_sequential_cpu_offload", "dit_cpu_offload", "offload_model"},
}

fail contains say(r, "offload", {"gpus": gpus(r), "flag": concat(" ", [word | some word in args(r); symptoms.option(word) in names])}, [sprintf("%s/args", [r.pointer])]) if {
	some r in spread
	some names in offloads
	value := symptoms.flag(args(r), names)
	not lower(value) in off
}

# diffuses holds of engines whose models have a VAE and text encoders.
diffuses(r) if {
	some word in args(r)
	regex.match(`(?i)(multimodal_gen|diffus|comfy|wan2|hunyuan|flux)`, word)
}

unknown contains say(r, "unset", {"gpus": gpus(r), "what": what}, [sprintf("%s/args", [r.pointer])]) if {
	some r in spread
	diffuses(r)
	some what in ["VAE", "text encoder"]
	not symptoms.flag(args(r), offloads[what])
}

unknown contains say(r, "argless", {}, [r.pointer]) if {
	some r in spread
	count(args(r)) == 0
}

unknown contains say(r, "gpuless", {}, [r.pointer]) if some r in gpuless
