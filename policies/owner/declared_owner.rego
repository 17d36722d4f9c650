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
