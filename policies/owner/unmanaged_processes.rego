# METADATA
# title: Every process on a GPU has a manager
# description: >-
#   A process started from a login shell, left behind by a removed container, or
#   run by an engine that is none of the declared parties holds GPU memory that
#   no manager will ever give back. A zombie or a process that no longer exists
#   pins memory until the driver is reset.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN005
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes]
#   covers: [O5]
#   remediation: >-
#     Find out what PID {pid} on {gpu} does (ps -o pid,ppid,user,lstart,args -p {pid}); then move it
#     under the party that manages this server, or end it: {stop}.
#   messages:
#     foreign: "{gpu} is used by PID {pid} ({process}) of {holder}: none of the parties that may manage a GPU"
#     orphan: "{gpu} is used by PID {pid} ({process}), an orphan: {why}"
#     daemon: "{gpu} is used by PID {pid} ({process}), a daemon's own process: {holder}"
#     zombie: "{gpu} holds memory of PID {pid}, a zombie that cannot give it back"
#     gone: "{gpu} holds memory of PID {pid}, which no longer exists"
#     unsettled: "PID {pid} on {gpu} belongs to {holder}, which may be gone and have left it behind: {why}"
#     stateless: "whether PID {pid} on {gpu} still runs, or is a zombie, is not known"
#     undetermined: "the manager of PID {pid} on {gpu} could not be told: {why}"
#   ko:
#     title: "GPU의 모든 프로세스에 관리자가 있다"
#     description: >-
#       로그인 셸에서 시작했거나, 제거된 컨테이너가 남겼거나, 선언된 주체가 아닌 엔진이 실행하는 프로세스는 어떤
#       관리자도 돌려주지 않을 GPU 메모리를 잡고 있습니다. 좀비나 이미 없는 프로세스는 드라이버를 재설정할 때까지
#       메모리를 붙잡습니다.
#     remediation: >-
#       {gpu}의 PID {pid}이(가) 무엇을 하는지 알아내십시오(ps -o pid,ppid,user,lstart,args -p {pid}). 그런 다음 이
#       서버를 관리하는 주체 아래로 옮기거나 끝내십시오: {stop}.
#     messages:
#       foreign: "{gpu}을(를) PID {pid}({process})이(가) 쓰고 있으며, 점유자 {holder}은(는) GPU를 관리할 수 있는 주체가 아닙니다"
#       orphan: "{gpu}을(를) 고아 프로세스 PID {pid}({process})이(가) 쓰고 있습니다: {why}"
#       daemon: "{gpu}을(를) 데몬 자신의 프로세스인 PID {pid}({process})이(가) 쓰고 있습니다: {holder}"
#       zombie: "{gpu}에 좀비 PID {pid}의 메모리가 있으며, 좀비는 이를 돌려줄 수 없습니다"
#       gone: "{gpu}에 이미 존재하지 않는 PID {pid}의 메모리가 있습니다"
#       unsettled: "{gpu}의 PID {pid}은(는) {holder}에 속하지만, 점유자는 이미 사라지고 이 프로세스만 남았을 수 있습니다: {why}"
#       stateless: "{gpu}의 PID {pid}이(가) 아직 실행 중인지 좀비인지 알 수 없습니다"
#       undetermined: "{gpu}의 PID {pid}의 관리자를 알 수 없습니다: {why}"
package gpugate.rules.owner.unmanaged_processes

import data.gpugate.lib.claims
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

# about describes one process on one card. What holds its memory is looked for
# by PID, whoever manages it.
about(g, c, message) := {
	"subject": subject.gpu(g),
	"message": message,
	"args": {
		"gpu": subject.gpu(g).name,
		"pid": c.pid,
		"process": process_name(c.pid),
		"holder": party.describe(c),
		"why": claims.first([c.note, "no reason was given"]),
		"stop": end(message, c.pid),
	},
	"evidence": c.evidence,
}

end("gone", _) := "drain the card, then restart the driver or the server"

end("zombie", pid) := sprintf("end the parent of %d so that it is reaped, else drain the card and restart the server", [pid])

end(message, pid) := sprintf("kill %d", [pid]) if not message in {"gone", "zombie"}

process_name(pid) := [object.get(found.process, "name", "unnamed") | some found in index.processes[pid]][0] if {
	count(index.processes[pid]) > 0
} else := "unnamed"

fail contains about(g, c, c.manager_problem) if {
	some g in input.nvml.gpus
	some c in problems
	c.gpu == g.uuid
}

# problems are the running claims that nobody manages, with what is wrong.
problems contains object.union(c, {"manager_problem": problem(c)}) if {
	some c in claims.running
}

problem(c) := "zombie" if {
	c.note == "zombie"
} else := "gone" if {
	c.note == "no longer exists"
} else := "foreign" if {
	c.manager in party.foreign
} else := "orphan" if {
	c.manager == "orphan"
} else := "daemon" if {
	c.manager == "daemon"
}

unknown contains about(g, c, "undetermined") if {
	some g in input.nvml.gpus
	some c in claims.running
	c.gpu == g.uuid
	c.manager == "unknown"
	not problem(c)
}

unknown contains about(g, c, "unsettled") if {
	some g in input.nvml.gpus
	some c in claims.running
	c.gpu == g.uuid
	not c.settled
	c.manager in party.known
	not problem(c)
}

# A process that is listed without its state may be gone, or a zombie.
unknown contains about(g, c, "stateless") if {
	some g in input.nvml.gpus
	some c in claims.running
	c.gpu == g.uuid
	some found in index.processes[c.pid]
	object.get(found.process, "state", "") == ""
	not problem(c)
}
