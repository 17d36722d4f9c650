# METADATA
# title: No container trains on an inference server
# description: >-
#   A server declared for inference runs no training: LoRA or QLoRA, full fine-tuning or
#   training from scratch. Here the containers that were given a GPU are judged by their
#   entry point and command; stopped ones are passed over. Loading an adapter is
#   inference, and so is torchrun or deepspeed where what they launch serves. What is
#   not recognised is unknown.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP002
#   severity: error
#   requires: [docker.daemons, launch.manifest.scope]
#   covers: [I1, I2, I5]
#   remediation: >-
#     Move the training to a server of its own and stop it here (docker stop {holder});
#     if this server is to train, declare scope: training.
#   messages:
#     training: "Container {name} trains ({kind}) on a server declared for inference: {why}"
#     rollout: "Container {name} serves a training on a server declared for inference: {why}"
#     unrecognised: "whether container {name} trains or infers cannot be told: {why}"
#     undeclared: "the launch manifest does not declare the scope (inference or training) that container {name} is to be judged by"
package gpugate.rules.scope.containers

import data.gpugate.lib.scope
import data.gpugate.lib.workload

subjects contains w.subject if some w in workload.containers

# Where there are none, none of them trains.
subjects contains {"kind": "workload", "id": "containers", "name": "containers with GPUs"} if count(workload.containers) == 0

# A server for training may train.
applicable := false if scope.training

fail := scope.fails(workload.containers)

unknown := scope.unknowns(workload.containers)
