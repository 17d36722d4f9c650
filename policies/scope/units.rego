# METADATA
# title: No systemd unit trains on an inference server
# description: >-
#   A server declared for inference runs no training: LoRA or QLoRA, full fine-tuning or
#   training from scratch. Here the model servers of systemd are judged by ExecStart.
#   Loading an adapter is inference, and so is torchrun or deepspeed where what they
#   launch serves. What is not recognised is unknown.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP003
#   severity: error
#   requires: [systemd.units, launch.manifest.scope]
#   covers: [I1, I2, I5]
#   remediation: >-
#     Move the training to a server of its own and stop it here (systemctl disable --now
#     {holder}); if this server is to train, declare scope: training.
#   messages:
#     training: "Unit {name} trains ({kind}) on a server declared for inference: {why}"
#     rollout: "Unit {name} serves a training on a server declared for inference: {why}"
#     unrecognised: "whether unit {name} trains or infers cannot be told: {why}"
#     undeclared: "the launch manifest does not declare the scope (inference or training) that unit {name} is to be judged by"
package gpugate.rules.scope.units

import data.gpugate.lib.scope
import data.gpugate.lib.workload

subjects contains w.subject if some w in workload.units

# Where there are none, none of them trains.
subjects contains {"kind": "workload", "id": "units", "name": "model servers"} if count(workload.units) == 0

# A server for training may train.
applicable := false if scope.training

fail := scope.fails(workload.units)

unknown := scope.unknowns(workload.units)
