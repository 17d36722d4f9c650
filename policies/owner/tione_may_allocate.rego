# METADATA
# title: TI-ONE may not allocate a GPU that another party holds
# description: >-
#   TI-ONE places work on every server of its resource groups and knows nothing
#   of the systemd and Docker services that run there already.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN011
#   severity: error
#   requires:
#     - nvml.gpus
#     - nvml.processes
#     - host.processes
#     - docker.daemons
#     - systemd.units
#     - tione.resourceGroup
#     - launch.manifest.tione.registered
#   covers: [O1, L11]
#   remediation: >-
#     Keep one of the two: stop what runs outside TI-ONE on {gpu} ({stop}), or take the
#     server out of {group} in the TI-ONE console.
#   messages:
#     conflict: "{gpu} is held by {holders} while TI-ONE may place work on it ({group}, {status})"
#     undetermined: "{gpu} belongs to TI-ONE {group}, and {holder} uses it, of which it is not known which party manages it"
#     undecided: "{gpu} belongs to TI-ONE {group}; whether {claimant} uses it cannot be told: {why}"
#     paged: "the export of the resource group lists {listed} of {total} nodes; this server may be among the others"
#     exportless: "no export of a TI-ONE resource group was given"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no export was given"
#   ko:
#     title: "다른 주체가 점유한 GPU를 TI-ONE이 할당할 수 없다"
#     description: >-
#       TI-ONE은 자원 그룹의 모든 서버에 작업을 배치하며, 거기서 이미 실행 중인 systemd와 Docker 서비스를 알지
#       못합니다.
#     remediation: >-
#       둘 가운데 하나만 남기십시오. {gpu}에서 TI-ONE 밖의 작업을 멈추거나({stop}), TI-ONE 콘솔에서 {group}에서 이
#       서버를 빼십시오.
#     messages:
#       conflict: "{gpu}의 점유자는 {holders}인데, TI-ONE이 거기에 작업을 배치할 수 있습니다({group}, {status})"
#       undetermined: "{gpu}은(는) TI-ONE {group}에 속하고 {holder}이(가) 이를 쓰고 있으나, 그 관리 주체를 알 수 없습니다"
#       undecided: "{gpu}은(는) TI-ONE {group}에 속합니다. {claimant}이(가) 이를 쓰는지 판단할 수 없습니다: {why}"
#       paged: "자원 그룹의 내보내기 자료에는 전체 {total}개 노드 가운데 {listed}개만 있습니다. 이 서버가 나머지에 있을 수 있습니다"
#       exportless: "TI-ONE 자원 그룹의 내보내기 자료가 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 내보내기 자료는 주어지지 않았습니다"
package gpugate.rules.owner.tione_may_allocate

import data.gpugate.lib.claims
import data.gpugate.lib.holders
import data.gpugate.lib.party
import data.gpugate.lib.subject
import data.gpugate.lib.word

subjects contains subject.gpu(g) if some g in input.nvml.gpus

# Where there is no card, none is allocated.
subjects contains subject.no_gpu if count(input.nvml.gpus) == 0

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

claimed[uuid] contains c if {
	some c in claims.registered
	uuid := c.gpu
}

outside[uuid] contains c if {
	some uuid, here in holders.of
	some c in here
	party.distinct(c.manager, "ti-one")
}

fail contains {
	"subject": subject.gpu(g),
	"message": "conflict",
	"args": {
		"gpu": subject.gpu(g).name,
		"holders": party.names(outside[g.uuid]),
		"stop": party.stops(outside[g.uuid]),
		"group": claim.claimant,
		"status": claim.note,
	},
	"evidence": array.concat(claim.evidence, party.evidence(outside[g.uuid])),
} if {
	some g in input.nvml.gpus
	some claim in claimed[g.uuid]
	count(outside[g.uuid]) > 0
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undetermined",
	"args": {"gpu": subject.gpu(g).name, "holder": party.describe(c), "group": claim.claimant},
	"evidence": c.evidence,
} if {
	some g in input.nvml.gpus
	some claim in claimed[g.uuid]
	some c in holders.of[g.uuid]
	not c.manager == "ti-one"
	not party.distinct(c.manager, "ti-one")
}

unknown contains {
	"subject": subject.gpu(g),
	"message": "undecided",
	"args": {"gpu": subject.gpu(g).name, "claimant": party.describe(u), "group": claim.claimant, "why": u.why},
	"evidence": u.evidence,
} if {
	some g in input.nvml.gpus
	some claim in claimed[g.uuid]
	some u in claims.undecided
}

# A paged export proves nothing about nodes it does not list.
unknown contains {
	"subject": subject.gpu(g),
	"message": "paged",
	"args": {"listed": count(input.tione.resourceGroup.instances), "total": input.tione.resourceGroup.totalCount},
	"evidence": ["/tione/resourceGroup/totalCount"],
} if {
	input.tione.resourceGroup.totalCount > count(input.tione.resourceGroup.instances)
	some g in input.nvml.gpus
	not claimed[g.uuid]
}

unknown contains {"subject": subject.gpu(g), "message": "exportless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.resourceGroup
	some g in input.nvml.gpus
}
