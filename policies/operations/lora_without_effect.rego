# METADATA
# title: "A LoRA that is to speed up was applied"
# description: >-
#   A LoRA gives no speed-up. The log says to how many modules it was applied; none means the wrong format of
#   weights or another way of merging. Applied to all, requests may still come with as many steps as before.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS007
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, logs.streams]
#   covers: [F7]
#   remediation: >-
#     Look for "applied to" in the log ({log}), at the format of the adapter's weights and how the engine merges
#     them, and at num_inference_steps of the requests to {service}.
#   messages:
#     none: "the LoRA of {service} was applied to no module"
#     unapplied: "{service} became ready, and its log does not say that its LoRA was applied"
#     steps: "the LoRA of {service} was applied to {modules} modules; with how many num_inference_steps requests come is not told by its arguments"
#     partly: "the log of {service} that was read does not reach back to its start, and does not say"
#     logless: "no log of {service} was read"
#     argless: "the launch manifest does not record the arguments of {service}"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "속도를 높이는 LoRA가 적용되었다"
#     description: >-
#       LoRA로 빨라지지 않는 증상입니다. 로그는 몇 개의 모듈에 적용되었는지 말합니다. 하나도 없으면 가중치
#       형식이나 병합 방식이 다릅니다. 모두 적용되었어도 요청의 단계 수가 이전과 같을 수 있습니다.
#     remediation: >-
#       로그에서 "applied to"를 찾고({log}), 어댑터의 가중치 형식과 엔진의 실제 병합 모드, {service}에 보내는
#       요청의 num_inference_steps를 살펴보십시오.
#     messages:
#       none: "{service}의 LoRA가 어떤 모듈에도 적용되지 않았습니다"
#       unapplied: "{service}은(는) 준비되었으나 로그에 LoRA가 적용되었다는 말이 없습니다"
#       steps: "{service}의 LoRA가 모듈 {modules}개에 적용되었습니다. 요청의 num_inference_steps가 몇인지 인자로 알 수 없습니다"
#       partly: "읽은 {service}의 로그는 시작까지 거슬러 올라가지 않으며, 그에 대해 말하지 않습니다"
#       logless: "{service}의 로그를 읽지 못했습니다"
#       argless: "런치 매니페스트에 {service}의 인자가 기록되어 있지 않습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.lora_without_effect

import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in adapted

subjects contains subject.service(r.service) if some r in argless

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(adapted) == 0
	count(argless) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "log": symptoms.logs_of(r.service), "state": symptoms.state_of(r.service)}, extra),
	"evidence": evidence,
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": []} if not input.launch.manifest

flags := {"lora", "lora_path", "lora_paths", "lora_modules", "lora_weights", "lora_weight_path", "lora_dir"}

args(r) := object.get(r.service, "args", [])

# adapted are the services that load a LoRA.
adapted := [r | some r in record.services; symptoms.flag(args(r), flags) != ""]

argless := [r | some r in record.services; count(args(r)) == 0]

applied(r) := symptoms.signals(r, "loraApplied")

fail contains say(r, "none", {}, symptoms.places(applied(r))) if {
	some r in adapted
	some a in applied(r)
	a.signal.value == 0
}

fail contains say(r, "unapplied", {}, [l.at | some l in symptoms.streams(r)]) if {
	some r in adapted
	symptoms.whole(r)
	symptoms.ready(r)
	count(applied(r)) == 0
}

unknown contains say(r, "steps", {"modules": max({a.signal.value | some a in applied(r)})}, symptoms.places(applied(r))) if {
	some r in adapted
	count({a | some a in applied(r); a.signal.value > 0}) > 0
	not symptoms.flag(args(r), {"num_inference_steps"})
}

unknown contains say(r, "partly", {}, [r.pointer]) if {
	some r in adapted
	count(symptoms.streams(r)) > 0
	count(applied(r)) == 0
	not symptoms.whole(r)
}

unknown contains say(r, "partly", {}, [r.pointer]) if {
	some r in adapted
	count(symptoms.streams(r)) > 0
	count(applied(r)) == 0
	not symptoms.ready(r)
}

# An adapter that was applied, to a number that is not told, may be applied to none.
unknown contains say(r, "partly", {}, symptoms.places(applied(r))) if {
	some r in adapted
	some a in applied(r)
	not numbered(a)
}

numbered(a) if a.signal.value >= 0

unknown contains say(r, "argless", {}, [r.pointer]) if some r in argless

unknown contains say(r, "logless", {}, [r.pointer]) if {
	some r in adapted
	count(symptoms.streams(r)) == 0
}
