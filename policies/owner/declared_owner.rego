# METADATA
# title: The observed owner is the declared owner
# description: >-
#   The launch manifest names the one party that manages this server's GPUs.
#   Whoever runs on a card, or was given it by name, must be that party.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN004
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes, docker.daemons, systemd.units, launch.manifest.owner]
#   covers: [O3]
#   remediation: >-
#     Stop what another party runs on {gpu} ({stop}), or, if it is meant to be there,
#     change owner in the launch manifest and move the other services.
#   messages:
#     other: "{gpu} is declared to be managed by {declared} but is held by {holders}"
#     undeclared: "the launch manifest does not say which party owns the GPUs (owner)"
#     undecided: "whether {claimant} holds {gpu} cannot be told: {why}"
#     undetermined: "{gpu} is declared to be managed by {declared}; whether {holders} is that party is not known"
#   ko:
#     title: "관찰된 점유자가 선언된 점유자이다"
#     description: >-
#       런치 매니페스트는 이 서버의 GPU를 관리하는 하나의 주체를 정합니다. 카드에서 실행하거나 이름으로 카드를 받은
#       것은 그 주체여야 합니다.
#     remediation: >-
#       {gpu}에서 다른 주체의 작업을 멈추십시오({stop}). 그것이 의도된 것이라면 런치 매니페스트의 owner를 바꾸고 다른
#       서비스를 옮기십시오.
#     messages:
#       other: "{gpu}의 관리 주체는 {declared}(으)로 선언되었지만 점유자는 {holders}입니다"
#       undeclared: "런치 매니페스트에 GPU의 관리 주체(owner)가 적혀 있지 않습니다"
#       undecided: "{claimant}이(가) {gpu}을(를) 점유하는지 판단할 수 없습니다: {why}"
#       undetermined: "{gpu}의 관리 주체는 {declared}(으)로 선언되었습니다. {holders}이(가) 그 주체인지 알 수 없습니다"
package gpugate.rules.owner.declared_owner

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.party
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

declared := input.launch.manifest.owner

others[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	party.distinct(c.manager, declared)
}

doubtful[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	c.manager != declared
	not party.distinct(c.manager, declared)
}

fail contains {
	"subject": subject.gpu(g),
	"message": "other",
	"args": {
		"gpu": subject.gpu(g).name,
		"declared": party.label(declared),
		"holders": party.names(others[g.uuid]),
		"stop": party.stops(others[g.uuid]),
	},
	"evidence": array.concat(["/launch/manifest/owner"], party.evidence(others[g.uuid])),
} if {
	some g in input.nvml.gpus
	count(others[g.uuid]) > 0
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "declared": party.label(declared), "holders": party.names(doubtful[g.uuid])},
	"evidence": party.evidence(doubtful[g.uuid]),
} if {
	some g in input.nvml.gpus
	count(doubtful[g.uuid]) > 0
}

unknown contains {"subject": subject.gpu(g), "message": "undeclared", "args": {}, "evidence": ["/launch/manifest"]} if {
	not input.launch.manifest.owner
	some g in input.nvml.gpus
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undecided",
	"args": {"gpu": subject.gpu(g).name, "claimant": party.describe(u), "why": u.why},
	"evidence": u.evidence,
} if {
	some g in input.nvml.gpus
	some u in claims.undecided
	u.manager != input.launch.manifest.owner
}
