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
package gpugate.rules.owner.two_parties_given

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

clashing[uuid] contains pair if {
	some uuid, here in holders.given
	some a in here
	some b in holders.of[uuid]
	party.distinct(a.manager, b.manager)
	selection.overlap(a.slice, b.slice)
	pair := {a, b}
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
	all := union(clashing[g.uuid])
	count(all) > 0
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "instance",
	"args": {"gpu": subject.gpu(g).name, "holders": party.names({a, b})},
	"evidence": party.evidence({a, b}),
} if {
	some g in input.nvml.gpus
	some a in holders.given[g.uuid]
	some b in holders.of[g.uuid]
	party.distinct(a.manager, b.manager)
	selection.may_overlap(a.slice, b.slice)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "claimant": party.describe(a), "holders": party.describe(b)},
	"evidence": party.evidence({a, b}),
} if {
	some g in input.nvml.gpus
	some a in holders.given[g.uuid]
	some b in holders.of[g.uuid]
	b.manager == "unknown"
	a.id != b.id
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
