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
#   ko:
#     title: "추론 서버에서 학습하는 Pod가 없다"
#     description: >-
#       추론용으로 선언된 서버에서는 학습(LoRA, QLoRA, 전체 파인튜닝, 처음부터의 학습)을 실행하지 않습니다. 여기서는
#       GPU를 받은 Pod를 명령, 학습 오퍼레이터의 레이블, TI-ONE의 작업 종류로 판정합니다. 어댑터를 불러오는 것은
#       추론이며, torchrun이나 deepspeed가 띄운 것이 서비스를 제공하면 그것도 추론입니다. 알아볼 수 없는 것은 판단
#       불가입니다.
#     remediation: >-
#       {holder}의 작업을 학습용 노드로 옮기십시오(kubectl describe pod로 컨트롤러를 알 수 있습니다). 이 서버에서
#       학습하려는 것이라면 scope: training으로 선언하십시오.
#     messages:
#       training: "추론용으로 선언된 서버에서 Pod {name}이(가) 학습하고 있습니다({kind}): {why}"
#       rollout: "추론용으로 선언된 서버에서 Pod {name}이(가) 학습을 위한 생성을 제공하고 있습니다: {why}"
#       unrecognised: "Pod {name}이(가) 학습인지 추론인지 판단할 수 없습니다: {why}"
#       undeclared: "런치 매니페스트에 Pod {name}을(를) 판정할 용도(scope: inference 또는 training)가 선언되어 있지 않습니다"
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
