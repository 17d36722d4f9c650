# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.ownership_test

import data.gpugate.lib.fixture
import data.gpugate.lib.ownership

# claims are who claims the card at a place, as "kind manager claimant (note)".
claims(at) := {sprintf("%s %s %s (%s)", [c.kind, c.manager, c.claimant, c.note]) | some c in ownership.gpus[at].claims}

test_a_container_that_runs if {
	claims(0) == {"running docker lima ()", "configured docker lima ()"} with input as fixture.serving
	ownership.gpus[1].index == 1 with input as fixture.serving
	ownership.gpus[1].name == "NVIDIA L20" with input as fixture.serving
}

test_a_node if {
	claims(1) == {"allocatable tke node node-10.20.0.17 (nvidia.com/gpu: 2)"} with input as fixture.node
}

test_a_resource_group if {
	claims(0) == {"registered ti-one resource group lima (node sm-4c7x9b2w, RUNNING)"} with input as fixture.tione
}

test_nobody if {
	claims(0) == set() with input as fixture.blank
	count(ownership.gpus) == 2 with input as fixture.blank
}

test_what_may_come_back if {
	old := fixture.with_container(object.union(fixture.container("old", [fixture.indices(["0"])]), {"state": "exited", "restartPolicy": "unless-stopped"}))
	claims(0) == {"configured docker old (exited, may come back: restart policy unless-stopped)"} with input as fixture.change(fixture.blank, old)
	never := fixture.with_container(object.union(fixture.container("new", [fixture.indices(["0"])]), {"state": "created", "restartPolicy": "always"}))
	claims(0) == set() with input as fixture.change(fixture.blank, never)
	boot := fixture.with_unit(object.union(fixture.unit("flash.service", [fixture.all_by("unrestricted")]), {"activeState": "inactive"}))
	claims(0) == {"configured systemd flash.service (access without a request (unrestricted), inactive, starts at boot)"} with input as fixture.change(fixture.blank, boot)
}

test_slices if {
	doc := fixture.change(fixture.serving, array.concat(fixture.mig, [{"op": "add", "path": "/nvml/processes/0/gpuInstanceId", "value": 5}]))
	claims(0) == {"running docker lima (MIG instance 5)", "configured docker lima (MIG instance unknown)"} with input as doc
}

# A claim that cannot be described never hides the others.
test_a_broken_claim_hides_nothing if {
	doc := fixture.change(fixture.serving, [
		{"op": "replace", "path": "/host/processes/0/owner", "value": {"manager": "docker", "outer": []}},
		{"op": "remove", "path": "/host/processes/1"},
	])
	"configured docker lima ()" in claims(0) with input as doc
	"running docker process 4101 ()" in claims(0) with input as doc
	"running unknown process 4102 (nothing is known about this process)" in claims(1) with input as doc
}
