# METADATA
# title: "The host has memory to answer with"
# description: >-
#   Ping answers, SSH does not: the kernel answers without memory, sshd has to fork. Less than 5 % of the memory
#   available, more than 80 % of it locked (mlock), or a kernel that ended processes for want of memory points
#   to it.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS010
#   severity: warning
#   onRequest: true
#   requires: [host.name, host.memory, logs.streams]
#   covers: [F10]
#   remediation: >-
#     Look from the console of {host} (free -h; grep Mlocked /proc/meminfo; dmesg | grep -i oom). Before a
#     reboot, see what work it would end, and keep the logs.
#   messages:
#     available: "{host} has {available} MiB of {total} MiB memory available"
#     locked: "{host} has {locked} MiB of {total} MiB memory locked"
#     killed: "the kernel of {host} ended processes for want of memory"
#     fork: "{host} could not start processes for want of memory"
#     untold: "how much memory {host} has is not known"
#     logless: "no log of the kernel of {host} was read"
#   ko:
#     title: "호스트에 응답할 메모리가 있다"
#     description: >-
#       ping은 되지만 SSH가 되지 않는 증상입니다. 커널은 메모리 없이도 응답하지만 sshd는 fork해야 합니다. 사용
#       가능한 메모리가 5 % 미만이거나, 80 % 넘게 잠겨 있거나(mlock), 커널이 메모리 부족으로 프로세스를 끝냈다면
#       이를 가리킵니다.
#     remediation: >-
#       {host}의 콘솔에서 살펴보십시오(free -h; grep Mlocked /proc/meminfo; dmesg | grep -i oom). 재부팅 전에
#       어떤 작업이 끝나는지 확인하고 로그를 확보하십시오.
#     messages:
#       available: "{host}의 메모리 {total} MiB 가운데 {available} MiB만 사용할 수 있습니다"
#       locked: "{host}의 메모리 {total} MiB 가운데 {locked} MiB가 잠겨 있습니다"
#       killed: "{host}의 커널이 메모리 부족으로 프로세스를 끝냈습니다"
#       fork: "{host}이(가) 메모리 부족으로 프로세스를 시작하지 못했습니다"
#       untold: "{host}의 메모리를 알 수 없습니다"
#       logless: "{host}의 커널 로그를 읽지 못했습니다"
package gpugate.rules.operations.memory_exhausted

import data.gpugate.lib.subject

subjects contains subject.host

say(message, extra, evidence) := {
	"subject": subject.host, "message": message, "args": object.union({"host": subject.host.name}, extra), "evidence": evidence,
}

mib(bytes) := sprintf("%d", [round(bytes / 1048576)])

memory := input.host.memory

total := mib(memory.totalBytes)

fail contains say("available", {"available": mib(memory.availableBytes), "total": total}, ["/host/memory/availableBytes"]) if {
	memory.availableBytes * 100 < memory.totalBytes * 5
}

fail contains say("locked", {"locked": mib(memory.mlockedBytes), "total": total}, ["/host/memory/mlockedBytes"]) if {
	memory.mlockedBytes * 100 > memory.totalBytes * 80
}

kernel := [[i, s] | some i, s in input.logs.streams; s.kind == "kernel"]

troubles := {"hostOutOfMemory": "killed", "forkFailed": "fork", "memoryLockFailed": "fork"}

fail contains say(troubles[g.name], {}, [sprintf("/logs/streams/%d/signals/%d", [i, j])]) if {
	some [i, s] in kernel
	some j, g in s.signals
}

unknown contains say("untold", {}, ["/host/memory"]) if not memory

unknown contains say("logless", {}, []) if count(kernel) == 0
