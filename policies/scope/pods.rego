# METADATA
# title: No pod trains on an inference server
# description: >-
#   A server declared for inference runs no training: LoRA or QLoRA, full fine-tuning or
#   training from scratch. Here the pods that were given a GPU are judged by their
#   command, the labels of training operators and TI-ONE's task type. Loading an adapter
#   is inference, and so is torchrun or deepspeed where what they launch serves. What is
#   not recognised is unknown.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP004
#   severity: error
#   requires: [kubernetes.pods, launch.manifest.scope]
#   covers: [I1, I2, I5]
#   remediation: >-
#     Move the job of {holder} to a node for training (kubectl describe pod shows its
#     controller); if this server is to train, declare scope: training.
#   messages:
#     training: "Pod {name} trains ({kind}) on a server declared for inference: {why}"
#     rollout: "Pod {name} serves a training on a server declared for inference: {why}"
#     unrecognised: "whether pod {name} trains or infers cannot be told: {why}"
#     undeclared: "the launch manifest does not declare the scope (inference or training) that pod {name} is to be judged by"
package gpugate.rules.scope.pods

import data.gpugate.lib.scope
import data.gpugate.lib.workload

subjects contains w.subject if some w in workload.pods

# Where there are none, none of them trains.
subjects contains {"kind": "workload", "id": "pods", "name": "pods with GPUs"} if count(workload.pods) == 0

# A server for training may train.
applicable := false if scope.training

fail := scope.fails(workload.pods)

unknown := scope.unknowns(workload.pods)
