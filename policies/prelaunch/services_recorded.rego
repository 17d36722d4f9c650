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
