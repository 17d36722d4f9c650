# METADATA
# title: Preemption of running training is acknowledged
# description: >-
#   Training that is seen on the GPUs loses its work when TI-ONE preempts it, declared or not.
#   Judged are the processes on the GPUs, as long as the policy preempts and nobody
#   acknowledged it.
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO005
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes, tione.policy, launch.manifest.tione]
#   covers: [T6]
#   remediation: >-
#     Set ResourceRule.Preempted to 0 in {file}, or record tione.preemption (acknowledged: true, by, on,
#     reason) in the launch manifest after telling the owner of {name}.
#   messages:
#     training: "{name} trains ({why}) while {file} enables preemption, and nobody acknowledged it"
#     untold: "whether {name} trains while {file} enables preemption cannot be told: {why}"
#     unset: "whether {file} enables preemption is not known"
#     policyless: "no scheduling policy was given"
#     word: "the launch manifest says that this server is in no TI-ONE resource group; no policy was given"
#   ko:
#     title: "실행 중인 학습의 선점을 미리 승인했다"
#     description: >-
#       GPU에서 관찰된 학습은 선언되었든 아니든 TI-ONE이 선점하면 작업을 잃습니다. 정책이 선점을 켜고 아무도 승인하지
#       않은 동안 GPU의 프로세스를 판정합니다.
#     remediation: >-
#       {file}에서 ResourceRule.Preempted를 0으로 하거나, {name}의 책임자에게 알린 뒤 런치 매니페스트에
#       tione.preemption(acknowledged: true, by, on, reason)을 기록하십시오.
#     messages:
#       training: "{file}이(가) 선점을 켰는데 {name}이(가) 학습하고 있으며({why}), 아무도 이를 승인하지 않았습니다"
#       untold: "{file}이(가) 선점을 켰는데 {name}이(가) 학습하는지 판단할 수 없습니다: {why}"
#       unset: "{file}이(가) 선점을 켰는지 알 수 없습니다"
#       policyless: "스케줄링 정책이 주어지지 않았습니다"
#       word: "런치 매니페스트는 이 서버가 어떤 TI-ONE 자원 그룹에도 속하지 않는다고 말합니다. 정책은 주어지지 않았습니다"
package gpugate.rules.tione.preemption_of_training

import data.gpugate.lib.index
import data.gpugate.lib.preemption
import data.gpugate.lib.subject
import data.gpugate.lib.word
import data.gpugate.lib.workload

policy := input.tione.policy

subjects contains subject.policy(policy)

subjects contains w.subject if some w in workload.processes

applicable := false if word.not_in_tione

assumed contains {"message": "word", "args": {}, "evidence": [word.tione_pointer]} if word.not_in_tione

args(w) := {"file": policy.file, "name": w.subject.name, "why": w.answer.why}

fail contains {"subject": w.subject, "message": "training", "args": args(w), "evidence": array.concat(["/tione/policy/preempted"], w.evidence)} if {
	preemption.enabled
	not preemption.acknowledged
	index.complete("launch.manifest.tione.preemption")
	some w in workload.processes
	w.answer.class in {"training", "rollout"}
}

unknown contains {"subject": w.subject, "message": "untold", "args": args(w), "evidence": w.evidence} if {
	preemption.enabled
	not preemption.acknowledged
	some w in workload.processes
	w.answer.class in {"unknown", "child"}
}

unknown contains {"subject": subject.policy(policy), "message": "unset", "args": {"file": policy.file}, "evidence": ["/tione/policy"]} if {
	not preemption.told
}

unknown contains {"subject": {"kind": "policy", "id": "policy", "name": "scheduling policy"}, "message": "policyless", "args": {}, "evidence": ["/tione"]} if {
	not input.tione.policy
}
