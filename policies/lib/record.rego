# METADATA
# title: Records
# description: >-
#   Compares what runs with what the launch manifest recorded of a service.
# schemas:
#   - input: schema.facts
package gpugate.lib.record

# services are the recorded ones, each with its place.
services := [{"at": i, "service": s, "pointer": sprintf("/launch/manifest/services/%d", [i])} | some i, s in input.launch.manifest.services]

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
