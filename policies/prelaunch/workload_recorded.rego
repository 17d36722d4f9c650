# METADATA
# title: What runs on a GPU is recorded
# description: >-
#   A container or unit that runs on a GPU and that the launch manifest does not
#   name was started beside the record, so nothing is known of its image, its
#   weights or its limits. Pods are left to their scheduler's record (rule PRE014),
#   and processes that none of these parties started to rule OWN005; one whose
#   party is not known may be of any.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE017
#   severity: error
#   requires: [launch.manifest, nvml.processes, nvml.gpus, host.processes, systemd.units]
#   covers: [L1]
#   remediation: >-
#     Record {holder} as a service in the launch manifest, with its image, arguments and weights, or stop it: {stop}.
#   messages:
#     unrecorded: "{holder} runs on a GPU, and the launch manifest records no such service"
#     nameless: "{holder} runs on a GPU; which container or unit it is is not known"
#     manifestless: "there is no launch manifest that could record {holder}"
#   ko:
#     title: "GPU에서 실행하는 것은 기록되어 있다"
#     description: >-
#       GPU에서 실행하면서 런치 매니페스트에 이름이 없는 컨테이너나 유닛은 기록 밖에서 시작된 것이므로, 이미지도
#       가중치도 한도도 알 수 없습니다. Pod는 스케줄러의 기록(규칙 PRE014)이, 이들 주체가 시작하지 않은 프로세스는
#       규칙 OWN005가 맡습니다. 주체를 알 수 없는 것은 그 어느 것일 수도 있습니다.
#     remediation: >-
#       {holder}을(를) 이미지, 인자, 가중치와 함께 런치 매니페스트의 서비스로 기록하거나 멈추십시오: {stop}.
#     messages:
#       unrecorded: "{holder}이(가) GPU에서 실행 중인데 런치 매니페스트에 그런 서비스가 없습니다"
#       nameless: "{holder}이(가) GPU에서 실행 중이지만 어느 컨테이너나 유닛인지 알 수 없습니다"
#       manifestless: "{holder}을(를) 기록할 런치 매니페스트가 없습니다"
package gpugate.rules.prelaunch.workload_recorded

import data.gpugate.lib.claims
import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.record

# judged are the parties whose services a manifest names one by one.
judged := {"docker", "podman", "systemd"}

# running are their processes, and those that may be.
running contains c if {
	some c in claims.running
	c.manager in (judged | {"unknown"})
}

# named are those of which the name is known that a manifest would use.
named contains c if {
	some c in running
	c.manager in judged
	claims.identified(c)
	c.called
	addressed(c)
}

# addressed holds if it is known which daemon runs the container: the same name may
# stand with two daemons.
addressed(c) if c.manager == "systemd"

addressed(c) if not startswith(c.endpoint, "capture:")

# subject lasts beyond a restart: without a name there is only a PID or an id.
subject(c) := {"kind": "workload", "id": sprintf("%s/%s", [c.manager, c.claimant]), "name": party.describe(c), "key": sprintf("%s/%s", [c.manager, lasting(c)])}

lasting(c) := c.claimant if c.called

lasting(c) := "without name" if not c.called

subjects contains subject(c) if some c in running

applicable := false if count(running) == 0

# One workload has a claim for each process and card, and is said once.
say(c, message) := {
	"subject": subject(c),
	"message": message,
	"args": {"holder": party.describe(c), "stop": party.stop(c)},
	"evidence": party.evidence(claims_of_all[[c.manager, c.claimant]]),
}

claims_of[[c.manager, c.claimant]] contains c if some c in running

# All are made at once: a rule that is asked for one key is evaluated for each key.
claims_of_all := claims_of

fail contains say(c, "unrecorded") if {
	some c in named
	input.launch.manifest
	index.complete("launch.manifest.services")
	index.complete("systemd.units")
	not recorded(c)
}

unknown contains say(c, "nameless") if {
	some c in (running - named)
	not recorded(c)
}

unknown contains say(c, "manifestless") if {
	some c in named
	not input.launch.manifest
}

recorded(c) if {
	c.manager in containers
	count(record.of_container(c.claimant, c.endpoint)) > 0
}

recorded(c) if {
	c.manager == "systemd"
	count(record.of_unit(c.claimant)) > 0
}

# A service may be recorded as the unit that launches its container.
recorded(c) if {
	c.manager in containers
	some unit in all_launchers[c.claimant]
	count(record.of_unit(unit)) > 0
}

containers := {"docker", "podman"}

# launchers are the units that launch a container, by its name.
launchers[u.wraps.name] contains u.name if some u in input.systemd.units

all_launchers := launchers
