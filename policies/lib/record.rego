# METADATA
# title: Records
# description: >-
#   Compares what runs with what the launch manifest recorded of a service.
# schemas:
#   - input: schema.facts
package gpugate.lib.record

import data.gpugate.lib.index

import data.gpugate.lib.party

# services are the recorded ones, each with its place.
services := [{"at": i, "service": s, "pointer": sprintf("/launch/manifest/services/%d", [i])} | some i, s in input.launch.manifest.services]

# of_container are the recorded services that a container may be.
of_container(name, endpoint) := {s |
	some s in by_container[name]
	party.same_endpoint(object.get(s.runtime.docker, "host", endpoint), endpoint)
}

by_container := {name: found |
	some service in input.launch.manifest.services
	name := service.runtime.docker.container
	found := {s | some s in input.launch.manifest.services; s.runtime.docker.container == name}
}

# of_unit are the recorded services that a unit may be.
of_unit(name) := {s | some s in by_unit[bare(name)]}

by_unit := {name: found |
	some service in input.launch.manifest.services
	name := bare(service.runtime.systemd.unit)
	found := {s | some s in input.launch.manifest.services; bare(s.runtime.systemd.unit) == name}
}

# bare is the name of a service unit as people shorten it.
bare(unit) := trim_suffix(unit, ".service")

# serving are the recorded services that answer requests: those that train do not.
# None is known while the manifest may say more of which those are.
serving := [r |
	index.complete("launch.manifest.scope")
	index.complete("launch.manifest.training")
	some r in services
	not input.launch.manifest.scope == "training"
	not trains(r.service.name)
]

trains(name) if {
	some job in input.launch.manifest.training
	job.service == name
}

# digest is the sha256 of a recorded image; "" if the record names none.
digest(service) := lower(split(image, "@sha256:")[1]) if {
	image := object.get(service, "image", "")
	contains(image, "@sha256:")
} else := ""

# drift says how two command lines differ: the words that came and those that went.
drift(recorded, running) := "" if {
	recorded == running
} else := concat("; ", [t | some t in [listed("not recorded", added), listed("recorded but not there", removed), order]; t != ""]) if {
	added := [w | some w in running; not w in recorded]
	removed := [w | some w in recorded; not w in running]
	order := moved(added, removed)
}

moved([], []) := "the same words in another order or number"

moved(added, removed) := "" if count(added) + count(removed) > 0

listed(_, []) := ""

listed(what, words) := sprintf("%s: %s", [what, concat(" ", words)]) if count(words) > 0
