# METADATA
# title: One party runs on each GPU
# description: >-
#   Every GPU has exactly one managing party among systemd services, Docker
#   containers, Kubernetes (TKE) and TI-ONE. Two parties that run on one card
#   overwrite each other's memory plans and neither can tell. Users of different
#   MIG instances do not meet: a conflict is one on the same instance. A Podman
#   or LXC container or a login session is a party too where it meets another;
#   alone it leaves the owner undecided (and rule OWN005 reports it).
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN001
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes]
#   covers: [O1, L11]
#   remediation: >-
#     Decide which party manages {gpu} and stop what the others run there: {stop}.
#   messages:
#     conflict: "{gpu} is run on by {count} parties: {holders}"
#     undetermined: "{gpu} is used by {holder}, of which it is not known which party manages it: {why}"
#     unsettled: "{gpu} is used by {holder}, which may be gone and have left its processes behind: {why}"
#     mixed: "{gpu} is used by {holders}; whether these are one party is not known"
#     instance: "{gpu} is cut into MIG instances and used by {holders}; on which instances is not known"
#     hidden: "{gpu} holds memory of an MPS server (PID {pid}) whose clients the driver does not list"
#   ko:
#     title: "GPU마다 하나의 주체만 실행한다"
#     description: >-
#       모든 GPU에는 systemd 서비스, Docker 컨테이너, Kubernetes(TKE), TI-ONE 가운데 정확히 하나의 관리 주체가
#       있습니다. 한 카드에서 실행하는 두 주체는 서로의 메모리 계획을 덮어쓰며 어느 쪽도 알아채지 못합니다. 서로 다른
#       MIG 인스턴스의 사용자는 만나지 않으므로, 같은 인스턴스에서 만날 때 충돌입니다. Podman이나 LXC 컨테이너, 로그인
#       세션도 다른 주체와 만나면 하나의 주체이며, 홀로 있으면 점유자가 정해지지 않습니다(규칙 OWN005가 보고합니다).
#     remediation: >-
#       {gpu}을(를) 관리할 주체를 정하고 다른 주체가 거기서 실행하는 것을 멈추십시오: {stop}.
#     messages:
#       conflict: "{gpu}에서 {count}개 주체가 함께 실행합니다: {holders}"
#       undetermined: "{gpu}을(를) {holder}이(가) 쓰고 있으나 그 관리 주체를 알 수 없습니다: {why}"
#       unsettled: "{gpu}을(를) {holder}이(가) 쓰고 있으나, 이미 사라지고 프로세스만 남긴 것일 수 있습니다: {why}"
#       mixed: "{gpu}을(를) {holders}이(가) 쓰고 있습니다. 이들이 하나의 주체인지 알 수 없습니다"
#       instance: "{gpu}은(는) MIG 인스턴스로 나뉘어 {holders}이(가) 쓰고 있습니다. 어느 인스턴스인지 알 수 없습니다"
#       hidden: "{gpu}에 MPS 서버(PID {pid})의 메모리가 있으나 그 클라이언트를 드라이버가 알려 주지 않습니다"
package gpugate.rules.owner.one_party_runs

import data.gpugate.lib.claims
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

on[uuid] contains c if {
	some c in claims.running
	uuid := c.gpu
}

fail contains {
	"subject": subject.gpu(g),
	"message": "conflict",
	"args": {
		"gpu": subject.gpu(g).name,
		"count": count({c.manager | some c in clashing[g.uuid]}),
		"holders": party.names(clashing[g.uuid]),
		"stop": party.stops(clashing[g.uuid]),
	},
	"evidence": party.evidence(clashing[g.uuid]),
} if {
	some g in input.nvml.gpus
	clashing[g.uuid]
}

# kinds are the parties on each card and their slices: claims are compared with
# these few, not with each other.
kinds[uuid] contains [c.manager, c.slice] if {
	some uuid, here in on
	some c in here
}

# clashing are the claims of surely different parties on the same hardware.
clashing[uuid] contains a if {
	some uuid, here in on
	some a in here
	some [manager, slice] in kinds[uuid]
	party.distinct(a.manager, manager)
	selection.overlap(a.slice, slice)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "holder": party.describe(c), "why": claims.first([c.note, "no party a GPU may belong to"])},
	"evidence": c.evidence,
} if {
	some g in input.nvml.gpus
	some c in on[g.uuid]
	not c.manager in party.known
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "unsettled",
	"args": {"gpu": subject.gpu(g).name, "holder": party.describe(c), "why": claims.first([c.note, "nobody could be asked"])},
	"evidence": c.evidence,
} if {
	some g in input.nvml.gpus
	some c in on[g.uuid]
	c.manager in party.known
	not c.settled
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "mixed",
	"args": {"gpu": subject.gpu(g).name, "holders": party.names(mixed[g.uuid])},
	"evidence": party.evidence(mixed[g.uuid]),
} if {
	some g in input.nvml.gpus
	mixed[g.uuid]
}

# mixed are the claims of pods that may or may not be of one party.
mixed[uuid] contains a if {
	some uuid, here in on
	some a in here
	some [manager, _] in kinds[uuid]
	manager != a.manager
	party.undecided(a.manager, manager)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "instance",
	"args": {"gpu": subject.gpu(g).name, "holders": party.names(uncut[g.uuid])},
	"evidence": party.evidence(uncut[g.uuid]),
} if {
	some g in input.nvml.gpus
	uncut[g.uuid]
}

# uncut are the claims of different parties of which it is not known whether they
# are on the same hardware.
uncut[uuid] contains a if {
	some uuid, here in on
	some a in here
	some [manager, slice] in kinds[uuid]
	party.distinct(a.manager, manager)
	selection.may_overlap(a.slice, slice)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "hidden",
	"args": {"gpu": subject.gpu(g).name, "pid": h.pid},
	"evidence": h.evidence,
} if {
	some g in input.nvml.gpus
	some h in claims.hidden
	h.gpu == g.uuid
}
