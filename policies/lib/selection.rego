# METADATA
# title: Selections
# description: >-
#   Which physical GPUs a workload's selection means. A reference that names no
#   GPU, or more than one, is reported as unresolved: it is not nothing.
# schemas:
#   - input: schema.facts
package gpugate.lib.selection

import data.gpugate.lib.index

# explicit holds if somebody chose these GPUs for this workload. What is left is
# access that came along: a privileged container, an image that asks for all.
explicit(selection) if selection.via in {"deviceRequest", "cdi", "device", "cudaVisibleDevices"}

explicit(selection) if {
	selection.via in {"visibleDevices", "deviceAllow"}
	selection.all == false
}

# counts holds if the selection gives access to compute.
counts(selection) if {
	object.get(selection, "utility", false) == false
	chooses(selection)
}

chooses(selection) if selection.all

chooses(selection) if object.get(selection, "count", 0) > 0

chooses(selection) if count(selection.devices) > 0

# targets are the GPUs of a selection, as {gpu, slice}. The slice is the GPU
# instance of a MIG device, "" for a whole card, and "?" for a card in MIG mode
# of which it is not known which slice is meant.
targets(selection) := by_range(selection) | by_name(selection)

by_range(selection) := {{"gpu": g.uuid, "slice": whole(g)} |
	some g in input.nvml.gpus
	in_range(selection, g)
}

in_range(selection, _) if selection.all

# Docker gives a request for N GPUs the first N, free or not. A resource limit is
# answered with whichever GPUs the kubelet likes.
in_range(selection, g) if {
	selection.via != "resourceLimit"
	g.index < object.get(selection, "count", 0)
}

in_range(selection, _) if asks_for_all(selection)

# asks_for_all holds if the first N GPUs are all there are.
asks_for_all(selection) if {
	selection.via != "resourceLimit"
	index.every_card_listed
	count(input.nvml.gpus) <= object.get(selection, "count", 0)
}

by_name(selection) := {target |
	some device in selection.devices
	found := matches(device)
	count({t.gpu | some t in found}) == 1
	some target in found
}

# unresolved are the references of a selection that name no GPU of this host, or
# cannot be told which.
unresolved(selection) := {device.value |
	some device in selection.devices
	count({t.gpu | some t in matches(device)}) != 1
} | {sprintf("the first %d GPUs", [selection.count]) |
	# A card whose index is not known may be among them.
	selection.via != "resourceLimit"
	selection.count > 0
	not asks_for_all(selection)
	some g in input.nvml.gpus
	not g.index
}

matches(device) := {{"gpu": g.uuid, "slice": slice} |
	some g in input.nvml.gpus
	some slice in named(device, g)
}

# whole is the slice that stands for all of a card. A card that may be in MIG mode
# for all that is known has no such slice.
whole(g) := "?" if {
	sliced(g)
} else := ""

# sliced holds if the card is cut into MIG instances, or may be.
sliced(g) if g.migMode == "enabled"

sliced(g) if count(g.migDevices) > 0

sliced(g) if {
	not g.migMode
	not index.whole("nvml.gpus", g.uuid)
}

# named are the slices of one card that a reference names.
named(device, g) := {whole(g)} if {
	device.kind == "index"
	device.value == format_int(g.index, 10)
}

named(device, g) := {whole(g)} if {
	device.kind == "uuid"
	startswith(lower(g.uuid), lower(device.value))
}

named(device, g) := {whole(g)} if {
	device.kind == "minor"
	device.value == format_int(g.minorNumber, 10)
}

# A MIG device by its UUID, or in the older form
# MIG-GPU-<uuid>/<GPU instance>/<compute instance>.
named(device, g) := modern | older if {
	device.kind == "mig"
	modern := {format_int(m.gpuInstanceId, 10) |
		some m in g.migDevices
		lower(m.uuid) == lower(device.value)
	}
	older := {split(device.value, "/")[1] | startswith(lower(device.value), lower(sprintf("MIG-%s/", [g.uuid])))}
}

named(device, g) := slices if {
	device.kind == "migIndex"
	[gpu, mig] := split(device.value, ":")
	gpu == format_int(g.index, 10)
	slices := {format_int(m.gpuInstanceId, 10) |
		some m in g.migDevices
		mig == format_int(m.index, 10)
	}
}

# overlap holds if two slices of one card surely share hardware.
overlap(a, b) if {
	a != "?"
	b != "?"
	same_or_whole(a, b)
}

# may_overlap holds if it is not known whether they do.
may_overlap(a, b) if "?" in {a, b}

same_or_whole(a, b) if a == b

same_or_whole(a, b) if "" in {a, b}
