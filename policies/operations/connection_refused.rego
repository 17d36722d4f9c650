# METADATA
# title: "The API listens where it is declared"
# description: >-
#   The API refuses connections. Something must listen on the declared port; one that only the server itself
#   reaches needs a tunnel or a gateway from elsewhere. A port that is not open yet while the model loads is
#   OPS004's business.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS003
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, host.listeners]
#   covers: [F3]
#   remediation: >-
#     See where the command is run and whether a tunnel is needed, then what listens (ss -ltnp) and whether
#     {service} runs, by its own manager: {state}.
#   messages:
#     closed: "nothing listens on port {port} of {service}"
#     loopback: "port {port} of {service} can be reached from the server itself only; from elsewhere it takes a tunnel or a gateway, which is not seen from here"
#     pod: "{service} runs in a pod, or where it runs is not told: its port is not seen from the host"
#     portless: "the launch manifest does not say on which port {service} answers (endpoint.port)"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "API가 선언된 곳에서 수신한다"
#     description: >-
#       API가 연결을 거부하는 증상입니다. 선언된 포트를 무언가 수신해야 하며, 서버 자신만 닿는 포트는 밖에서
#       터널이나 게이트웨이가 필요합니다. 모델을 로드하는 동안 아직 열리지 않은 포트는 OPS004가 다룹니다.
#     remediation: >-
#       명령을 어디서 실행하는지, 터널이 필요한지 살펴보고, 그다음 무엇이 수신하는지(ss -ltnp)와 {service}이(가)
#       실행 중인지를 올바른 서비스 관리자로 확인하십시오: {state}.
#     messages:
#       closed: "{service}의 포트 {port}을(를) 수신하는 것이 없습니다"
#       loopback: "{service}의 포트 {port}에는 서버 자신만 접속할 수 있습니다. 밖에서는 터널이나 게이트웨이가 필요하며, 그것은 여기서 보이지 않습니다"
#       pod: "{service}은(는) Pod에서 실행되거나 어디서 실행되는지 적혀 있지 않아 그 포트가 호스트에서 보이지 않습니다"
#       portless: "런치 매니페스트에 {service}이(가) 응답하는 포트(endpoint.port)가 적혀 있지 않습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.connection_refused

import data.gpugate.lib.index
import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.services

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(record.services) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "log": symptoms.logs_of(r.service), "state": symptoms.state_of(r.service)}, extra),
	"evidence": evidence,
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": []} if not input.launch.manifest

here(r) := [l | some l in input.host.listeners; l.port == r.service.endpoint.port]

on_host(r) if {
	r.service.endpoint.port
	r.service.runtime.docker
}

on_host(r) if {
	r.service.endpoint.port
	r.service.runtime.systemd
}

fail contains say(r, "closed", {"port": r.service.endpoint.port}, [sprintf("%s/endpoint/port", [r.pointer]), "/host/listeners"]) if {
	some r in record.services
	on_host(r)
	count(here(r)) == 0
	index.complete("host.listeners")
}

unknown contains say(r, "loopback", {"port": r.service.endpoint.port}, [sprintf("%s/endpoint/port", [r.pointer]), "/host/listeners"]) if {
	some r in record.services
	on_host(r)
	r.service.endpoint.public
	count(here(r)) > 0
	index.complete("host.listeners")
	every l in here(r) {
		loopback(l.address)
	}
}

loopback(address) if startswith(address, "127.")

loopback("::1")

unknown contains say(r, "pod", {}, [sprintf("%s/runtime", [r.pointer])]) if {
	some r in record.services
	r.service.endpoint.port
	not on_host(r)
}

unknown contains say(r, "portless", {}, [r.pointer]) if {
	some r in record.services
	not r.service.endpoint.port
}
