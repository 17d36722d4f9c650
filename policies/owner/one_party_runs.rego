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
