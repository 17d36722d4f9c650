# METADATA
# title: The containers that run are those recorded
# description: >-
#   Of each service in a Docker container the launch manifest records image digest and
#   arguments. What runs must match: a tag may have moved, and arguments are fixed when a container is
#   created, so that a change needs a new container, not a restart.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE001
#   severity: error
#   requires: [docker.daemons, launch.manifest]
#   covers: [L1]
#   remediation: >-
#     Create container {container} of service {service} anew from what is recorded (docker {host}rm -f {container},
#     then run it with the recorded image and arguments), or record what runs now after reviewing it.
#   messages:
#     missing: "service {service} is recorded as container {container}, which no daemon has"
#     stopped: "container {container} of service {service} does not run: it is {state}"
#     image: "container {container} of service {service} runs image {running}, not the recorded {recorded}"
#     args: "container {container} of service {service} has other arguments than recorded: {drift}"
#     ambiguous: "container {container} of service {service} is on several daemons; runtime.docker.host would tell which is meant"
#     unfound: "whether container {container} of service {service} is there is not known: not every daemon could be read, or told its address"
#     stateless: "the state of container {container} of service {service} is not known"
#     unidentified: "the image of container {container} of service {service} could not be inspected, so that its digest is not known"
#     unrecorded: "service {service} has no {what} recorded to compare container {container} with"
package gpugate.rules.prelaunch.container_matches_record

import data.gpugate.lib.index
import data.gpugate.lib.party
import data.gpugate.lib.record
import data.gpugate.lib.subject

# recorded are the services that run in a Docker container.
recorded := [r | some r in record.services; r.service.runtime.docker]

subjects contains subject.service(r.service) if some r in recorded

applicable := false if {
	input.launch.manifest
	count(recorded) == 0
}

# found are the containers that a service may mean, each with its place.
found(r) := [{"at": sprintf("/docker/daemons/%d/containers/%d", [i, j]), "container": c} |
	wanted := r.service.runtime.docker
	some i, d in input.docker.daemons
	party.same_endpoint(object.get(wanted, "host", d.endpoint), d.endpoint)
	some j, c in d.containers
	c.name == wanted.container
]

# matched is the one container of each service, where there is exactly one.
matched := [{"record": r, "at": all[0].at, "container": all[0].container} |
	some r in recorded
	all := found(r)
	count(all) == 1
]

# only_one holds if another container of that name is none of the record's: daemons
# that could not be read, or a record that is not whole, might mean that one.
only_one(_) if {
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

only_one(r) if {
	r.service.runtime.docker.host
	index.complete("launch.manifest.services")
}

base(r) := {
	"service": r.service.name,
	"container": r.service.runtime.docker.container,
	"host": host(r.service.runtime.docker),
}

host(d) := sprintf("--host %s ", [d.host]) if {
	d.host != ""
} else := ""

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union(base(r), extra),
	"evidence": evidence,
}

# unaddressed holds if a daemon's address is not known, as in a capture without
# it: it may be the very daemon the manifest names.
unaddressed if {
	some d in input.docker.daemons
	startswith(d.endpoint, "capture:")
}

fail contains say(r, "missing", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) == 0
	not unaddressed
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

fail contains say(m.record, "stopped", {"state": m.container.state}, [sprintf("%s/runtime/docker", [m.record.pointer]), m.at]) if {
	some m in matched
	not m.container.state in {"running", "restarting"}
	only_one(m.record)
}

# digests are all that identifies the image: those of its registries, and its
# own id.
digests(c) := {lower(split(d, "sha256:")[1]) |
	some d in array.concat(c.repoDigests, [object.get(c, "imageId", "")])
	contains(d, "sha256:")
}

fail contains say(m.record, "image", {"running": shown(m.container), "recorded": m.record.service.image}, [sprintf("%s/image", [m.record.pointer]), sprintf("%s/repoDigests", [m.at])]) if {
	some m in matched
	want := record.digest(m.record.service)
	want != ""
	m.container.imageKnown
	not want in digests(m.container)
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

shown(c) := c.repoDigests[0] if {
	count(c.repoDigests) > 0
} else := sprintf("%s (built here, without a registry digest)", [object.get(c, "image", "unnamed")])

fail contains say(m.record, "args", {"drift": drift}, [sprintf("%s/args", [m.record.pointer]), sprintf("%s/args", [m.at])]) if {
	some m in matched
	drift := record.drift(m.record.service.args, m.container.args)
	drift != ""
	index.complete("docker.daemons")
	index.complete("launch.manifest.services")
}

unknown contains say(r, "ambiguous", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) > 1
}

unknown contains say(r, "unfound", {}, [sprintf("%s/runtime/docker", [r.pointer])]) if {
	some r in recorded
	count(found(r)) == 0
}

unknown contains say(m.record, "stateless", {}, [m.at]) if {
	some m in matched
	not m.container.state
}

unknown contains say(m.record, "unidentified", {}, [m.at]) if {
	some m in matched
	not m.container.imageKnown
}

unknown contains say(r, "unrecorded", {"what": "image digest"}, [r.pointer]) if {
	some r in recorded
	record.digest(r.service) == ""
}

unknown contains say(r, "unrecorded", {"what": "arguments"}, [r.pointer]) if {
	some r in recorded
	not r.service.args
}
