# METADATA
# title: Services share a GPU only where the launch manifest says so
# description: >-
#   Two services of one party on one card compete for memory and time unless
#   that was meant (MPS, time-slicing). The launch manifest says so with sharedWith, in
#   either of the two. Worker processes of one container or unit are one service;
#   users of different MIG instances do not share. Pods are left to rule OWN012.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN007
#   severity: warning
#   requires: [nvml.gpus, nvml.processes, host.processes, docker.daemons, systemd.units, launch.manifest]
#   covers: [O7]
#   remediation: >-
#     Move one of {holders} to another GPU, or declare in the launch manifest that they share {gpu}:
#     list each service and name the other in sharedWith.
#   messages:
#     undeclared: "{gpu} is used by {count} services of one party, and the launch manifest does not say that they share it: {holders}"
#     nameless: "{gpu} is used by PID {pid} of {holder}; of which container or unit it is is not known"
#     manifestless: "{gpu} is used by {holders}; without a launch manifest it is not known whether they share it on purpose"
#     undecided: "whether {claimant} uses {gpu} too cannot be told: {why}"
#   ko:
#     title: "런치 매니페스트가 허용할 때만 서비스가 GPU를 함께 쓴다"
#     description: >-
#       의도된 것(MPS, time-slicing)이 아니라면 한 카드의 두 서비스는 같은 주체의 것이라도 메모리와 시간을 두고
#       다툽니다. 런치 매니페스트는 둘 가운데 한쪽의 sharedWith로 이를 선언합니다. 한 컨테이너나 유닛의 작업
#       프로세스들은 하나의 서비스이며, 서로 다른 MIG 인스턴스의 사용자는 공유하는 것이 아닙니다. Pod는 규칙 OWN012가
#       맡습니다.
#     remediation: >-
#       {holders} 가운데 하나를 다른 GPU로 옮기거나, {gpu}을(를) 함께 쓴다고 런치 매니페스트에 선언하십시오. 각
#       서비스를 적고 sharedWith에 상대를 적습니다.
#     messages:
#       undeclared: "{gpu}을(를) 한 주체의 서비스 {count}개가 쓰고 있으나 런치 매니페스트에 공유가 선언되지 않았습니다: {holders}"
#       nameless: "{gpu}을(를) {holder}의 PID {pid}이(가) 쓰고 있으나 어느 컨테이너나 유닛인지 알 수 없습니다"
#       manifestless: "{gpu}을(를) {holders}이(가) 쓰고 있습니다. 런치 매니페스트가 없어 의도된 공유인지 알 수 없습니다"
#       undecided: "{claimant}도 {gpu}을(를) 쓰는지 판단할 수 없습니다: {why}"
package gpugate.rules.owner.shared_by_services

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.record
import data.gpugate.lib.selection
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

# All are made at once: a rule that is asked for one key is evaluated for each key.
all_by_id := by_id

all_by_name := ids_by_name

all_partners := partners

# sharing are the ids of services that meet on a card undeclared. A service is
# held against how many are there, not against each of them.
sharing[uuid] contains s.id if {
	some uuid, here in services
	some s in here
	near := beside(uuid, s.manager, s.slice)
	count(near) > count(near & (declared(uuid, s) | {s.id}))
}

# beside are the ids of the services of one party that use the same hardware.
beside(uuid, manager, slice) := {id |
	some [m, other], ids in ids_of[uuid]
	m == manager
	selection.overlap(slice, other)
	some id in ids
}

# ids_of are the ids of the services of each card, by party and slice.
ids_of[uuid][[s.manager, s.slice]] contains s.id if {
	some uuid, here in services
	some s in here
}

# services are what holds a card, once each however many workers it has.
services[uuid] contains {"id": c.id, "manager": c.manager, "slice": c.slice, "claimant": c.claimant, "endpoint": c.endpoint} if {
	some uuid, here in holders.of
	some c in here
	c.manager in {"docker", "podman", "systemd"}
	named(c)
}

# named holds if it is known which container or unit it is, by its name, and of
# which daemon.
named(c) if {
	claims.identified(c)
	c.called
	not startswith(c.endpoint, "capture:")
}

# alone holds if nothing else is on the card, so that it shares with nobody.
alone(c) if count(holders.of[c.gpu] - same(c)) == 0

# same are the claims that are surely of one container, unit or process.
same(c) := all_by_id[c.gpu][c.id] if {
	claims.identified(c)
} else := {c}

by_id[uuid][c.id] contains c if {
	some uuid, here in holders.of
	some c in here
}

# meeting are the claims of the services that meet.
meeting[uuid] contains c if {
	some uuid, ids in sharing
	some id in ids
	some c in all_by_id[uuid][id]
}

# declared are the ids of those on the card with which the manifest lets a service
# share.
declared(uuid, s) := {id |
	some r in recorded(s)
	some name in all_partners[r.name]
	some id in all_by_name[uuid][name]
}

# ids_by_name are the ids of the services of each card, by their names in the
# manifest.
ids_by_name[uuid][r.name] contains s.id if {
	some uuid, here in services
	some s in here
	some r in recorded(s)
}

# partners are the names with which each service of the manifest may share, on its
# own word or theirs.
partners[s.name] contains name if {
	some s in input.launch.manifest.services
	some name in s.sharedWith
}

partners[name] contains s.name if {
	some s in input.launch.manifest.services
	some name in s.sharedWith
}

# recorded are the manifest's services that a claim belongs to.
recorded(c) := record.of_container(c.claimant, c.endpoint) if {
	c.manager in {"docker", "podman"}
} else := record.of_unit(c.claimant)

fail contains {
	"subject": subject.gpu(g),
	"message": "undeclared",
	"args": {"gpu": subject.gpu(g).name, "count": count({c.id | some c in all}), "holders": party.names(all)},
	"evidence": party.evidence(all),
} if {
	some g in input.nvml.gpus
	all := meeting[g.uuid]

	# Nothing was declared only if all services could be read.
	input.launch.manifest
	index.complete("launch.manifest.services")
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "nameless",
	"args": {"gpu": subject.gpu(g).name, "holder": party.describe(a), "pid": a.pid},
	"evidence": a.evidence,
} if {
	some g in input.nvml.gpus
	some a in holders.of[g.uuid]
	a.manager in {"docker", "podman", "systemd", "unknown"}
	not named(a)
	not alone(a)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "manifestless",
	"args": {"gpu": subject.gpu(g).name, "holders": party.names(meeting[g.uuid])},
	"evidence": party.evidence(meeting[g.uuid]),
} if {
	not input.launch.manifest
	some g in input.nvml.gpus
	meeting[g.uuid]
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undecided",
	"args": {"gpu": subject.gpu(g).name, "claimant": party.describe(u), "why": u.why},
	"evidence": u.evidence,
} if {
	some g in input.nvml.gpus
	some u in claims.undecided
}
