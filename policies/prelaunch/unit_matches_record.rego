# METADATA
# title: The units that run are those recorded
# description: >-
#   Of each service that systemd runs the launch manifest records the command line. The
#   unit must be active and its ExecStart must be what was recorded.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE013
#   severity: error
#   requires: [systemd.units, launch.manifest]
#   covers: [L1]
#   remediation: >-
#     Bring unit {unit} of service {service} back to what is recorded (systemctl cat {unit} shows
#     it with its drop-ins; then systemctl restart {unit}), or record what runs now after reviewing it.
#   messages:
#     missing: "service {service} is recorded as unit {unit}, which this server does not have"
#     stopped: "unit {unit} of service {service} is not active: it is {state}"
#     args: "unit {unit} of service {service} has another command line than recorded: {drift}"
#     unfound: "whether unit {unit} of service {service} is there is not known"
#     stateless: "the state of unit {unit} of service {service} is not known"
#     wrapped: "unit {unit} of service {service} only launches a container; record that as runtime.docker"
#     unrecorded: "service {service} has no arguments recorded to compare unit {unit} with"
#   ko:
#     title: "실행 중인 유닛이 기록과 같다"
#     description: >-
#       런치 매니페스트는 systemd가 실행하는 각 서비스의 명령줄을 기록합니다. 유닛은 active여야 하고 ExecStart는
#       기록된 것이어야 합니다.
#     remediation: >-
#       서비스 {service}의 유닛 {unit}을(를) 기록된 것으로 되돌리거나(systemctl cat {unit}은 드롭인과 함께 보여
#       줍니다. 그다음 systemctl restart {unit}), 지금 실행 중인 것을 검토한 뒤 기록하십시오.
#     messages:
#       missing: "서비스 {service}은(는) 유닛 {unit}(으)로 기록되어 있으나 이 서버에 없습니다"
#       stopped: "서비스 {service}의 유닛 {unit}이(가) active가 아닙니다. 상태: {state}"
#       args: "서비스 {service}의 유닛 {unit}의 명령줄이 기록과 다릅니다: {drift}"
#       unfound: "서비스 {service}의 유닛 {unit}이(가) 있는지 알 수 없습니다"
#       stateless: "서비스 {service}의 유닛 {unit}의 상태를 알 수 없습니다"
#       wrapped: "서비스 {service}의 유닛 {unit}은(는) 컨테이너를 띄우기만 합니다. runtime.docker로 기록하십시오"
#       unrecorded: "서비스 {service}에 유닛 {unit}과(와) 비교할 인자가 기록되어 있지 않습니다"
package gpugate.rules.prelaunch.unit_matches_record

import data.gpugate.lib.command
import data.gpugate.lib.index
import data.gpugate.lib.record
import data.gpugate.lib.subject

recorded := [r | some r in record.services; r.service.runtime.systemd]

subjects contains subject.service(r.service) if some r in recorded

applicable := false if {
	input.launch.manifest
	count(recorded) == 0
}

# full is the name of a unit with its kind.
full(name) := name if {
	contains(name, ".")
} else := sprintf("%s.service", [name])

matched := [{"record": r, "at": sprintf("/systemd/units/%d", [i]), "unit": u} |
	some r in recorded
	some i, u in input.systemd.units
	full(u.name) == full(r.service.runtime.systemd.unit)
	not object.get(u, "loadState", "") == "not-found"
]

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "unit": r.service.runtime.systemd.unit}, extra),
	"evidence": evidence,
}

there(r) if {
	some m in matched
	m.record.at == r.at
}

fail contains say(r, "missing", {}, [sprintf("%s/runtime/systemd", [r.pointer])]) if {
	some r in recorded
	not there(r)
	index.complete("systemd.units")
}

fail contains say(m.record, "stopped", {"state": m.unit.activeState}, [sprintf("%s/runtime/systemd", [m.record.pointer]), sprintf("%s/activeState", [m.at])]) if {
	some m in matched
	not m.unit.activeState in {"active", "activating", "reloading"}
}

# argv is the last command a unit starts: the one that stays.
argv(u) := line if {
	last := u.execStart[count(u.execStart) - 1]
	line := whole(last)
}

whole(c) := c.args if {
	command.base(c.args[0]) == command.base(c.path)
} else := array.concat([c.path], c.args)

fail contains say(m.record, "args", {"drift": drift}, [sprintf("%s/args", [m.record.pointer]), sprintf("%s/execStart", [m.at])]) if {
	some m in matched
	not m.unit.wraps
	drift := record.drift(bare(m.record.service.args), bare(argv(m.unit)))
	drift != ""
	index.complete("systemd.units")
	index.complete("launch.manifest.services")
}

# bare writes the program without its folder, which the record may leave out.
bare(args) := array.concat([command.base(args[0])], array.slice(args, 1, count(args)))

unknown contains say(r, "unfound", {}, [sprintf("%s/runtime/systemd", [r.pointer])]) if {
	some r in recorded
	not there(r)
}

unknown contains say(m.record, "stateless", {}, [m.at]) if {
	some m in matched
	not m.unit.activeState
}

unknown contains say(m.record, "wrapped", {}, [m.at]) if {
	some m in matched
	m.unit.wraps
}

unknown contains say(r, "unrecorded", {}, [r.pointer]) if {
	some r in recorded
	not r.service.args[0]
}
