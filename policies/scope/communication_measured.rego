# METADATA
# title: Without NVLink, the communication of a training was measured
# description: >-
#   A training on several GPUs that no NVLink connects exchanges gradients through PCIe and
#   may not get faster with more of them. The share of a step that goes into communication is
#   measured beforehand, on as many GPUs, and recorded with its evidence.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP010
#   severity: error
#   requires: [launch.manifest, launch.evidence, nvml.gpus]
#   covers: [I7]
#   remediation: >-
#     Run some steps of {name} on one GPU and on all of them, compare the throughput, or read the
#     share of NCCL in a profile (nsys, torch.profiler), and record it: training[].communication
#     with sharePercent, gpus, at and evidence.
#   messages:
#     unmeasured: "{name} trains on {gpus} GPUs, {links}, and the launch manifest does not record the share of communication: {what}"
#     broken: "the measured communication of {name} does not hold: {what}"
#     links: "whether NVLink connects the {gpus} GPUs of {name} cannot be told ({links}), and the share of communication is not recorded: {what}"
#     doubt: "whether the evidence of the measured communication of {name} is there could not be looked at: {what}"
#     cards: "whether {name} needs its communication measured cannot be told: {what}"
#     unlisted: "whether a training needs its communication measured cannot be told: {why}"
#     word: "{what} was not looked at; the launch manifest says that it shows the measured communication of {name}"
#   ko:
#     title: "NVLink가 없으면 학습의 통신을 측정했다"
#     description: >-
#       NVLink로 연결되지 않은 여러 GPU의 학습은 PCIe로 그래디언트를 주고받으며, GPU를 늘려도 빨라지지 않을 수
#       있습니다. 한 단계에서 통신이 차지하는 비율을 같은 수의 GPU에서 미리 측정하고 증빙과 함께 기록합니다.
#     remediation: >-
#       {name}의 몇 단계를 GPU 하나와 전체에서 실행해 처리량을 비교하거나 프로파일(nsys, torch.profiler)에서 NCCL의
#       비율을 읽고, training[].communication에 sharePercent, gpus, at, evidence를 기록하십시오.
#     messages:
#       unmeasured: "{name}은(는) GPU {gpus}개로 학습하며({links}), 런치 매니페스트에 통신 비율이 기록되어 있지 않습니다: {what}"
#       broken: "{name}의 통신 측정이 유효하지 않습니다: {what}"
#       links: "{name}의 GPU {gpus}개가 NVLink로 연결되어 있는지 판단할 수 없고({links}), 통신 비율도 기록되어 있지 않습니다: {what}"
#       doubt: "{name}의 통신 측정 증빙이 있는지 살펴볼 수 없었습니다: {what}"
#       cards: "{name}의 통신을 측정해야 하는지 판단할 수 없습니다: {what}"
#       unlisted: "학습의 통신을 측정해야 하는지 판단할 수 없습니다: {why}"
#       word: "{what} 자료는 살펴보지 않았습니다. {name}의 통신 측정이라는 것은 런치 매니페스트의 말입니다"
package gpugate.rules.scope.communication_measured

import data.gpugate.lib.dates
import data.gpugate.lib.index
import data.gpugate.lib.subject
import data.gpugate.lib.training

subjects := training.subjects

applicable := false if training.none

statement(found, message, args) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name, "gpus": number(found.job)}, args),
	"evidence": [training.pointer(found, "/communication"), "/nvml/gpus"],
}

number(job) := count(training.gpus(job))

number(job) := 0 if not training.gpus(job)

# several are the trainings on more than one GPU.
several contains found if {
	some found in training.jobs
	count(training.gpus(found.job)) > 1
}

# lacking is what a record of the measurement does not say.
lacking(job) := (({"sharePercent" | not job.communication.sharePercent} | {"at" | not job.communication.at}) | {"evidence" | not job.communication.evidence}) | {sprintf("gpus (at least the %d it trains on)", [number(job)]) | not on_as_many(job)}

on_as_many(job) if job.communication.gpus >= number(job)

said(job) := concat(", ", sort([w | some w in lacking(job)]))

# unlinked are the cards of a training of which it is known that no link is active.
unlinked(job) := {subject.gpu_name(g) |
	some g in training.cards(job)
	g.nvLinksKnown
	not linked(g)
	index.whole("nvml.gpus", g.uuid)
}

linked(g) if {
	some l in g.nvLinks
	l.active
}

# doubtful are those of which nobody knows.
doubtful(job) := {subject.gpu_name(g) |
	some g in training.cards(job)
	not linked(g)
	not g.nvLinksKnown
}

fail contains statement(found, "unmeasured", {"links": sprintf("%s without an active NVLink", [concat(", ", sort([g | some g in unlinked(found.job)]))]), "what": said(found.job)}) if {
	training.told
	index.complete("launch.manifest.services")
	some found in several
	count(lacking(found.job)) > 0
	count(unlinked(found.job)) > 0
}

unknown contains statement(found, "links", {"links": sprintf("%s: the driver was not asked, or did not answer", [concat(", ", sort([g | some g in doubtful(found.job)]))]), "what": said(found.job)}) if {
	some found in several
	count(lacking(found.job)) > 0
	count(doubtful(found.job)) > 0
}

fail contains statement(found, "broken", {"what": what}) if {
	some found in several
	some what in flaws(found.job)
}

flaws(job) := training.flaws(job.communication.evidence) | {sprintf("it is dated %s, which is still to come", [job.communication.at]) | dates.future(job.communication.at)}

unknown contains statement(found, "doubt", {"what": found.job.communication.evidence}) if {
	some found in several
	training.open(found.job.communication.evidence)
}

unknown contains statement(found, "cards", {"what": what}) if {
	some found in training.jobs
	some what in cardless(found.job)
}

cardless(job) := {"the launch manifest does not say which GPUs it uses (gpus)" | not training.gpus(job)} | {sprintf("%s names no single GPU of this server", [r]) | some r in training.unresolved(job); count(training.gpus(job)) > 1; count(lacking(job)) > 0}

unknown contains u if some u in training.unlisted

assumed contains object.remove(statement(found, "word", {"what": found.job.communication.evidence}), ["subject"]) if {
	some found in several
	training.paged(found.job.communication.evidence)
}
