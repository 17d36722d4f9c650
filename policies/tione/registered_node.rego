# METADATA
# title: TI-ONE sees the server as it is
# description: >-
#   After registration the node is RUNNING and its GPU type and count are the
#   server's. TI-ONE counts in hundredths of a card, and RealGpu is 0 on nodes that do
#   have GPUs: it matters only when it is positive, as the size of virtual cards. Of GPU
#   memory TI-ONE tells nothing.
# related_resources:
#   - ref: https://github.com/TencentCloud/tencentcloud-sdk-go/blob/master/tencentcloud/tione/v20211111/models.go
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO004
#   severity: error
#   requires: [nvml.gpus, tione.resourceGroup, launch.manifest.tione]
#   covers: [T4]
#   remediation: >-
#     Look at node {node} in the TI-ONE console; if the server's GPUs changed, take it out of the
#     group and add it again.
#   messages:
#     status: "node {node} is {status} in TI-ONE, not RUNNING{error}"
#     count: "node {node} has {registered} GPUs in TI-ONE, but the server has {present}"
#     type: "node {node} is of GPU type {type} in TI-ONE, but the server has {products}"
#     unlisted: "resource group {group} does not list this server although the launch manifest names the group (node {node})"
#     untold: "TI-ONE does not tell the {what} of node {node}"
#     uncounted: "the server's own GPUs are not known, so that node {node} has nothing to be compared with"
#     elsewhere: "the export lists {listed} of {total} nodes and this server is not among them; whether it belongs to the group is not known"
#     exportless: "no export of a TI-ONE resource group was given"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no export was given"
#   ko:
#     title: "TI-ONE이 서버를 있는 그대로 본다"
#     description: >-
#       등록 후 노드는 RUNNING이고 GPU 종류와 수가 서버의 것과 같아야 합니다. TI-ONE은 카드를 100분의 1 단위로 세며,
#       RealGpu는 GPU가 있는 노드에서도 0이므로 양수일 때만 가상 카드의 크기로서 뜻이 있습니다. TI-ONE은 GPU 메모리를
#       알려 주지 않습니다.
#     remediation: >-
#       TI-ONE 콘솔에서 노드 {node}을(를) 살펴보십시오. 서버의 GPU가 바뀌었다면 그룹에서 뺐다가 다시 추가하십시오.
#     messages:
#       status: "TI-ONE에서 노드 {node}의 상태가 RUNNING이 아니라 {status}입니다{error}"
#       count: "TI-ONE에서 노드 {node}의 GPU는 {registered}개이지만 서버에는 {present}개가 있습니다"
#       type: "TI-ONE에서 노드 {node}의 GPU 종류는 {type}이지만 서버의 GPU는 {products}입니다"
#       unlisted: "런치 매니페스트는 자원 그룹 {group}을(를) 말하지만 그 그룹의 목록에 이 서버가 없습니다(노드 {node})"
#       untold: "TI-ONE이 노드 {node}의 {what}을(를) 알려 주지 않습니다"
#       uncounted: "서버 자신의 GPU를 알 수 없어 노드 {node}과(와) 비교할 것이 없습니다"
#       elsewhere: "내보내기 자료에는 전체 {total}개 노드 가운데 {listed}개만 있고 이 서버는 그 안에 없습니다. 그룹에 속하는지 알 수 없습니다"
#       exportless: "TI-ONE 자원 그룹의 내보내기 자료가 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 내보내기 자료는 주어지지 않았습니다"
package gpugate.rules.tione.registered_node

import data.gpugate.lib.index
import data.gpugate.lib.word

group := input.tione.resourceGroup

# here are this server's nodes in the group: one, unless the export is odd.
here := [[i, n] | some i, n in group.instances; n.thisHost]

node_subject(n) := {"kind": "instance", "id": n.id, "name": object.get(n, "name", n.id)}

