# METADATA
# title: No GPU is given to two parties
# description: >-
#   A container and a systemd unit that are both live and both were given one
#   card by name will meet on it, even if only one computes right now. Docker
#   gives a request for N GPUs the first N, whether they are free or not.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN010
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes, docker.daemons, systemd.units]
#   covers: [O1, L11]
#   remediation: >-
#     Give {gpu} to one of them and stop the other: {stop}.
#   messages:
#     conflict: "{gpu} is given to {count} parties: {holders}"
#     instance: "{gpu} is cut into MIG instances and given to {holders}; whether to the same ones is not known"
#     undetermined: "{gpu} is given to {claimant} and used by {holders}, of which it is not known which party manages it"
#     undecided: "whether {claimant} uses {gpu} cannot be told: {why}"
#   ko:
#     title: "어떤 GPU도 두 주체에 주어지지 않는다"
#     description: >-
#       둘 다 살아 있고 이름으로 같은 카드를 받은 컨테이너와 systemd 유닛은, 지금은 하나만 계산하더라도 그 카드에서
#       만나게 됩니다. Docker는 GPU N개 요청에 비어 있는지와 상관없이 앞의 N개를 줍니다.
#     remediation: >-
#       {gpu}을(를) 그 가운데 하나에만 주고 다른 것을 멈추십시오: {stop}.
#     messages:
#       conflict: "{gpu}이(가) {count}개 주체에 주어졌습니다: {holders}"
#       instance: "{gpu}은(는) MIG 인스턴스로 나뉘어 {holders}에 주어졌습니다. 같은 인스턴스인지 알 수 없습니다"
#       undetermined: "{gpu}은(는) {claimant}에 주어졌고 {holders}이(가) 쓰고 있으나, 그 관리 주체를 알 수 없습니다"
#       undecided: "{claimant}이(가) {gpu}을(를) 쓰는지 판단할 수 없습니다: {why}"
package gpugate.rules.owner.two_parties_given

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

# clashing are the claims of surely different parties on the same hardware, of
# which at least one was given the card.
clashing[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	some [manager, slice] in faced(c, uuid)
	party.distinct(c.manager, manager)
	selection.overlap(c.slice, slice)
}

# uncut are those of which it is not known whether it is the same hardware.
uncut[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	some [manager, slice] in faced(c, uuid)
	party.distinct(c.manager, manager)
	selection.may_overlap(c.slice, slice)
}

# faced are the parties, with their slices, that a claim meets: who was given the
# card meets all who hold it, and who only holds it those it was given to. Claims
# are compared with these few, not with each other.
faced(c, uuid) := kinds(holders.of[uuid]) if {
	c in holders.given[uuid]
} else := kinds(holders.given[uuid])

kinds(claims) := {[c.manager, c.slice] | some c in claims}

# strangers are those who hold a card that was given to somebody else, and of whom
# nothing is known.
strangers[uuid] contains c if {
	some uuid, here in holders.given
	some c in holders.of[uuid]
	c.manager == "unknown"
	count({a.id | some a in here} - {c.id}) > 0
}

fail contains {
	"subject": subject.gpu(g),
	"message": "conflict",
	"args": {
		"gpu": subject.gpu(g).name,
		"count": count({c.manager | some c in all}),
		"holders": party.names(all),
		"stop": party.stops(all),
	},
	"evidence": party.evidence(all),
} if {
	some g in input.nvml.gpus
	all := clashing[g.uuid]
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

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {
		"gpu": subject.gpu(g).name,
		"claimant": party.names(holders.given[g.uuid]),
		"holders": party.names(strangers[g.uuid]),
	},
	"evidence": party.evidence(holders.given[g.uuid] | strangers[g.uuid]),
} if {
	some g in input.nvml.gpus
	strangers[g.uuid]
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
