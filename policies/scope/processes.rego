# METADATA
# title: No process trains on an inference server
# description: >-
#   A server declared for inference runs no training: LoRA or QLoRA, full fine-tuning or
#   training from scratch. Here the processes that compute on a GPU are judged by their
#   command lines. Loading an adapter is inference, and so is torchrun or deepspeed
#   where what they launch serves. What is not recognised is unknown.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP001
#   severity: error
#   requires: [nvml.gpus, nvml.processes, host.processes, launch.manifest.scope]
#   covers: [I1, I2, I5]
#   remediation: >-
#     Move the training to a server or resource group of its own and stop {holder} here;
#     if this server is to train, declare scope: training.
#   messages:
#     training: "Process {name} trains ({kind}) on a server declared for inference: {why}"
#     rollout: "Process {name} serves a training on a server declared for inference: {why}"
#     unrecognised: "whether process {name} trains or infers cannot be told: {why}"
#     undeclared: "the launch manifest does not declare the scope (inference or training) that process {name} is to be judged by"
package gpugate.rules.scope.processes

import data.gpugate.lib.scope
import data.gpugate.lib.workload

subjects contains w.subject if some w in workload.processes

# Where there are none, none of them trains.
subjects contains {"kind": "workload", "id": "processes", "name": "processes on GPUs"} if count(workload.processes) == 0

# A server for training may train.
applicable := false if scope.training

fail := scope.fails(workload.processes)

unknown := scope.unknowns(workload.processes)
