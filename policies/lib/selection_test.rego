# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.selection_test

import data.gpugate.lib.fixture
import data.gpugate.lib.selection

via(kind, all) := {"via": kind, "all": all, "devices": []}

test_what_is_chosen_on_purpose if {
	chosen := {"deviceRequest", "cdi", "device", "cudaVisibleDevices"}
	every kind in chosen {
		selection.explicit(via(kind, true))
		selection.explicit(via(kind, false))
	}
	every kind in {"visibleDevices", "deviceAllow"} {
		selection.explicit(via(kind, false))
		not selection.explicit(via(kind, true))
	}
	not selection.explicit(via("privileged", false))
}

test_what_gives_compute if {
	selection.counts(via("device", true))
	selection.counts({"via": "device", "all": false, "count": 1, "devices": []})
	selection.counts({"via": "device", "all": false, "devices": [{"kind": "index", "value": "0"}]})
	not selection.counts(via("device", false))
	not selection.counts({"via": "device", "all": false, "count": 0, "devices": []})
	not selection.counts({"via": "device", "all": true, "devices": [], "utility": true})
}

counted(kind, n) := {"via": kind, "all": false, "count": n, "devices": []}

both := {{"gpu": fixture.gpu_a, "slice": ""}, {"gpu": fixture.gpu_b, "slice": ""}}

first := {{"gpu": fixture.gpu_a, "slice": ""}}

test_a_count if {
	selection.targets(counted("deviceRequest", 1)) == first with input as fixture.blank
	selection.targets(counted("deviceRequest", 2)) == both with input as fixture.blank
	selection.targets(counted("resourceLimit", 1)) == set() with input as fixture.blank
	selection.targets(counted("resourceLimit", 2)) == set() with input as fixture.blank
	selection.targets(via("resourceLimit", true)) == both with input as fixture.blank
	selection.targets(via("deviceRequest", false)) == set() with input as fixture.blank
}

# Of a card without an index it is not known whether it is among the first.
unnumbered := fixture.change(fixture.blank, [{"op": "remove", "path": "/nvml/gpus/0/index"}])

test_a_count_where_an_index_is_not_known if {
	selection.unresolved(counted("deviceRequest", 1)) == {"the first 1 GPUs"} with input as unnumbered
	selection.unresolved(counted("deviceRequest", 2)) == set() with input as unnumbered
	selection.unresolved(counted("resourceLimit", 1)) == set() with input as unnumbered
	selection.unresolved(counted("deviceRequest", 0)) == set() with input as unnumbered
	selection.unresolved(via("deviceRequest", true)) == set() with input as unnumbered
	selection.unresolved(counted("deviceRequest", 1)) == set() with input as fixture.blank
	alone := fixture.change(unnumbered, [{"op": "remove", "path": "/nvml/gpus/1"}])
	selection.targets(via("deviceRequest", false)) == set() with input as alone
}

named(kind, value) := {"via": "device", "all": false, "devices": [{"kind": kind, "value": value}]}

# The cards' minor numbers are not their indices.
crossed := fixture.change(fixture.blank, [
	{"op": "replace", "path": "/nvml/gpus/0/minorNumber", "value": 1},
	{"op": "replace", "path": "/nvml/gpus/1/minorNumber", "value": 0},
	{"op": "replace", "path": "/nvml/gpus/1/uuid", "value": "0"},
])

test_a_name if {
	selection.targets(named("index", "0")) == first with input as crossed
	selection.targets(named("minor", "1")) == first with input as crossed
	selection.targets(named("uuid", upper(fixture.gpu_a))) == first with input as crossed
	selection.targets(named("uuid", "0")) == {{"gpu": "0", "slice": ""}} with input as crossed
	selection.targets(named("uuid", "1")) == set() with input as crossed
	selection.targets(named("name", "0")) == set() with input as crossed
	selection.unresolved(named("index", "7")) == {"7"} with input as crossed
	selection.unresolved(named("index", "0")) == set() with input as crossed

	# The beginning of a UUID that two cards share names neither.
	selection.targets(named("uuid", "GPU-")) == set() with input as fixture.blank
	selection.unresolved(named("uuid", "GPU-")) == {"GPU-"} with input as fixture.blank
}

sliced(slice) := {{"gpu": fixture.gpu_a, "slice": slice}}

test_a_mig_device if {
	doc := fixture.change(fixture.blank, fixture.mig)
	selection.targets(named("mig", "mig-33CC44DD")) == sliced("5") with input as doc
	selection.targets(named("mig", sprintf("MIG-%s/1/0", [fixture.gpu_a]))) == sliced("1") with input as doc
	selection.targets(named("migIndex", "0:1")) == sliced("5") with input as doc
	selection.targets(named("migIndex", "1:1")) == set() with input as doc
	selection.targets(named("mig", "0:1")) == set() with input as doc
	selection.targets(named("uuid", "MIG-33cc44dd")) == set() with input as doc
	selection.targets(named("other", "0:1")) == set() with input as doc
	selection.targets(named("index", "0")) == sliced("?") with input as doc
}

test_what_stands_for_all_of_a_card if {
	card := fixture.gpu(fixture.gpu_a, 0)
	selection.whole(card) == "" with input as fixture.blank
	selection.whole(object.union(card, {"migMode": "disabled"})) == "" with input as fixture.blank
	selection.whole(object.union(card, {"migMode": "enabled"})) == "?" with input as fixture.blank
	selection.whole(object.union(card, {"migDevices": [{"gpuInstanceId": 1}]})) == "?" with input as fixture.blank

	# Where the mode got lost, the card may be cut.
	lost := fixture.gap(fixture.blank, "nvml", "nvml.gpus.migMode", "failed")
	selection.whole(card) == "?" with input as lost
	selection.whole(object.union(card, {"migMode": "disabled"})) == "" with input as lost
}

test_slices_that_share_hardware if {
	every pair in [["", ""], ["", "1"], ["1", ""], ["1", "1"]] {
		selection.overlap(pair[0], pair[1])
		not selection.may_overlap(pair[0], pair[1])
	}
	not selection.overlap("1", "5")
	not selection.may_overlap("1", "5")
	every pair in [["?", ""], ["", "?"], ["?", "?"], ["?", "1"], ["1", "?"]] {
		not selection.overlap(pair[0], pair[1])
		selection.may_overlap(pair[0], pair[1])
	}
}
