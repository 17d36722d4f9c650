# METADATA
# title: Indexes
# description: >-
#   Looks things up by id, in an index built once a judgement, and tells whether a
#   part of the facts is whole. A lookup gives a set, since ids that should be unique
#   may not be so in facts that somebody else made.
# schemas:
#   - input: schema.facts
package gpugate.lib.index

# processes are the host's processes by PID, each with its place.
processes := {pid: found |
	some process in input.host.processes
	pid := process.pid
	found := {{"at": i, "process": p} |
		some i, p in input.host.processes
		p.pid == pid
	}
}

# complete holds if nothing is missing from the part of the facts at the dotted
# path: its source reported, and none of its gaps touches the path. Only then
# may a rule conclude from something not being there.
complete(path) if {
	reported(split(path, ".")[0])
	not incomplete(path)
}

# complete_for is complete, but passes over gaps about other items.
complete_for(path, item) if {
	reported(split(path, ".")[0])
	not incomplete_for(path, item)
}

# whole holds if nothing is missing from one item of a list. A gap at the list
# without an item says that items are missing, not that those listed lack a part;
# one below it may mean a part of any.
whole(path, item) if {
	reported(split(path, ".")[0])
	not partial(path, item)
}

partial(path, item) if {
	some source in input.sources
	some gap in source.gaps
	gap.item == item
	touches(gap.path, path)
}

partial(path, _) if {
	some source in input.sources
	some gap in source.gaps
	startswith(gap.path, concat("", [path, "."]))
}

# every_card_listed holds if no card is missing from the driver's list. One that
# does not answer is listed all the same.
every_card_listed if {
	reported("nvml")
	not cards_missing
}

cards_missing if {
	some source in input.sources
	some gap in source.gaps
	touches(gap.path, "nvml.gpus")
	not startswith(gap.path, "nvml.gpus.")
	not object.get(gap, "item", "") in {g.uuid | some g in input.nvml.gpus}
}

# status is how far a source got; a source that is not listed was never asked.
status(source) := found if {
	some s in input.sources
	s.name == source
	found := s.status
} else := "skipped"

# absent holds if a source is proven not to be on this host. A source with the
# status absent and a gap only lacks the means of looking.
absent(source) if {
	some s in input.sources
	s.name == source
	s.status == "absent"
	count(s.gaps) == 0
}

reported(source) if {
	some s in input.sources
	s.name == source
}

incomplete(path) if {
	some source in input.sources
	some gap in source.gaps
	touches(gap.path, path)
}

incomplete_for(path, item) if {
	some source in input.sources
	some gap in source.gaps
	touches(gap.path, path)
	object.get(gap, "item", "") in {"", item}
}

# touches holds if one dotted path is the other or lies within it.
touches(a, b) if a == b

touches(a, b) if startswith(a, concat("", [b, "."]))

touches(a, b) if startswith(b, concat("", [a, "."]))
