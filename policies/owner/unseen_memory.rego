# METADATA
# title: The memory of every GPU is accounted for
# description: >-
#   Memory that no listed process holds belongs to somebody who cannot be seen: a
#   process of another PID namespace or virtual machine, or one that died without
#   giving it back. Up to 512 MiB are the driver's own.
# schemas:
#   - input: schema.facts
# custom:
#   id: OWN006
#   severity: error
#   requires: [nvml.gpus, nvml.processes]
#   covers: [O5]
#   remediation: >-
#     Look who has {gpu} open (fuser -v /dev/nvidia*), also on the host if this is a container or a
#     virtual machine. If nobody has, drain the card and reset it or restart the server.
#   messages:
#     unseen: "{gpu} has {used} MiB in use, of which the listed processes hold {listed} MiB"
#     unmeasured: "{gpu} has {used} MiB in use; how much of it the listed processes hold is not known"
#     unlisted: "{gpu} has {used} MiB in use, more than the listed processes hold, but the list of processes is not whole"
#     unreadable: "{gpu} does not tell how much of its memory is in use"
#   ko:
#     title: "모든 GPU 메모리의 사용처를 알 수 있다"
#     description: >-
#       나열된 프로세스가 잡고 있지 않은 메모리는 보이지 않는 누군가의 것입니다. 다른 PID 네임스페이스나 가상 머신의
#       프로세스, 또는 메모리를 돌려주지 않고 죽은 프로세스입니다. 512 MiB까지는 드라이버 자신의 것으로 봅니다.
#     remediation: >-
#       {gpu}을(를) 누가 열고 있는지 살펴보십시오(fuser -v /dev/nvidia*). 이곳이 컨테이너나 가상 머신이라면
#       호스트에서도 살펴보십시오. 아무도 없다면 카드를 비우고 재설정하거나 서버를 다시 시작하십시오.
#     messages:
#       unseen: "{gpu}의 메모리 {used} MiB가 사용 중이며, 나열된 프로세스가 잡은 것은 {listed} MiB입니다"
#       unmeasured: "{gpu}의 메모리 {used} MiB가 사용 중입니다. 나열된 프로세스가 그 가운데 얼마를 잡고 있는지 알 수 없습니다"
#       unlisted: "{gpu}의 메모리 {used} MiB가 사용 중이며 나열된 프로세스가 잡은 것보다 많지만, 프로세스 목록이 온전하지 않습니다"
#       unreadable: "{gpu}의 메모리 사용량을 알 수 없습니다"
package gpugate.rules.owner.unseen_memory

import data.gpugate.lib.index
import data.gpugate.lib.plumbing
import data.gpugate.lib.subject

subjects contains subject.gpu(g) if some g in input.nvml.gpus

applicable := false if count(input.nvml.gpus) == 0

mib := 1048576

# used is what is in use beyond what the driver reserves for itself. Drivers
# differ in whether the used memory they tell includes the reserved: if used, free
# and reserved together fit into the card, it does not.
used(g) := m.usedBytes if {
	m := g.memory
	(m.usedBytes + m.freeBytes) + object.get(m, "reservedBytes", 0) <= m.totalBytes
} else := max({0, m.usedBytes - object.get(m, "reservedBytes", 0)}) if {
	m := g.memory
}

# sizes are what each process holds on each of its instances: a process listed
# twice, for compute and for graphics, holds its memory once.
sizes[uuid] contains [p.pid, object.get(p, "gpuInstanceId", -1), object.get(p, "usedMemoryBytes", -1)] if {
	some p in input.nvml.processes
	uuid := p.gpu
}

of(g) := object.get(sizes, [g.uuid], set())

listed(g) := sum([bytes | some [_, _, bytes] in of(g); bytes > 0])

unmeasured(g) if {
	some [_, _, bytes] in of(g)
	bytes < 0
}

excess(g) := used(g) - listed(g)

args(g) := {
	"gpu": subject.gpu(g).name,
	"used": round(used(g) / mib),
	"listed": round(listed(g) / mib),
}

statement(i, g, message) := {"subject": subject.gpu(g), "message": message, "args": args(g), "evidence": [sprintf("/nvml/gpus/%d/memory", [i])]}

fail contains statement(i, g, "unseen") if {
	some i, g in input.nvml.gpus
	excess(g) > plumbing.idle_bytes
	not unmeasured(g)
	index.complete("nvml.processes")
	index.complete_for("nvml.gpus", g.uuid)
}

unknown contains statement(i, g, "unmeasured") if {
	some i, g in input.nvml.gpus
	excess(g) > plumbing.idle_bytes
	unmeasured(g)
}

unknown contains statement(i, g, "unlisted") if {
	some i, g in input.nvml.gpus
	excess(g) > plumbing.idle_bytes
	not index.complete("nvml.processes")
}

unknown contains {"subject": subject.gpu(g), "message": "unreadable", "args": {"gpu": subject.gpu(g).name}, "evidence": [sprintf("/nvml/gpus/%d", [i])]} if {
	some i, g in input.nvml.gpus
	not used(g)
}
