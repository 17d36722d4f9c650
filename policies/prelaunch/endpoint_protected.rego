# METADATA
# title: Every endpoint is protected, and bound as it was declared
# description: >-
#   Authentication, TLS, the origins that may reach it, request size and rate are set for each endpoint that users reach.
#   One that is not public is bound to the server itself or to a private network, not to every interface.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE004
#   severity: error
#   securitySeverity: "8.6"
#   requires: [host.listeners, docker, launch.manifest]
#   covers: [L4]
#   remediation: >-
#     Put service {service} behind a gateway that authenticates, speaks TLS and limits origins, size and rate, bind port
#     {port} to 127.0.0.1 (docker run -p 127.0.0.1:{port}:…), and record what is set under endpoint.
#   messages:
#     lacking: "the endpoint of service {service} has no {what} recorded"
#     plain: "the endpoint of service {service} is public and has no {what}"
#     everyone: "the endpoint of service {service} admits everyone: {cidr}"
#     origin: "the endpoint of service {service} admits {cidr}, which is no address range"
#     exposed: "service {service} is not public, but {what} binds port {port} to {address}"
#     portless: "service {service} has no endpoint recorded; who may reach it is not known"
#     unbound: "where port {port} of service {service} is bound is not known: nothing was seen to listen there"
#     manifestless: "there is no launch manifest that could record an endpoint"
#   ko:
#     title: "모든 엔드포인트가 보호되고 선언대로 바인딩된다"
#     description: >-
#       사용자가 접근하는 각 엔드포인트에 인증, TLS, 접근을 허용할 출처, 요청 크기와 요청 빈도가 설정되어 있습니다.
#       공개하지 않는 엔드포인트는 모든 인터페이스가 아니라 서버 자신이나 사설 네트워크에 바인딩됩니다.
#     remediation: >-
#       서비스 {service}을(를) 인증과 TLS를 적용하고 출처, 크기, 빈도를 제한하는 게이트웨이 뒤에 두고, 포트
#       {port}을(를) 127.0.0.1에 바인딩하며(docker run -p 127.0.0.1:{port}:…), 설정한 것을 endpoint에 기록하십시오.
#     messages:
#       lacking: "서비스 {service}의 엔드포인트에 {what}이(가) 기록되어 있지 않습니다"
#       plain: "서비스 {service}의 엔드포인트는 공개인데 {what}이(가) 없습니다"
#       everyone: "서비스 {service}의 엔드포인트가 모두를 허용합니다: {cidr}"
#       origin: "서비스 {service}의 엔드포인트가 허용하는 {cidr}은(는) 주소 범위가 아닙니다"
#       exposed: "서비스 {service}은(는) 공개가 아닌데 {what}이(가) 포트 {port}을(를) {address}에 바인딩합니다"
#       portless: "서비스 {service}에 엔드포인트가 기록되어 있지 않아, 누가 접근할 수 있는지 알 수 없습니다"
#       unbound: "서비스 {service}의 포트 {port}이(가) 어디에 바인딩되는지 알 수 없습니다. 그 포트를 수신하는 것이 보이지 않습니다"
#       manifestless: "엔드포인트를 기록할 런치 매니페스트가 없습니다"
package gpugate.rules.prelaunch.endpoint_protected

import data.gpugate.lib.index
import data.gpugate.lib.record
import data.gpugate.lib.subject

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.serving

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(record.serving) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "port": object.get(r.service, ["endpoint", "port"], "?")}, extra),
	"evidence": evidence,
}

at(r, member) := sprintf("%s/endpoint/%s", [r.pointer, member])

wanted := {
	"auth": "authentication (auth)",
	"tls": "word on TLS (tls)",
	"allowedCidrs": "origins (allowedCidrs)",
	"maxRequestBytes": "request size limit (maxRequestBytes)",
	"ratePerMinute": "rate limit (ratePerMinute)",
}

fail contains say(r, "lacking", {"what": what}, [sprintf("%s/endpoint", [r.pointer])]) if {
	index.complete("launch.manifest.services")
	some r in record.serving
	r.service.endpoint
	some member, what in wanted
	object.get(r.service.endpoint, member, "") in {"", []}
}

public(r) if r.service.endpoint.public == true

fail contains say(r, "plain", {"what": "TLS"}, [at(r, "tls")]) if {
	some r in record.serving
	public(r)
	r.service.endpoint.tls == false
}

fail contains say(r, "plain", {"what": "authentication"}, [at(r, "auth")]) if {
	some r in record.serving
	public(r)
	lower(r.service.endpoint.auth) in {"none", "no", "off", "false"}
}

fail contains say(r, "everyone", {"cidr": cidr}, [at(r, "allowedCidrs")]) if {
	some r in record.serving
	some cidr in r.service.endpoint.allowedCidrs
	regex.match(`/0+$`, cidr)
}

fail contains say(r, "origin", {"cidr": cidr}, [at(r, "allowedCidrs")]) if {
	some r in record.serving
	some cidr in r.service.endpoint.allowedCidrs
	not regex.match(`^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(/[0-9]{1,3})?$`, cidr)
}

# everywhere are the addresses that mean every interface.
everywhere := {"0.0.0.0", "::", "*", ""}

# bound are the sockets on the port, as the host shows them.
bound(r) := [{"what": holder(l), "address": l.address, "at": sprintf("/host/listeners/%d", [i])} |
	some i, l in input.host.listeners
	l.port == r.service.endpoint.port
]

holder(l) := l.processes[0].name if {
	l.processes[0].name
} else := "a process"

# published are the ports of the service's container.
published(r) := [{"what": sprintf("container %s", [c.name]), "address": object.get(p, "hostAddress", ""), "at": sprintf("/docker/daemons/%d/containers/%d/ports/%d", [i, j, k])} |
	some i, d in input.docker.daemons
	some j, c in d.containers
	c.name == r.service.runtime.docker.container
	some k, p in c.ports
	p.hostPort == r.service.endpoint.port
]

places(r) := array.concat(published(r), bound(r))

fail contains say(r, "exposed", {"what": place.what, "address": shown(place.address)}, [at(r, "port"), place.at]) if {
	some r in record.serving
	not public(r)
	not r.service.runtime.kubernetes
	index.complete("launch.manifest.services")
	some place in places(r)
	place.address in everywhere
}

shown("") := "every interface"

shown(address) := address if address != ""

unknown contains say(r, "portless", {}, [r.pointer]) if {
	some r in record.serving
	not r.service.endpoint
}

unknown contains say(r, "unbound", {}, [at(r, "port")]) if {
	some r in record.serving
	r.service.endpoint
	not public(r)
	not r.service.runtime.kubernetes
	count(places(r)) == 0
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": ["/launch"]} if not input.launch.manifest
