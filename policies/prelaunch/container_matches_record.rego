# METADATA
# title: The containers that run are those recorded
# description: >-
#   Of each service in a Docker container the launch manifest records image digest and
#   arguments. What runs must match: a tag may have moved, and arguments are fixed when a container is
#   created, so that a change needs a new container, not a restart.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE001
#   severity: error
#   requires: [docker.daemons, launch.manifest]
#   covers: [L1]
#   remediation: >-
#     Create container {container} of service {service} anew from what is recorded (docker {host}rm -f {container},
#     then run it with the recorded image and arguments), or record what runs now after reviewing it.
#   messages:
#     missing: "service {service} is recorded as container {container}, which no daemon has"
#     stopped: "container {container} of service {service} does not run: it is {state}"
#     image: "container {container} of service {service} runs image {running}, not the recorded {recorded}"
#     args: "container {container} of service {service} has other arguments than recorded: {drift}"
#     ambiguous: "container {container} of service {service} is on several daemons; runtime.docker.host would tell which is meant"
#     unfound: "whether container {container} of service {service} is there is not known: not every daemon could be read, or told its address"
#     stateless: "the state of container {container} of service {service} is not known"
#     unidentified: "the image of container {container} of service {service} could not be inspected, so that its digest is not known"
#     unrecorded: "service {service} has no {what} recorded to compare container {container} with"
#   ko:
#     title: "실행 중인 컨테이너가 기록과 같다"
#     description: >-
#       런치 매니페스트는 Docker 컨테이너의 각 서비스에 대해 이미지 다이제스트와 인자를 기록합니다. 실행 중인 것은
#       이와 같아야 합니다. 태그는 옮겨질 수 있고, 인자는 컨테이너를 만들 때 고정되므로 바꾸려면 재시작이 아니라 새
#       컨테이너가 필요합니다.
#     remediation: >-
#       서비스 {service}의 컨테이너 {container}을(를) 기록된 대로 다시 만들거나(docker {host}rm -f {container} 후
#       기록된 이미지와 인자로 실행), 지금 실행 중인 것을 검토한 뒤 기록하십시오.
#     messages:
#       missing: "서비스 {service}은(는) 컨테이너 {container}(으)로 기록되어 있으나 어떤 데몬에도 없습니다"
#       stopped: "서비스 {service}의 컨테이너 {container}이(가) 실행 중이 아닙니다. 상태: {state}"
#       image: "서비스 {service}의 컨테이너 {container}은(는) 기록된 {recorded}이(가) 아니라 이미지 {running}을(를) 실행합니다"
#       args: "서비스 {service}의 컨테이너 {container}의 인자가 기록과 다릅니다: {drift}"
#       ambiguous: "서비스 {service}의 컨테이너 {container}이(가) 여러 데몬에 있습니다. 어느 것인지는 runtime.docker.host로 정합니다"
#       unfound: "서비스 {service}의 컨테이너 {container}이(가) 있는지 알 수 없습니다. 읽을 수 없었거나 주소를 알 수 없는 데몬이 있습니다"
#       stateless: "서비스 {service}의 컨테이너 {container}의 상태를 알 수 없습니다"
#       unidentified: "서비스 {service}의 컨테이너 {container}의 이미지를 살펴볼 수 없어 다이제스트를 알 수 없습니다"
#       unrecorded: "서비스 {service}에 컨테이너 {container}과(와) 비교할 {what}이(가) 기록되어 있지 않습니다"
package gpugate.rules.prelaunch.container_matches_record

import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.record
import data.gpugate.lib.subject

# recorded are the services that run in a Docker container.
recorded := [r | some r in record.services; r.service.runtime.docker]

subjects contains subject.service(r.service) if some r in recorded

applicable := false if {
	input.launch.manifest
	count(recorded) == 0
}

# found are the containers that a service may mean, each with its place.
found(r) := [{"at": sprintf("/docker/daemons/%d/containers/%d", [i, j]), "container": c} |
	wanted := r.service.runtime.docker
	some i, d in input.docker.daemons
	party.same_endpoint(object.get(wanted, "host", d.endpoint), d.endpoint)
	some j, c in d.containers
	c.name == wanted.container
]

# matched is the one container of each service, where there is exactly one.
matched := [{"record": r, "at": all[0].at, "container": all[0].container} |
	some r in recorded
	all := found(r)
	count(all) == 1
]

# only_one holds if another container of that name is none of the record's: daemons
# that could not be read, or a record that is not whole, might mean that one.
only_one(_) if {
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

only_one(r) if {
	r.service.runtime.docker.host
	index.complete("launch.manifest.services")
}

base(r) := {
	"service": r.service.name,
	"container": r.service.runtime.docker.container,
	"host": host(r.service.runtime.docker),
}

host(d) := sprintf("--host %s ", [d.host]) if {
	d.host != ""
} else := ""

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union(base(r), extra),
	"evidence": evidence,
}

# unaddressed holds if a daemon's address is not known, as in a capture without
# it: it may be the very daemon the manifest names.
unaddressed if {
	some d in input.docker.daemons
	startswith(d.endpoint, "capture:")
}

fail contains say(r, "missing", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) == 0
	not unaddressed
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

fail contains say(m.record, "stopped", {"state": m.container.state}, [sprintf("%s/runtime/docker", [m.record.pointer]), m.at]) if {
	some m in matched
	not m.container.state in {"running", "restarting"}
	only_one(m.record)
}

# digests are all that identifies the image: those of its registries, and its
# own id.
digests(c) := {lower(split(d, "sha256:")[1]) |
	some d in array.concat(c.repoDigests, [object.get(c, "imageId", "")])
	contains(d, "sha256:")
}

fail contains say(m.record, "image", {"running": shown(m.container), "recorded": m.record.service.image}, [sprintf("%s/image", [m.record.pointer]), sprintf("%s/repoDigests", [m.at])]) if {
	some m in matched
	want := record.digest(m.record.service)
	want != ""
	m.container.imageKnown
	not want in digests(m.container)
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

shown(c) := c.repoDigests[0] if {
	count(c.repoDigests) > 0
} else := sprintf("%s (built here, without a registry digest)", [object.get(c, "image", "unnamed")])

fail contains say(m.record, "args", {"drift": drift}, [sprintf("%s/args", [m.record.pointer]), sprintf("%s/args", [m.at])]) if {
	some m in matched
	drift := record.drift(m.record.service.args, m.container.args)
	drift != ""
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

unknown contains say(r, "ambiguous", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) > 1
}

unknown contains say(r, "unfound", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) == 0
}

unknown contains say(m.record, "stateless", {}, [m.at]) if {
	some m in matched
	not m.container.state
}

unknown contains say(m.record, "unidentified", {}, [m.at]) if {
	some m in matched
	not m.container.imageKnown
}

unknown contains say(r, "unrecorded", {"what": "image digest"}, [r.pointer]) if {
	some r in recorded
	record.digest(r.service) == ""
}

unknown contains say(r, "unrecorded", {"what": "arguments"}, [r.pointer]) if {
	some r in recorded
	not r.service.args
}
