# METADATA
# title: Every container daemon was looked at
# description: >-
#   Services may live behind more than one daemon, such as
#   unix:///run/docker-sglang.sock. A socket that cannot be read is not an empty
#   one, and a process in a container that no daemon knows shows a daemon that was
#   not found, or what a removed container left behind.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN008
#   severity: error
#   requires: [docker.daemons, host.processes]
#   covers: [O6]
#   remediation: >-
#     Find the daemon that runs container {container} (ps -C dockerd,podman -o pid,args) and name its socket with
#     --docker-host; if there is none, end what the removed container left behind: kill {pid}.
#   messages:
#     stranger: "PID {pid} runs in container {container}, which none of the daemons that were asked knows"
#     unread: "the daemon at {endpoint} could not be read: {status}"
#     nameless: "PID {pid} runs in a container whose id is not known, so that no daemon can be asked for it"
#     unowned: "PID {pid} may run in a container that no daemon knows: {why}"
#     unfound: "PID {pid} runs in container {container}, whose daemon could not be told: {why}"
#   ko:
#     title: "모든 컨테이너 데몬을 살펴보았다"
#     description: >-
#       서비스는 unix:///run/docker-sglang.sock처럼 둘 이상의 데몬 뒤에 있을 수 있습니다. 읽을 수 없는 소켓은 빈
#       소켓이 아니며, 어떤 데몬도 모르는 컨테이너의 프로세스는 찾지 못한 데몬이나 제거된 컨테이너가 남긴 것을 보여
#       줍니다.
#     remediation: >-
#       컨테이너 {container}을(를) 실행하는 데몬을 찾아(ps -C dockerd,podman -o pid,args) 그 소켓을 --docker-host로
#       지정하십시오. 그런 데몬이 없다면 제거된 컨테이너가 남긴 프로세스를 끝내십시오: kill {pid}.
#     messages:
#       stranger: "PID {pid}은(는) 컨테이너 {container} 안에서 실행되지만, 물어본 데몬 가운데 이를 아는 것이 없습니다"
#       unread: "{endpoint}의 데몬을 읽을 수 없었습니다: {status}"
#       nameless: "PID {pid}은(는) 식별자를 알 수 없는 컨테이너 안에서 실행되어 어떤 데몬에도 물을 수 없습니다"
#       unowned: "PID {pid}은(는) 어떤 데몬도 모르는 컨테이너 안에서 실행되고 있을 수 있습니다: {why}"
#       unfound: "PID {pid}은(는) 컨테이너 {container} 안에서 실행되지만 그 데몬을 알 수 없습니다: {why}"
package gpugate.rules.owner.every_daemon_looked_at

import data.gpugate.lib.claims
import data.gpugate.lib.index

daemon_subject(d) := {"kind": "daemon", "id": d.endpoint, "name": d.endpoint}

# A container that no daemon knows has no name, and its id is another one after
# each start: what runs in it lasts.
container_subject(id) := {
	"kind": "container",
	"id": id,
	"name": sprintf("container %s", [substring(id, 0, 12)]),
	"key": sprintf("container of %s", [concat(", ", {called(s.process) | some s in stray; s.id == id})]),
}

called(p) := object.get(p, "name", "unnamed")

subjects contains daemon_subject(d) if some d in input.docker.daemons

subjects contains container_subject(s.id) if some s in stray

# Nothing to look at: no daemon, and no process in a container.
applicable := false if {
	count(input.docker.daemons) == 0
	count(stray) == 0
	count(unowned) == 0
}

# unowned are the processes of which it is not known whether they are in one.
unowned contains {"process": p, "pid": p.pid, "why": claims.first([object.get(p.owner, "reason", ""), "no reason was given"]), "at": i} if {
	some i, p in input.host.processes
	p.owner.manager == "unknown"
}

# stray are the processes in containers whose daemon is not known.
stray contains {"id": o.containerId, "process": p, "pid": p.pid, "manager": o.manager, "why": claims.first([object.get(o, "reason", ""), "no reason was given"]), "at": i} if {
	some i, p in input.host.processes
	o := p.owner
	o.manager in {"docker", "orphan"}
	object.get(o, "daemon", "") == ""
	object.get(o, "podUid", "") == ""
	o.containerId != ""
}

fail contains {
	"subject": container_subject(s.id),
	"message": "stranger",
	"args": {"container": substring(s.id, 0, 12), "pid": s.pid},
	"evidence": [sprintf("/host/processes/%d/owner", [s.at])],
} if {
	some s in stray
	s.manager == "orphan"
	index.complete("docker.daemons")
}

unknown contains {
	"subject": container_subject(s.id),
	"message": "unfound",
	"args": {"container": substring(s.id, 0, 12), "pid": s.pid, "why": s.why},
	"evidence": [sprintf("/host/processes/%d/owner", [s.at])],
} if {
	some s in stray
}

# process_subject lasts beyond a restart: the key names what runs, not its PID.
process_subject(p) := {"kind": "process", "id": format_int(p.pid, 10), "name": sprintf("PID %d", [p.pid]), "key": called(p)}

unknown contains {
	"subject": process_subject(u.process),
	"message": "unowned",
	"args": {"pid": u.pid, "why": u.why},
	"evidence": [sprintf("/host/processes/%d/owner", [u.at])],
} if {
	some u in unowned
}

unknown contains {
	"subject": process_subject(p),
	"message": "nameless",
	"args": {"pid": p.pid},
	"evidence": [sprintf("/host/processes/%d/owner", [i])],
} if {
	some i, p in input.host.processes
	p.owner.manager in {"docker", "orphan"}
	object.get(p.owner, "podUid", "") == ""
	object.get(p.owner, "containerId", "") == ""
}

unknown contains {
	"subject": daemon_subject(d),
	"message": "unread",
	"args": {"endpoint": d.endpoint, "status": d.status},
	"evidence": [sprintf("/docker/daemons/%d/status", [i])],
} if {
	some i, d in input.docker.daemons
	not d.status in {"complete", "absent"}
}
