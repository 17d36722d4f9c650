# METADATA
# title: Every service is recorded
# description: >-
#   The launch manifest records of each service the image by its digest (a tag may
#   move), the arguments, and the weights with a file of their digests. A service that runs from a
#   systemd unit has no image.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE015
#   severity: error
#   requires: [launch.manifest, launch.evidence]
#   covers: [L1]
#   remediation: >-
#     Record what is missing of {service}: image@sha256:… (docker image inspect shows RepoDigests), args, weights.path and weights.manifest
#     (sha256sum over the weight files).
#   messages:
#     image: "the image of service {service} is recorded without a digest: {image}"
#     lacking: "service {service} has no {what} recorded"
#     digests: "the digests of the weights of service {service} ({file}) are not there: {why}"
#     unlooked: "whether the digests of the weights of service {service} ({file}) are there could not be looked at"
#     manifestless: "there is no launch manifest that could record a service"
#   ko:
#     title: "모든 서비스가 기록되어 있다"
#     description: >-
#       런치 매니페스트는 각 서비스에 대해 다이제스트로 적은 이미지(태그는 옮겨질 수 있습니다), 인자, 그리고
#       다이제스트 파일이 딸린 가중치를 기록합니다. systemd 유닛으로 실행되는 서비스에는 이미지가 없습니다.
#     remediation: >-
#       {service}에 빠진 것을 기록하십시오: image@sha256:…(docker image inspect의 RepoDigests), args, weights.path와
#       weights.manifest(가중치 파일에 대한 sha256sum).
#     messages:
#       image: "서비스 {service}의 이미지가 다이제스트 없이 기록되어 있습니다: {image}"
#       lacking: "서비스 {service}에 {what}이(가) 기록되어 있지 않습니다"
#       digests: "서비스 {service}의 가중치 다이제스트({file})가 없습니다: {why}"
#       unlooked: "서비스 {service}의 가중치 다이제스트({file})가 있는지 살펴볼 수 없었습니다"
#       manifestless: "서비스를 기록할 런치 매니페스트가 없습니다"
package gpugate.rules.prelaunch.services_recorded

import data.gpugate.lib.index
import data.gpugate.lib.record
import data.gpugate.lib.subject

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.services

subjects contains all_services if not input.launch.manifest

# A manifest without services is that of a server that serves nothing yet; what
# runs without being recorded is for rule PRE017.
applicable := false if {
	input.launch.manifest
	count(record.services) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name}, extra),
	"evidence": evidence,
}

in_image(r) if not r.service.runtime.systemd

fail contains say(r, "image", {"image": r.service.image}, [sprintf("%s/image", [r.pointer])]) if {
	some r in record.services
	in_image(r)
	record.digest(r.service) == ""
	index.complete("launch.manifest.services")
}

fail contains say(r, "lacking", {"what": what}, [r.pointer]) if {
	some r in record.services
	some what in lacking(r)
	index.complete("launch.manifest.services")
}

lacking(r) := {what |
	some what in ["runtime", "image", "arguments", "weights", "digests of its weights (weights.manifest)"]
	lacks(r, what)
}

runs_somewhere(runtime) if runtime.docker

runs_somewhere(runtime) if runtime.systemd

runs_somewhere(runtime) if runtime.kubernetes

lacks(r, "image") if {
	in_image(r)
	not r.service.image
}

lacks(r, "runtime") if not runs_somewhere(r.service.runtime)

lacks(r, "arguments") if not r.service.args

lacks(r, "weights") if not r.service.weights

lacks(r, "digests of its weights (weights.manifest)") if {
	r.service.weights
	not r.service.weights.manifest
}

# weights are what was found of each service's file of digests.
weights(r) := [e |
	some e in input.launch.evidence
	e.reference == r.service.weights.manifest
]

fail contains say(r, "digests", {"file": r.service.weights.manifest, "why": why}, [sprintf("%s/weights/manifest", [r.pointer])]) if {
	some r in record.services
	some e in weights(r)
	some why in faults(e)
}

faults(e) := {"no such file" | e.found == false} | {"it is not the file whose digest was recorded" |
	e.recordedSha256 != ""
	lower(e.recordedSha256) != lower(e.actualSha256)
}

unknown contains say(r, "unlooked", {"file": r.service.weights.manifest}, [sprintf("%s/weights/manifest", [r.pointer])]) if {
	some r in record.services
	r.service.weights.manifest
	not looked_at(r)
}

looked_at(r) if {
	some e in weights(r)
	e.found == true
	e.actualSha256 != ""
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": ["/launch"]} if {
	not input.launch.manifest
}
