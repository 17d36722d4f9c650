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
