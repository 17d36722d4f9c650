# METADATA
# title: Nobody reaches a GPU that was not given to them
# description: >-
#   A privileged container opens every device node whatever it asked for; an image
#   that sets NVIDIA_VISIBLE_DEVICES=all gets every card on a daemon whose default
#   runtime is NVIDIA's; a unit without limits may take any card. Such access is
#   reported where somebody else holds the card, and, for containers, where the
#   container was given other cards or does not use the card at all.
# related_resources:
#   - ref: https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN009
#   severity: warning
#   securitySeverity: "5.5"
#   requires: [nvml.gpus, nvml.processes, host.processes, docker.daemons, systemd.units]
#   covers: [O1, O4]
#   remediation: >-
#     Give {claimant} only the GPUs it needs ({how}), so that it cannot reach {gpu}.
#   messages:
#     held: "{claimant} can reach {gpu} without having been given it ({via}) while {holders} uses it"
#     unused: "{claimant} can reach {gpu} without having been given it ({via}) and does not use it"
#     undetermined: "{claimant} can reach {gpu} without having been given it ({via}); whether {holders} is another one is not known"
#     undecided: "whether {claimant} reaches {gpu} cannot be told: {why}"
#   ko:
#     title: "주어지지 않은 GPU에는 아무도 접근하지 못한다"
#     description: >-
#       특권 컨테이너는 무엇을 요청했든 모든 장치 노드를 엽니다. NVIDIA_VISIBLE_DEVICES=all을 설정한 이미지는 기본
#       런타임이 NVIDIA인 데몬에서 모든 카드를 얻고, 제한이 없는 유닛은 어떤 카드든 쓸 수 있습니다. 다른 누군가가
#       카드를 점유한 경우, 그리고 컨테이너라면 다른 카드를 받았거나 카드를 전혀 쓰지 않는 경우 이런 접근을
#       보고합니다.
#     remediation: >-
#       {claimant}에 필요한 GPU만 주어({how}) {gpu}에 접근하지 못하게 하십시오.
#     messages:
#       held: "{claimant}은(는) {gpu}을(를) 받지 않았는데도 접근할 수 있고({via}), 그 GPU는 {holders}이(가) 쓰고 있습니다"
#       unused: "{claimant}은(는) {gpu}을(를) 받지 않았는데도 접근할 수 있으며({via}) 이를 쓰지 않습니다"
#       undetermined: "{claimant}은(는) {gpu}을(를) 받지 않았는데도 접근할 수 있습니다({via}). {holders}이(가) 다른 주체인지 알 수 없습니다"
#       undecided: "{claimant}이(가) {gpu}에 접근하는지 판단할 수 없습니다: {why}"
package gpugate.rules.owner.implicit_access

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

# reaching are the live claims that nobody made on purpose, of claimants of which
# it is known what they were given.
reaching[uuid] contains c if {
	some c in claims.configured
	c.live
	not c.explicit
	c.whole
	not given(c.id, c.gpu)
	not undecided(c)
	uuid := c.gpu
}

undecided(c) if c.claimant in undecided_names

undecided_names contains u.claimant if some u in claims.undecided

given(id, uuid) if uuid in all_given[id]

# All are made at once: a rule that is asked for one key is evaluated for each key.
all_given := given_to

all_held := held_by

# given_to are the cards that were given by name, by whom.
given_to[c.id] contains uuid if {
	some uuid, here in holders.given
	some c in here
}

# held_by are the claims of the holders of each card, by id.
held_by[uuid][h.id] contains h if {
	some uuid, here in holders.of
	some h in here
}

# identified are the holders of each card that are known, and anonymous the others,
# by what is known of their party.
identified[uuid] contains h if {
	some uuid, here in holders.of
	some h in here
	claims.identified(h)
}

anonymous[uuid][h.manager] contains h if {
	some uuid, here in holders.of
	some h in here
	not claims.identified(h)
}

# others hold the card besides the one that reaches it. For all that do not hold
# it themselves they are the same, and are made once.
others(c) := others_than(c.gpu, self(c), c.manager)

others_than(uuid, id, manager) := {h |
	some h in identified[uuid]
	h.id != id
} | {h |
	some other, here in anonymous[uuid]
	party.distinct(other, manager)
	some h in here
}

# unnamed are holders of which it is not known whether they are the one that
# reaches the card.
unnamed(c) := unnamed_for(c.gpu, c.manager)

unnamed_for(uuid, manager) := {h |
	some other, here in anonymous[uuid]
	not party.distinct(other, manager)
	some h in here
}

# self is the id of a claimant that holds the card.
self(c) := c.id if {
	uses(c)
} else := ""

uses(c) if all_held[c.gpu][c.id]

# chosen are containers that were given cards by name, but not this one.
chosen(c) if {
	some uuid in all_given[c.id]
	uuid != c.gpu
}

unused(c) if {
	c.manager != "systemd"
	c.via != "privileged"
	unseen(c)
}

unused(c) if {
	c.manager != "systemd"
	chosen(c)
	unseen(c)
}

# unseen holds if every process on the card is known, and none is the claimant's.
unseen(c) if {
	not uses(c)
	count(unnamed(c)) == 0
	index.complete_for("nvml.processes", c.gpu)
}

args(g, c) := {
	"claimant": party.describe(c),
	"gpu": subject.gpu(g).name,
	"via": c.via,
	"holders": names(c.gpu, self(c), c.manager),
	"how": how(c),
}

names(uuid, id, manager) := party.names(others_than(uuid, id, manager))

evidence(uuid, id, manager) := party.evidence(others_than(uuid, id, manager))

how(c) := sprintf("CUDA_VISIBLE_DEVICES with UUIDs and DeviceAllow= in systemctl edit %s", [c.claimant]) if {
	c.manager == "systemd"
} else := "--gpus '\"device=UUID\"' instead of --privileged, or NVIDIA_VISIBLE_DEVICES=void for none"

fail contains {"subject": subject.gpu(g), "message": "held", "args": args(g, c), "evidence": array.concat(c.evidence, evidence(c.gpu, self(c), c.manager))} if {
	some g in input.nvml.gpus
	some c in reaching[g.uuid]
	c.manager != "kubernetes"
	count(others(c)) > 0
}

fail contains {"subject": subject.gpu(g), "message": "unused", "args": args(g, c), "evidence": c.evidence} if {
	some g in input.nvml.gpus
	some c in reaching[g.uuid]
	c.manager != "kubernetes"
	count(others(c)) == 0
	unused(c)
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "claimant": party.describe(c), "via": c.via, "holders": party.names(unnamed(c))},
	"evidence": array.concat(c.evidence, party.evidence(unnamed(c))),
} if {
	some g in input.nvml.gpus
	some c in reaching[g.uuid]
	c.manager != "kubernetes"
	count(unnamed(c)) > 0
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
