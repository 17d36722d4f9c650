# METADATA
# title: Memory and latency were measured at the limits now configured
# description: >-
#   A service that fits and answers in time with one short request may do neither at its limits. Memory peak and p95
#   latency are measured at the greatest length or resolution and concurrency, with evidence, not longer ago than 180 days,
#   and the limits of the command line are not above the measured ones.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE003
#   severity: error
#   requires: [nvml.gpus, launch.manifest, launch.evidence]
#   covers: [L3, D5]
#   remediation: >-
#     Measure service {service} at the limits it runs with and record limits and measured (at, maxModelLen or resolution,
#     concurrency, peakMemoryMiB, p95LatencyMillis, evidence), or lower its limits to what was measured.
#   messages:
#     lacking: "service {service} has no {what} recorded"
#     beyond: "service {service} is limited to {what} {limit}, but was measured at {measured} only"
#     configured: "service {service} runs with {what} {running}, but its record says {limit}"
#     old: "service {service} was measured on {on}, more than 180 days ago"
#     future: "service {service} is said to be measured on {on}, which is still to come"
#     peak: "service {service} is said to have needed {peak} MiB at its peak, more than the {memory} MiB of {gpu}"
#     missing: "the evidence {file} of the measurement of service {service} is not there"
#     unlooked: "whether the evidence {file} of the measurement of service {service} is there could not be looked at"
#     unset: "the arguments of service {service} do not set its {what}; whether the engine's own default is the recorded {limit} is not known"
#     unread: "what {what} {running} means for service {service} is not known"
#     untold: "the memory of the GPUs that service {service} was measured on is not known"
#     manifestless: "there is no launch manifest that could record a measurement"
#   ko:
#     title: "지금 설정된 한도에서 메모리와 지연 시간을 측정했다"
#     description: >-
#       짧은 요청 하나에 맞고 제때 응답하는 서비스도 한도에서는 그렇지 않을 수 있습니다. 메모리 최고치와 p95 지연
#       시간을 최대 길이나 해상도와 동시성에서 증빙과 함께, 180일 이내에 측정해야 하며, 명령줄의 한도는 측정한 것보다
#       크지 않아야 합니다.
#     remediation: >-
#       서비스 {service}을(를) 실행 중인 한도에서 측정하고 limits와 measured(at, maxModelLen 또는 resolution,
#       concurrency, peakMemoryMiB, p95LatencyMillis, evidence)를 기록하거나, 한도를 측정한 값으로 낮추십시오.
#     messages:
#       lacking: "서비스 {service}에 {what}이(가) 기록되어 있지 않습니다"
#       beyond: "서비스 {service}의 한도는 {what} {limit}인데 {measured}까지만 측정했습니다"
#       configured: "서비스 {service}은(는) {what} {running}(으)로 실행 중인데 기록은 {limit}입니다"
#       old: "서비스 {service}을(를) 측정한 날은 {on}로, 180일이 넘었습니다"
#       future: "서비스 {service}을(를) 측정했다는 날 {on}은(는) 아직 오지 않았습니다"
#       peak: "서비스 {service}의 최고치는 {peak} MiB로 기록되어 {gpu}의 {memory} MiB보다 큽니다"
#       missing: "서비스 {service}의 측정 증빙 {file}이(가) 없습니다"
#       unlooked: "서비스 {service}의 측정 증빙 {file}이(가) 있는지 살펴볼 수 없었습니다"
#       unset: "서비스 {service}의 인자가 {what}을(를) 정하지 않습니다. 엔진의 기본값이 기록된 {limit}인지 알 수 없습니다"
#       unread: "{what} {running}이(가) 서비스 {service}에 무엇을 뜻하는지 알 수 없습니다"
#       untold: "서비스 {service}을(를) 측정한 GPU의 메모리를 알 수 없습니다"
#       manifestless: "측정을 기록할 런치 매니페스트가 없습니다"
package gpugate.rules.prelaunch.measured_at_limits

import data.gpugate.lib.dates
import data.gpugate.lib.index
import data.gpugate.lib.limits
import data.gpugate.lib.record
import data.gpugate.lib.subject

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.serving

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(record.serving) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name}, extra),
	"evidence": evidence,
}

measured(r, member) := sprintf("%s/measured/%s", [r.pointer, member])

# wanted are the members that every record has.
wanted := {
	["measured", "at"]: "day of its measurement (measured.at)",
	["measured", "peakMemoryMiB"]: "memory peak (measured.peakMemoryMiB)",
	["measured", "p95LatencyMillis"]: "p95 latency (measured.p95LatencyMillis)",
	["measured", "evidence"]: "evidence of its measurement (measured.evidence)",
	["measured", "concurrency"]: "concurrency that it was measured at (measured.concurrency)",
	["limits", "concurrency"]: "limit of concurrency (limits.concurrency)",
}

fail contains say(r, "lacking", {"what": what}, [r.pointer]) if {
	index.complete("launch.manifest.services")
	some r in record.serving
	some path, what in wanted
	not given(r, path)
}

given(r, path) if object.get(r.service, path, "") != ""

fail contains say(r, "lacking", {"what": what}, [r.pointer]) if {
	index.complete("launch.manifest.services")
	some r in record.serving
	some [section, what] in [["limits", "limit of length or resolution (limits.maxModelLen or limits.resolution)"], ["measured", "length or resolution that it was measured at (measured.maxModelLen or measured.resolution)"]]
	not given(r, [section, "maxModelLen"])
	not given(r, [section, "resolution"])
}

