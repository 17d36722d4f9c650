# METADATA
# title: The server has the GPUs that are expected
# description: >-
#   Number, product and memory of the GPUs are confirmed on the actual instance. Memory may
#   differ by 5 %: what a driver tells is below the round number of the product, by an amount
#   that depends on error correction and driver. A card that does not answer counts as missing.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE002
#   severity: error
#   requires: [nvml.gpus, launch.manifest]
#   covers: [L2]
#   remediation: >-
#     Compare {found} (nvidia-smi -L, lspci | grep -i nvidia) with what was ordered; correct the launch
#     manifest (host.gpus) if the order changed, else have the instance replaced.
#   messages:
#     count: "the server has {found} that answer, not the expected {expected}"
#     unreadable: "{found} does not answer: {error}"
#     product: "{found} is not the expected {expected}"
#     memory: "{found} has {memory} MiB of memory, not the expected {expected} MiB (5 % tolerated)"
#     unexpected: "the launch manifest does not say which GPUs are expected (host.gpus: {what})"
#     nameless: "{found} does not tell its product"
#     unmeasured: "{found} does not tell its memory"
#   ko:
#     title: "서버에 기대한 GPU가 있다"
#     description: >-
#       GPU의 수, 제품, 메모리를 실제 인스턴스에서 확인합니다. 메모리는 5 %까지 다를 수 있습니다. 드라이버가 말하는
#       값은 오류 정정과 드라이버에 따라 제품의 공칭 값보다 조금 작습니다. 응답하지 않는 카드는 없는 것으로 셉니다.
#     remediation: >-
#       {found}을(를) 주문한 것과 비교하십시오(nvidia-smi -L, lspci | grep -i nvidia). 주문이 바뀌었다면 런치
#       매니페스트(host.gpus)를 고치고, 아니면 인스턴스를 교체받으십시오.
#     messages:
#       count: "응답하는 GPU: {found}. 기대한 것: {expected}"
#       unreadable: "{found}이(가) 응답하지 않습니다: {error}"
#       product: "{found}은(는) 기대한 {expected}이(가) 아닙니다"
#       memory: "{found}의 메모리는 {memory} MiB로 기대한 {expected} MiB와 다릅니다(5 %까지 허용)"
#       unexpected: "런치 매니페스트에 어떤 GPU를 기대하는지 적혀 있지 않습니다(host.gpus: {what})"
#       nameless: "{found}의 제품을 알 수 없습니다"
#       unmeasured: "{found}의 메모리를 알 수 없습니다"
package gpugate.rules.prelaunch.gpus_as_expected

import data.gpugate.lib.index
import data.gpugate.lib.subject

self := subject.manifest("host.gpus")

subjects contains self

expected := input.launch.manifest.host.gpus

mib := 1048576

# answering are the cards the driver can read.
answering := [g | some g in input.nvml.gpus; g.state == "ok"]

name(g) := sprintf("%s (%s)", [subject.gpu_name(g), object.get(g, "name", "unnamed")])

fail contains {
	"subject": self,
	"message": "count",
	"args": {"found": sprintf("%d GPUs", [count(answering)]), "expected": expected.count},
	"evidence": ["/launch/manifest/host/gpus/count", "/nvml/gpus"],
} if {
	count(answering) != expected.count
	index.complete("nvml.gpus")
}

# More cards than expected are proven whatever else could not be read.
fail contains {
	"subject": self,
	"message": "count",
	"args": {"found": sprintf("%d GPUs", [count(answering)]), "expected": expected.count},
	"evidence": ["/launch/manifest/host/gpus/count", "/nvml/gpus"],
} if {
	count(answering) > expected.count
}

fail contains {
	"subject": self,
	"message": "unreadable",
	"args": {"found": name(g), "error": object.get(g, "error", "the driver gives no reason")},
	"evidence": [sprintf("/nvml/gpus/%d/state", [i])],
} if {
	some i, g in input.nvml.gpus
	g.state == "unreadable"
}

fail contains {
	"subject": self,
	"message": "product",
	"args": {"found": name(g), "expected": expected.product},
	"evidence": ["/launch/manifest/host/gpus/product", sprintf("/nvml/gpus/%d/name", [i])],
} if {
	some i, g in input.nvml.gpus
	plain(g.name) != plain(expected.product)
}

# plain leaves out the maker and blanks: "NVIDIA L20" is "L20".
plain(product) := regex.replace(replace(lower(product), "nvidia", ""), `[^a-z0-9]`, "")

fail contains {
	"subject": self,
	"message": "memory",
	"args": {"found": name(g), "memory": round(g.memory.totalBytes / mib), "expected": expected.memoryMiB},
	"evidence": ["/launch/manifest/host/gpus/memoryMiB", sprintf("/nvml/gpus/%d/memory/totalBytes", [i])],
} if {
	some i, g in input.nvml.gpus
	abs(g.memory.totalBytes - (expected.memoryMiB * mib)) > (expected.memoryMiB * mib) * 0.05
}

unknown contains {"subject": self, "message": "unexpected", "args": {"what": what}, "evidence": ["/launch/manifest"]} if {
	some what in unstated
}

unstated contains "count, product and memoryMiB" if not input.launch.manifest.host.gpus

unstated contains "product" if {
	input.launch.manifest.host.gpus
	not input.launch.manifest.host.gpus.product
}

unstated contains "memoryMiB" if {
	input.launch.manifest.host.gpus
	not input.launch.manifest.host.gpus.memoryMiB
}

unknown contains {"subject": self, "message": "nameless", "args": {"found": name(g)}, "evidence": [sprintf("/nvml/gpus/%d", [i])]} if {
	some i, g in input.nvml.gpus
	not g.name
}

unknown contains {"subject": self, "message": "unmeasured", "args": {"found": name(g)}, "evidence": [sprintf("/nvml/gpus/%d", [i])]} if {
	some i, g in input.nvml.gpus
	not g.memory
}
