# METADATA
# title: Training has an image or instance of its own
# description: >-
#   What trains is prepared apart from what serves: in another image, or on another
#   instance. A container, unit or workload that is recorded for both, one image for
#   both, or a training without image of its own beside a service, is neither; and a
#   server declared for inference lists no training.
# schemas:
#   - input: schema.facts
# custom:
#   id: SCP007
#   severity: error
#   requires: [launch.manifest]
#   covers: [I5]
#   remediation: >-
#     Give {name} an image of its own, or move it to an instance of its own, and record it
#     there (training[].service, services[].image).
#   messages:
#     declared: "the server is declared for inference and lists the training {name}"
#     same: "the training {name} and the service {service} are one {what}"
#     image: "the training {name} and the service {service} share the image {what}"
#     bare: "the training {name} and the service {service} run on this server as units, without an image that separates them: {what}"
#     imageless: "whether the training {name} and the service {service} share an image cannot be told; {what}"
#     daemon: "whether the training {name} and the service {service} are one cannot be told; only one of them names the daemon of {what}"
#     undeclared: "whether the training {name} may run on this server cannot be told; the launch manifest does not declare its scope"
#     unplaced: "whether the training {name} is apart from the service {service} cannot be told; {what}"
#     unlisted: "whether training is apart from inference cannot be told: {why}"
#   ko:
#     title: "학습에 고유한 이미지나 인스턴스가 있다"
#     description: >-
#       학습하는 것은 서비스하는 것과 따로, 다른 이미지나 다른 인스턴스에서 준비합니다. 둘 다로 기록된 컨테이너나
#       유닛, 워크로드, 둘이 함께 쓰는 이미지, 서비스 옆에 있는 자기 이미지 없는 학습은 그렇지 않습니다. 추론용으로
#       선언된 서버에는 학습을 적지 않습니다.
#     remediation: >-
#       {name}에 고유한 이미지를 주거나 전용 인스턴스로 옮기고, 그곳에 기록하십시오(training[].service,
#       services[].image).
#     messages:
#       declared: "서버는 추론용으로 선언되었는데 학습 {name}을(를) 적고 있습니다"
#       same: "학습 {name}과(와) 서비스 {service}은(는) 같은 {what}입니다"
#       image: "학습 {name}과(와) 서비스 {service}이(가) 같은 이미지를 씁니다: {what}"
#       bare: "학습 {name}과(와) 서비스 {service}이(가) 둘을 나눌 이미지 없이 이 서버에서 유닛으로 실행됩니다: {what}"
#       imageless: "학습 {name}과(와) 서비스 {service}이(가) 같은 이미지를 쓰는지 판단할 수 없습니다. {what}"
#       daemon: "학습 {name}과(와) 서비스 {service}이(가) 하나인지 판단할 수 없습니다. 둘 가운데 하나만 {what}의 데몬을 적었습니다"
#       undeclared: "학습 {name}을(를) 이 서버에서 실행해도 되는지 판단할 수 없습니다. 런치 매니페스트에 용도(scope)가 선언되어 있지 않습니다"
#       unplaced: "학습 {name}이(가) 서비스 {service}과(와) 떨어져 있는지 판단할 수 없습니다. {what}"
#       unlisted: "학습이 추론과 떨어져 있는지 판단할 수 없습니다: {why}"
package gpugate.rules.scope.separate_environments

import data.gpugate.lib.index
import data.gpugate.lib.training

subjects := training.subjects

applicable := false if training.none

statement(found, message, args, evidence) := {
	"subject": training.job_subject(found.job),
	"message": message,
	"args": object.union({"name": found.job.name}, args),
	"evidence": evidence,
}

fail contains statement(found, "declared", {}, ["/launch/manifest/scope", training.pointer(found, "")]) if {
	input.launch.manifest.scope == "inference"
	some found in training.jobs
}

# pairs are a training that names its service, and a service that no training names.
pairs contains {"found": found, "trains": t, "serves": s, "at": at} if {
	some found in training.jobs
	t := training.service(found.job)
	some at, s in input.launch.manifest.services
	not training.runs_training(s)
	training.told
}

between(p, message, what) := statement(p.found, message, {"service": p.serves.name, "what": what}, [
	training.pointer(p.found, ""),
	sprintf("/launch/manifest/services/%d", [p.at]),
])

fail contains between(p, "same", place(p.trains.runtime)) if {
	some p in pairs
	index.complete("launch.manifest.services")
	one(p.trains.runtime, p.serves.runtime)
	host(p.trains.runtime) == host(p.serves.runtime)
}

# A container without its daemon named may be that of any.
unknown contains between(p, "daemon", place(p.trains.runtime)) if {
	some p in pairs
	one(p.trains.runtime, p.serves.runtime)
	host(p.trains.runtime) != host(p.serves.runtime)
	"" in {host(p.trains.runtime), host(p.serves.runtime)}
}

# one holds for two runtimes of one name.
one(a, b) if place(a) == place(b)

host(r) := object.get(r, ["docker", "host"], "")

place(r) := sprintf("container %s", [r.docker.container]) if {
	r.docker
} else := sprintf("unit %s", [trim_suffix(r.systemd.unit, ".service")]) if {
	r.systemd
} else := sprintf("workload %s/%s", [r.kubernetes.namespace, r.kubernetes.workload])

fail contains between(p, "image", p.trains.image) if {
	some p in pairs
	digest(p.trains.image) == digest(p.serves.image)
}

# digest of an image reference, which is the image whatever its name is, or the whole
# reference.
digest(image) := parts[count(parts) - 1] if parts := split(image, "@")

fail contains between(p, "bare", concat(", ", [p.trains.runtime.systemd.unit, p.serves.runtime.systemd.unit])) if {
	some p in pairs
	index.complete("launch.manifest.services")
	not p.trains.image
	not p.serves.image
	p.trains.runtime.systemd.unit
	p.serves.runtime.systemd.unit
	place(p.trains.runtime) != place(p.serves.runtime)
}

unknown contains between(p, "imageless", "the manifest does not record the image of both") if {
	some p in pairs
	some s in {p.trains, p.serves}
	not s.runtime.systemd
	not s.image
}

# A tag on one side and a digest on the other may be one image.
unknown contains between(p, "imageless", "an image is recorded without its digest") if {
	some p in pairs
	repository(p.trains.image) == repository(p.serves.image)
	digest(p.trains.image) != digest(p.serves.image)
	some s in {p.trains, p.serves}
	not contains(s.image, "@sha256:")
}

repository(image) := regex.replace(split(image, "@")[0], `:[^/:]*$`, "")

unknown contains statement(found, "unplaced", {"service": s.name, "what": "the manifest does not say as which service it runs (training[].service)"}, [training.pointer(found, "")]) if {
	some found in training.jobs
	not found.job.service
	some s in input.launch.manifest.services
	not training.runs_training(s)
}

unknown contains statement(found, "undeclared", {}, [training.pointer(found, "")]) if {
	some found in training.jobs
	not input.launch.manifest.scope
}

unknown contains u if some u in training.unlisted