group_subject := {"kind": "resourceGroup", "id": "group", "name": "TI-ONE resource group"}

subjects contains node_subject(n) if some [_, n] in here

subjects contains group_subject if count(here) == 0

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

at(i, member) := [sprintf("/tione/resourceGroup/instances/%d/%s", [i, member])]

fail contains {
	"subject": node_subject(n),
	"message": "status",
	"args": {"node": n.id, "status": n.status, "error": words(n)},
	"evidence": at(i, "status"),
} if {
	some [i, n] in here
	n.status != "RUNNING"
}

words(n) := sprintf(" (%s)", [concat(": ", [t | some t in [object.get(n, "errorCode", ""), object.get(n, "errorMessage", "")]; t != ""])]) if {
	some t in [object.get(n, "errorCode", ""), object.get(n, "errorMessage", "")]
	t != ""
} else := ""

present := count(input.nvml.gpus)

# known holds if the server's own cards could be read.
known if {
	present > 0
	index.complete("nvml.gpus")
}

# virtual holds if the node's cards are parts of physical ones, so that their
# number cannot be compared.
virtual(n) if {
	n.realGpuHundredths > 0
	n.realGpuHundredths != n.totalGpuHundredths
}

fail contains {
	"subject": node_subject(n),
	"message": "count",
	"args": {"node": n.id, "registered": n.totalGpuHundredths / 100, "present": present},
	"evidence": at(i, "totalGpuHundredths"),
} if {
	known
	some [i, n] in here
	not virtual(n)
	index.complete("tione.resourceGroup")
	n.totalGpuHundredths != present * 100
}

products := {g.name | some g in input.nvml.gpus}

fail contains {
	"subject": node_subject(n),
	"message": "type",
	"args": {"node": n.id, "type": n.gpuType, "products": products},
	"evidence": at(i, "gpuType"),
} if {
	known
	some [i, n] in here
	n.gpuType != ""
	some g in input.nvml.gpus
	g.name
	not contains(plain(g.name), plain(n.gpuType))
}

# plain is a product's name without blanks and marks: TI-ONE writes 4090D where the
# driver writes NVIDIA GeForce RTX 4090 D.
plain(name) := regex.replace(lower(name), `[^a-z0-9]`, "")

fail contains {
	"subject": group_subject,
	"message": "unlisted",
	"args": {"group": named, "node": "not listed"},
	"evidence": ["/launch/manifest/tione/resourceGroup", "/tione/resourceGroup/instances"],
} if {
	group
	count(here) == 0
	named := input.launch.manifest.tione.resourceGroup
	named == group.id
	not input.launch.manifest.tione.registered == false
	whole
	index.complete("tione.resourceGroup")
}

# whole holds if the export is not one page of several.
whole if group.totalCount == count(group.instances)

unknown contains {"subject": node_subject(n), "message": "untold", "args": {"node": n.id, "what": what}, "evidence": [sprintf("/tione/resourceGroup/instances/%d", [i])]} if {
	some [i, n] in here
	some what in untold(n)
}

untold(n) := nameless(n) | amounts(n)

nameless(n) := {what |
	some what, member in {"status": "status", "GPU type": "gpuType"}
	object.get(n, [member], "") == ""
}

amounts(n) := {"number of physical GPUs (its cards are virtual)"} if {
	virtual(n)
} else := set() if {
	n.totalGpuHundredths
} else := {"GPU count"}

unknown contains {"subject": node_subject(n), "message": "uncounted", "args": {"node": n.id}, "evidence": ["/nvml/gpus"]} if {
	some [_, n] in here
	not known
}

unknown contains {"subject": group_subject, "message": "elsewhere", "args": {"listed": count(group.instances), "total": object.get(group, "totalCount", "an unknown number of")}, "evidence": ["/tione/resourceGroup"]} if {
	group
	count(here) == 0
}

unknown contains {"subject": group_subject, "message": "exportless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.resourceGroup
}
