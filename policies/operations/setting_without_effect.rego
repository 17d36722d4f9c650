# METADATA
# title: "The container runs with the recorded settings"
# description: >-
#   A changed setting has no effect. The arguments of a container are fixed when it is created: a restart keeps
#   the old ones, and only a new container has the new ones.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS005
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, docker.daemons]
#   covers: [F5]
#   remediation: >-
#     Keep the settings of {container} (docker {host}inspect {container}), then create it anew with those that
#     are recorded; do not restart it.
#   messages:
#     differs: "container {container} of {service} still has the arguments it was created with: {drift}"
#     unrecorded: "the launch manifest does not record the arguments of {service}"
#     unfound: "whether container {container} of {service} is there is not known"
#     absent: "container {container} of {service} is not on this server"
#   ko:
#     title: "컨테이너가 기록된 설정으로 실행된다"
#     description: >-
#       바꾼 설정이 적용되지 않는 증상입니다. 컨테이너의 인자는 만들 때 고정됩니다. 재시작은 이전 인자를
#       유지하며, 새 컨테이너만 새 인자를 가집니다.
#     remediation: >-
#       {container}의 설정을 보관하고(docker {host}inspect {container}) 기록된 설정으로 다시 만드십시오.
#       재시작하지 마십시오.
#     messages:
#       differs: "{service}의 컨테이너 {container}은(는) 만들 때의 인자를 아직 가지고 있습니다: {drift}"
#       unrecorded: "런치 매니페스트에 {service}의 인자가 기록되어 있지 않습니다"
#       unfound: "{service}의 컨테이너 {container}이(가) 있는지 알 수 없습니다"
#       absent: "{service}의 컨테이너 {container}이(가) 이 서버에 없습니다"
package gpugate.rules.operations.setting_without_effect

import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

dockered := [r | some r in record.services; r.service.runtime.docker]

subjects contains subject.service(r.service) if some r in dockered

applicable := false if {
	input.launch.manifest
	count(dockered) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "container": r.service.runtime.docker.container, "host": symptoms.host(r.service.runtime.docker)}, extra),
	"evidence": evidence,
}

found(r) := [{"at": sprintf("/docker/daemons/%d/containers/%d", [i, j]), "container": c} |
	some i, d in input.docker.daemons
	party.same_endpoint(object.get(r.service.runtime.docker, "host", d.endpoint), d.endpoint)
	some j, c in d.containers
	c.name == r.service.runtime.docker.container
]

fail contains say(r, "differs", {"drift": drift}, [sprintf("%s/args", [r.pointer]), sprintf("%s/args", [f.at])]) if {
	some r in dockered
	some f in found(r)
	drift := record.drift(r.service.args, f.container.args)
	drift != ""
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

unknown contains say(r, "unrecorded", {}, [r.pointer]) if {
	some r in dockered
	count(object.get(r.service, "args", [])) == 0
}

unknown contains say(r, "unfound", {}, [r.pointer]) if {
	some r in dockered
	count(found(r)) == 0
	not index.complete("docker.daemons")
}

unknown contains say(r, "absent", {}, [r.pointer]) if {
	some r in dockered
	count(found(r)) == 0
	index.complete("docker.daemons")
}
