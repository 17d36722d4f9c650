# METADATA
# title: "A service on one GPU starts within its memory"
# description: >-
#   Out of memory at the start on a single GPU. Weights that are converted to FP8 or INT8 while they load need
#   the memory of BF16 first; the CPU offload that a single-GPU configuration has is there for that peak.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS009
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, logs.streams]
#   covers: [F9]
#   remediation: >-
#     Keep the CPU offload of the single-GPU configuration of {service}, or load weights that are quantised
#     already, so that the BF16 peak does not occur: {log}.
#   messages:
#     peak: "{service} ran out of GPU memory before it was ready, and its weights are converted while they load ({how}): the BF16 peak comes before the conversion"
#     memory: "{service} ran out of GPU memory before it was ready"
#     partly: "the log of {service} that was read does not reach back to its start, and does not say"
#     logless: "no log of {service} was read"
#     gpuless: "the launch manifest does not say which GPUs {service} uses"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "GPU 하나를 쓰는 서비스가 메모리 안에서 시작한다"
#     description: >-
#       단일 GPU에서 시작할 때 메모리가 부족한 증상입니다. 로드하면서 FP8이나 INT8로 바꾸는 가중치는 먼저
#       BF16만큼의 메모리가 필요합니다. 단일 GPU 구성의 CPU 오프로드는 그 피크를 위한 것입니다.
#     remediation: >-
#       {service}의 단일 GPU용 CPU 오프로드 구성을 유지하거나, 이미 양자화된 가중치를 로드해 BF16 피크가 생기지
#       않게 하십시오: {log}.
#     messages:
#       peak: "{service}은(는) 준비되기 전에 GPU 메모리가 부족했고, 로드하면서 가중치를 변환합니다({how}). BF16 피크가 변환보다 먼저 옵니다"
#       memory: "{service}은(는) 준비되기 전에 GPU 메모리가 부족했습니다"
#       partly: "읽은 {service}의 로그는 시작까지 거슬러 올라가지 않으며, 그에 대해 말하지 않습니다"
#       logless: "{service}의 로그를 읽지 못했습니다"
#       gpuless: "런치 매니페스트에 {service}이(가) 어떤 GPU를 쓰는지 적혀 있지 않습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.out_of_memory_at_start

import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in single

subjects contains subject.service(r.service) if some r in gpuless

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(single) == 0
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

# single are the services on one card.
single := [r | some r in record.services; gpus(r) == 1]

gpuless := [r | some r in record.services; gpus(r) == 0]

# ran_out are logs with an out-of-memory after which the service did not become
# ready.
ran_out(r) := [l |
	some l in symptoms.streams(r)
	symptoms.last(l.stream, {"cudaOutOfMemory"}) > symptoms.last(l.stream, {"serverReady"})
]

# converts is how the weights are converted while they load.
converts(r) := "the log says so" if {
	symptoms.told(r, "lowPrecisionConvert")
} else := sprintf("--quantization %s", [value]) if {
	value := symptoms.flag(object.get(r.service, "args", []), {"quantization", "quantize"})
	value != ""
}

fail contains say(r, "peak", {"how": converts(r)}, [l.at]) if {
	some r in single
	some l in ran_out(r)
}

fail contains say(r, "memory", {}, [l.at]) if {
	some r in single
	some l in ran_out(r)
	not converts(r)
}

unknown contains say(r, "partly", {}, [r.pointer]) if {
	some r in single
	count(symptoms.streams(r)) > 0
	not started(r)
}

# started holds if the log tells of a start that came to its end.
started(r) if symptoms.ready(r)

started(r) if symptoms.whole(r)

unknown contains say(r, "gpuless", {}, [r.pointer]) if some r in gpuless

unknown contains say(r, "logless", {}, [r.pointer]) if {
	some r in single
	count(symptoms.streams(r)) == 0
}
