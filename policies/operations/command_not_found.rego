# METADATA
# title: "What is declared is installed here"
# description: >-
#   A CLI is not found. Often the host was made from another image than the model's own, or its initialisation
#   is not done: the declared container or unit is not there, or its command was not found when it started (exit
#   code 127, or 126 for one that cannot be run).
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS002
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, docker.daemons, systemd.units, kubernetes.pods]
#   covers: [F2]
#   remediation: >-
#     See whether this is the image that was chosen for {service} and whether its initialisation is done
#     ({state}); then the PATH of the user who calls the command.
#   messages:
#     missing: "{service} is declared as {what}, which is not on this server: another image, or not initialised yet"
#     command: "{what} of {service} ended with exit code {code}: its command was not found or cannot be run"
#     stopped: "{what} of {service} does not run, with exit code {code}; whether for want of a command is not told"
#     unfound: "whether {what} of {service} is on this server is not known"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "선언된 것이 여기에 설치되어 있다"
#     description: >-
#       CLI를 찾을 수 없는 증상입니다. 흔히 호스트가 모델 전용 이미지가 아니거나 초기화가 끝나지 않은
#       경우입니다. 선언된 컨테이너나 유닛이 없거나, 시작할 때 명령을 찾지 못했습니다(종료 코드 127, 실행할 수
#       없으면 126).
#     remediation: >-
#       {service}용으로 선택한 이미지인지, 그 초기화가 끝났는지 살펴보고({state}), 그다음 명령을 부르는 사용자의
#       PATH를 살펴보십시오.
#     messages:
#       missing: "{service}은(는) {what}(으)로 선언되었으나 이 서버에 없습니다. 다른 이미지이거나 아직 초기화되지 않았습니다"
#       command: "{service}의 {what}이(가) 종료 코드 {code}(으)로 끝났습니다. 명령을 찾지 못했거나 실행할 수 없습니다"
#       stopped: "{service}의 {what}이(가) 종료 코드 {code}(으)로 멈춰 있습니다. 명령이 없어서인지 알 수 없습니다"
#       unfound: "{service}의 {what}이(가) 이 서버에 있는지 알 수 없습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.command_not_found

import data.gpugate.lib.index
import data.gpugate.lib.party
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

# what names the thing that is declared.
what(service) := sprintf("container %s", [service.runtime.docker.container]) if {
	service.runtime.docker
} else := sprintf("unit %s", [service.runtime.systemd.unit]) if {
	service.runtime.systemd
} else := sprintf("workload %s/%s", [service.runtime.kubernetes.namespace, service.runtime.kubernetes.workload]) if {
	service.runtime.kubernetes
} else := "nothing that runs"

# found is where it is.
found(service) := [{"at": sprintf("/docker/daemons/%d/containers/%d", [i, j]), "container": c} |
	some i, d in input.docker.daemons
	party.same_endpoint(object.get(service.runtime.docker, "host", d.endpoint), d.endpoint)
	some j, c in d.containers
	c.name == service.runtime.docker.container
] if {
	service.runtime.docker
} else := [{"at": sprintf("/systemd/units/%d", [i]), "unit": u} |
	some i, u in input.systemd.units
	record.bare(u.name) == record.bare(service.runtime.systemd.unit)
	not object.get(u, "loadState", "") == "not-found"
] if {
	service.runtime.systemd
} else := [{"at": sprintf("/kubernetes/pods/%d", [i]), "pod": p} |
	some i, p in input.kubernetes.pods
	p.namespace == service.runtime.kubernetes.namespace
	startswith(p.name, service.runtime.kubernetes.workload)
]

# looked holds if all was looked at where it could be.
looked(service) if {
	service.runtime.docker
	index.complete("docker.daemons")
}

looked(service) if {
	service.runtime.systemd
	index.complete("systemd.units")
}

looked(service) if {
	service.runtime.kubernetes
	index.complete("kubernetes.pods")
}

fail contains say(r, "missing", {"what": what(r.service)}, [sprintf("%s/runtime", [r.pointer])]) if {
	some r in record.services
	count(found(r.service)) == 0
	looked(r.service)
}

ended(c) if c.state in {"exited", "dead", "restarting"}

fail contains say(r, "command", {"what": what(r.service), "code": f.container.exitCode}, [sprintf("%s/exitCode", [f.at])]) if {
	some r in record.services
	some f in found(r.service)
	ended(f.container)
	f.container.exitCode in {126, 127}
}

unknown contains say(r, "stopped", {"what": what(r.service), "code": f.container.exitCode}, [sprintf("%s/exitCode", [f.at])]) if {
	some r in record.services
	some f in found(r.service)
	ended(f.container)
	not f.container.exitCode in {126, 127}
}

unknown contains say(r, "unfound", {"what": what(r.service)}, [sprintf("%s/runtime", [r.pointer])]) if {
	some r in record.services
	count(found(r.service)) == 0
	not looked(r.service)
}
