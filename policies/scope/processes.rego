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
#   ko:
#     title: "추론 서버에서 학습하는 프로세스가 없다"
#     description: >-
#       추론용으로 선언된 서버에서는 학습(LoRA, QLoRA, 전체 파인튜닝, 처음부터의 학습)을 실행하지 않습니다. 여기서는
#       GPU에서 계산하는 프로세스를 명령줄로 판정합니다. 어댑터를 불러오는 것은 추론이며, torchrun이나 deepspeed가
#       띄운 것이 서비스를 제공하면 그것도 추론입니다. 알아볼 수 없는 것은 판단 불가입니다.
#     remediation: >-
#       학습을 전용 서버나 자원 그룹으로 옮기고 여기서는 {holder}을(를) 멈추십시오. 이 서버에서 학습하려는 것이라면
#       scope: training으로 선언하십시오.
#     messages:
#       training: "추론용으로 선언된 서버에서 프로세스 {name}이(가) 학습하고 있습니다({kind}): {why}"
#       rollout: "추론용으로 선언된 서버에서 프로세스 {name}이(가) 학습을 위한 생성을 제공하고 있습니다: {why}"
#       unrecognised: "프로세스 {name}이(가) 학습인지 추론인지 판단할 수 없습니다: {why}"
#       undeclared: "런치 매니페스트에 프로세스 {name}을(를) 판정할 용도(scope: inference 또는 training)가 선언되어 있지 않습니다"
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
