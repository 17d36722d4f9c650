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
package gpugate.rules.owner.shared_by_services

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.selection
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

# sharing are the ids of services that meet on a card undeclared.
sharing[uuid] contains id if {
	some uuid, here in services
	some a in here
	some b in here
	a.id < b.id
	a.manager == b.manager
	selection.overlap(a.slice, b.slice)
	not declared(a, b)
	some id in {a.id, b.id}
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
alone(c) if count({h | some h in holders.of[c.gpu]; h != c; not same(h, c)}) == 0

same(a, b) if {
	a.id == b.id
	claims.identified(a)
}

# meeting are the claims of the services that meet.
meeting(uuid) := {c | some c in holders.of[uuid]; c.id in sharing[uuid]}

declared(a, b) if {
	some s in recorded(a)
	some t in recorded(b)
	named_by(s, t)
}

named_by(s, t) if t.name in object.get(s, "sharedWith", [])

named_by(s, t) if s.name in object.get(t, "sharedWith", [])

# recorded are the manifest's services that a claim belongs to.
recorded(c) := {s |
	some s in input.launch.manifest.services
	is_of(c, s.runtime)
}

is_of(c, runtime) if {
	c.manager in {"docker", "podman"}
	runtime.docker.container == c.claimant
	party.same_endpoint(object.get(runtime.docker, "host", c.endpoint), c.endpoint)
}

is_of(c, runtime) if {
	c.manager == "systemd"
	trim_suffix(runtime.systemd.unit, ".service") == trim_suffix(c.claimant, ".service")
}

fail contains {
	"subject": subject.gpu(g),
	"message": "undeclared",
	"args": {"gpu": subject.gpu(g).name, "count": count({c.id | some c in all}), "holders": party.names(all)},
	"evidence": party.evidence(all),
} if {
	some g in input.nvml.gpus
	all := meeting(g.uuid)
	count(all) > 0

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
	"args": {"gpu": subject.gpu(g).name, "holders": party.names(meeting(g.uuid))},
	"evidence": party.evidence(meeting(g.uuid)),
} if {
	not input.launch.manifest
	some g in input.nvml.gpus
	count(meeting(g.uuid)) > 0
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