# sizes are a limit and what it was measured at, both as numbers.
sizes(r, name) := [r.service.limits[name], r.service.measured[name]] if name in {"maxModelLen", "concurrency"}

sizes(r, "resolution") := [limits.pixels(r.service.limits.resolution), limits.pixels(r.service.measured.resolution)]

fail contains say(r, "beyond", {"what": limits.names[name], "limit": r.service.limits[name], "measured": r.service.measured[name]}, [sprintf("%s/limits/%s", [r.pointer, name]), measured(r, name)]) if {
	some r in record.serving
	some name in ["maxModelLen", "concurrency", "resolution"]
	[limit, at] := sizes(r, name)
	limit > at
}

# A resolution in words can only be the same or another.
fail contains say(r, "beyond", {"what": "resolution", "limit": r.service.limits.resolution, "measured": r.service.measured.resolution}, [sprintf("%s/limits/resolution", [r.pointer])]) if {
	some r in record.serving
	not sizes(r, "resolution")
	lower(r.service.limits.resolution) != lower(r.service.measured.resolution)
}

# running are the values of a limit in the recorded arguments; that these are what
# runs is for the rules on records.
running(r, name) := limits.values(object.get(r.service, "args", []), name)

amount(name, text) := limits.number(text) if name in {"maxModelLen", "concurrency"}

amount("resolution", text) := limits.pixels(text)

recorded(r, name) := r.service.limits[name] if name in {"maxModelLen", "concurrency"}

recorded(r, "resolution") := limits.pixels(r.service.limits.resolution)

fail contains say(r, "configured", {"what": limits.names[name], "running": value, "limit": r.service.limits[name]}, [sprintf("%s/limits/%s", [r.pointer, name]), sprintf("%s/args", [r.pointer])]) if {
	some r in record.serving
	some name, _ in limits.flags
	some value in running(r, name)
	amount(name, value) != recorded(r, name)
}

unknown contains say(r, "unread", {"what": limits.names[name], "running": value}, [sprintf("%s/args", [r.pointer])]) if {
	some r in record.serving
	some name, _ in limits.flags
	some value in running(r, name)
	not amount(name, value)
}

unknown contains say(r, "unset", {"what": limits.names[name], "limit": r.service.limits[name]}, [sprintf("%s/limits/%s", [r.pointer, name])]) if {
	some r in record.serving
	some name in ["maxModelLen", "concurrency"]
	r.service.limits[name]
	count(running(r, name)) == 0
}

day_ns := 86400000000000

fail contains say(r, "old", {"on": r.service.measured.at}, [measured(r, "at")]) if {
	some r in record.serving
	dates.valid(r.service.measured.at)
	age := time.parse_rfc3339_ns(input.collectedAt) - time.parse_rfc3339_ns(sprintf("%sT00:00:00Z", [r.service.measured.at]))
	age > 181 * day_ns
}

fail contains say(r, "future", {"on": r.service.measured.at}, [measured(r, "at")]) if {
	some r in record.serving
	dates.future(r.service.measured.at)
}

# cards are those of a service, by index or UUID.
cards(r) := [g |
	some name in r.service.gpus
	some g in input.nvml.gpus
	name in {sprintf("%d", [g.index]), g.uuid}
]

fail contains say(r, "peak", {"peak": r.service.measured.peakMemoryMiB, "memory": round(g.memory.totalBytes / 1048576), "gpu": subject.gpu_name(g)}, [measured(r, "peakMemoryMiB")]) if {
	some r in record.serving
	some g in cards(r)
	r.service.measured.peakMemoryMiB * 1048576 > g.memory.totalBytes
}

unknown contains say(r, "untold", {}, [r.pointer]) if {
	some r in record.serving
	not sized(r)
}

# sized holds if the memory of every card of the service is known; MIG instances
# are cards of their own.
sized(r) if {
	count(r.service.gpus) > 0
	every name in r.service.gpus {
		has_memory(name)
	}
}

has_memory(name) if {
	some g in input.nvml.gpus
	name in {sprintf("%d", [g.index]), g.uuid}
	g.memory.totalBytes > 0
}

has_memory(name) if {
	some g in input.nvml.gpus
	some m in g.migDevices
	m.uuid == name
	m.memoryTotalBytes > 0
}

fail contains say(r, "peak", {"peak": r.service.measured.peakMemoryMiB, "memory": round(m.memoryTotalBytes / 1048576), "gpu": name}, [measured(r, "peakMemoryMiB")]) if {
	some r in record.serving
	some name in r.service.gpus
	some g in input.nvml.gpus
	some m in g.migDevices
	m.uuid == name
	r.service.measured.peakMemoryMiB * 1048576 > m.memoryTotalBytes
}

proofs(r) := [e | some e in input.launch.evidence; e.reference == r.service.measured.evidence]

fail contains say(r, "missing", {"file": r.service.measured.evidence}, [measured(r, "evidence")]) if {
	some r in record.serving
	some e in proofs(r)
	e.found == false
}

unknown contains say(r, "unlooked", {"file": r.service.measured.evidence}, [measured(r, "evidence")]) if {
	some r in record.serving
	r.service.measured.evidence
	not looked(r)
}

looked(r) if {
	some e in proofs(r)
	e.found in {true, false}
}

looked(r) if {
	some e in proofs(r)
	e.kind == "url"
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": ["/launch"]} if not input.launch.manifest
