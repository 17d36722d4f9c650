# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.claims_test

import data.gpugate.lib.claims
import data.gpugate.lib.fixture

one(owner) := fixture.change(fixture.blank, fixture.on(fixture.gpu_a, 5001, owner))

only(claims_made) := [c | some c in claims_made][0]

# What a running claim says of its owner.
said(c) := [c.manager, c.claimant, c.id, c.called, c.settled]

test_owners if {
	said(only(claims.running)) == ["docker", "lima", "container:id-lima", true, true] with input as one(fixture.docker_owner("lima"))
	said(only(claims.running)) == ["systemd", "flash.service", "unit:flash.service", true, true] with input as one(fixture.systemd_owner("flash.service"))
	said(only(claims.running)) == ["tke", "serving/a", "pod:uid-a", true, true] with input as one(fixture.pod_owner("tke", "a"))
	said(only(claims.running)) == ["kubernetes", "serving/a", "pod:uid-a", true, false] with input as one(fixture.pod_owner("kubernetes", "a"))
	said(only(claims.running)) == ["unknown", "process 5001", "pid:5001", false, true] with input as one({"manager": "unknown", "reason": "unread"})

	# A container that is known by its id alone is not called by that.
	bare := {"manager": "docker", "containerId": "beef0042beefcafe"}
	said(only(claims.running)) == ["docker", "beef0042beef", "container:beef0042beefcafe", false, false] with input as one(bare)
	named := {"manager": "podman", "containerId": "beef0042beefcafe", "name": "kilo"}
	said(only(claims.running)) == ["podman", "kilo", "container:beef0042beefcafe", false, true] with input as one(named)
	nameless := object.union(bare, {"daemon": "unix:///run/docker.sock"})
	said(only(claims.running)) == ["docker", "beef0042beef", "container:beef0042beefcafe", false, true] with input as one(nameless)

	# Nothing but the manager is known.
	said(only(claims.running)) == ["docker", "process 5001", "pid:5001", false, true] with input as one({"manager": "docker"})
	said(only(claims.running)) == ["kubernetes", "process 5001", "pid:5001", false, true] with input as one({"manager": "kubernetes"})
}

# The scope in which an engine runs a container is another name for the container,
# and so is it of a pod.
test_units_that_are_other_names if {
	every manager in {"docker", "podman", "containerd", "lxc", "kubernetes", "tke", "ti-one", "orphan", "unknown"} {
		c := only(claims.running) with input as one({"manager": manager, "unit": "docker-beef.scope"})
		c.id == "pid:5001"
	}
	every manager in {"systemd", "session", "daemon"} {
		c := only(claims.running) with input as one({"manager": manager, "unit": "own.service"})
		c.id == "unit:own.service"
		c.claimant == "own.service"
		not c.called
	}
}

test_a_process_the_host_does_not_list if {
	doc := fixture.change(one(fixture.docker_owner("lima")), [{"op": "replace", "path": "/host/processes", "value": []}])
	c := only(claims.running) with input as doc
	said(c) == ["unknown", "process 5001", "pid:5001", false, false]
	c.note == "nothing is known about this process"
	not claims.identified(c)
}

noted(state) := c.note if {
	c := only(claims.running) with input as fixture.change(one({"manager": "orphan", "reason": "no daemon knows it"}), [{"op": "replace", "path": "/host/processes/0/state", "value": state}])
}

test_what_a_process_is_noted_as if {
	noted("Z") == "zombie"
	noted("gone") == "no longer exists"
	noted("S") == "no daemon knows it"
}

# What runs is live, and was meant.
test_every_claim_says_what_it_is if {
	every c in claims.running {
		c.kind == "running"
		c.live
		c.explicit
	} with input as fixture.serving
	every c in claims.units {
		c.kind == "configured"
		c.called
		c.live
		c.explicit
		c.whole
		c.note == ""
	} with input as with_unit({})
	every c in claims.allocatable {
		c.kind == "allocatable"
		c.manager == "tke"
		c.id == "node"
		c.live
		c.explicit
	} with input as fixture.node
	every c in claims.registered {
		c.kind == "registered"
		c.manager == "ti-one"
		c.id == "ti-one"
		c.live
		c.explicit
	} with input as fixture.tione
	count(claims.running) == 2 with input as fixture.serving
	count(claims.allocatable) == 2 with input as fixture.node
	count(claims.registered) == 2 with input as fixture.tione
}

chosen := {"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "0"}]}

with_unit(change) := fixture.change(fixture.blank, fixture.with_unit(object.union(fixture.unit("flash.service", [chosen]), change)))

with_selections(list) := with_unit({"gpus": list})

cards := {c.gpu | some c in claims.configured}

test_units if {
	cards == {fixture.gpu_a} with input as with_unit({})
	cards == {fixture.gpu_a} with input as with_unit({"role": "other"})
	cards == set() with input as with_unit({"role": "engine"})
	cards == set() with input as with_unit({"wraps": {"engine": "docker", "name": "lima"}})

	# Permissions are narrowed by a choice.
	allowed := object.union(fixture.all_by("deviceAllow"), {})
	cards == {fixture.gpu_a, fixture.gpu_b} with input as with_selections([allowed])
	cards == {fixture.gpu_a} with input as with_selections([allowed, chosen])
	cards == {fixture.gpu_a, fixture.gpu_b} with input as with_selections([allowed, fixture.all_by("unrestricted")])

	# What only watches gives no compute.
	cards == set() with input as with_selections([object.union(allowed, {"utility": true})])
}

live_in(states) := {s |
	some s in states
	some c in claims.units with input as with_unit({"activeState": s, "unitFileState": "enabled"})
	c.live
}

there_in(files) := {f |
	some f in files
	count(claims.units) > 0 with input as with_unit({"activeState": "inactive", "unitFileState": f})
}

test_units_that_run_or_will if {
	live_in({"active", "activating", "reloading", "deactivating", "inactive", "failed"}) == {"active", "activating", "reloading", "deactivating"}
	there_in({"enabled", "enabled-runtime", "disabled", "static", "masked", "was-enabled"}) == {"enabled", "enabled-runtime"}
	count(claims.units) == 1 with input as with_unit({"activeState": "active", "unitFileState": "disabled"})
	c := only(claims.units) with input as with_unit({"activeState": "inactive"})
	c.note == "inactive, starts at boot"
	not c.live
	wide := only(claims.units) with input as with_selections([fixture.all_by("unrestricted")])
	wide.note == "access without a request (unrestricted)"
	not wide.explicit
}

with_container(change) := fixture.change(fixture.blank, fixture.with_container(object.union(fixture.container("lima", [fixture.indices(["0"])]), change)))

test_containers_that_run_or_will if {
	running := {s |
		some s in {"running", "paused", "restarting", "created", "exited", "dead", "removing"}
		some c in claims.containers with input as with_container({"state": s})
		c.live
	}
	running == {"running", "paused", "restarting"}
	coming := {[s, p] |
		some s in {"created", "exited", "dead", "removing"}
		some p in {"no", "always", "unless-stopped", "on-failure"}
		count(claims.containers) > 0 with input as with_container({"state": s, "restartPolicy": p})
	}
	coming == {[s, p] | some s in {"exited", "dead"}; some p in {"always", "unless-stopped", "on-failure"}}
	c := only(claims.containers) with input as with_container({"state": "exited", "restartPolicy": "always"})
	c.note == "exited, may come back: restart policy always"
	now := only(claims.containers) with input as with_container({})
	[now.note, now.live, now.whole, now.called, now.explicit] == ["", true, true, true, true]
}

test_whose_a_container_is if {
	{c.manager | some c in claims.containers} == {"docker"} with input as with_container({})
	{c.manager | some c in claims.containers} == {"kubernetes"} with input as with_container({"clusterNode": true})
	{[c.manager, c.id] | some c in claims.containers} == {["kubernetes", "pod:uid-a"]} with input as with_container({"podUid": "uid-a"})
	podman := fixture.change(with_container({}), [{"op": "replace", "path": "/docker/daemons/0/engine", "value": "podman"}])
	{c.manager | some c in claims.containers} == {"podman"} with input as podman
	nameless := fixture.change(with_container({}), [{"op": "remove", "path": "/docker/daemons/0/engine"}])
	{c.manager | some c in claims.containers} == {"docker"} with input as nameless
}

inner := {"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "1"}]}

test_a_choice_within_a_container if {
	cards == {fixture.gpu_a} with input as with_container({"gpus": [fixture.indices(["0"]), inner]})
	cards == {fixture.gpu_b} with input as with_container({"gpus": [inner]})
	cards == {fixture.gpu_b} with input as with_container({"gpus": [inner, inner]})
	cards == set() with input as with_container({"gpus": [object.union(fixture.all_by("visibleDevices"), {"utility": true})]})
}

# A part that got lost may be what the container was given.
test_what_was_read_in_full if {
	lost := fixture.lacking(with_container({}), "docker", {"path": "docker.daemons", "item": "id-lima", "reason": "failed", "detail": "lost"})
	{c.whole | some c in claims.containers} == {false} with input as lost
	torn := fixture.lacking(with_unit({}), "systemd", {"path": "systemd.units", "item": "flash.service", "reason": "failed", "detail": "lost"})
	{c.whole | some c in claims.units} == {false} with input as torn
}

undecided := {[u.manager, u.claimant, u.why] | some u in claims.undecided}

odd := {"via": "deviceRequest", "all": false, "devices": [{"kind": "index", "value": "7"}]}

unnamed(manager, name) := {[manager, name, `it asks for "7", which names no single GPU of this host`]}

stateless(manager, name) := {[manager, name, "its state is not known"]}

test_containers_that_cannot_be_decided if {
	undecided == set() with input as with_container({})
	undecided == unnamed("docker", "lima") with input as with_container({"gpus": [odd]})
	undecided == set() with input as with_container({"gpus": [odd], "state": "exited"})
	undecided == set() with input as with_container({"gpus": [object.union(odd, {"utility": true})]})
	undecided == stateless("docker", "lima") with input as fixture.change(with_container({}), [{"op": "remove", "path": "/docker/daemons/0/containers/0/state"}])
	undecided == set() with input as fixture.change(with_container({"gpus": []}), [{"op": "remove", "path": "/docker/daemons/0/containers/0/state"}])
	undecided == set() with input as fixture.change(with_container({"gpus": [object.union(odd, {"utility": true})]}), [{"op": "remove", "path": "/docker/daemons/0/containers/0/state"}])
}

without_state(doc) := fixture.change(doc, [{"op": "remove", "path": "/systemd/units/0/activeState"}])

test_units_that_cannot_be_decided if {
	wraps := {"wraps": {"engine": "docker", "name": "lima"}}
	watching := [object.union(odd, {"utility": true})]
	undecided == set() with input as with_unit({})
	undecided == unnamed("systemd", "flash.service") with input as with_unit({"gpus": [odd]})
	undecided == set() with input as with_unit({"gpus": [odd], "activeState": "inactive"})
	undecided == set() with input as with_unit(object.union({"gpus": [odd]}, wraps))
	undecided == set() with input as with_unit({"gpus": watching})
	undecided == stateless("systemd", "flash.service") with input as without_state(with_unit({}))
	undecided == set() with input as without_state(with_unit(wraps))
	undecided == set() with input as without_state(with_unit({"gpus": watching}))
	undecided == set() with input as without_state(with_unit({"gpus": []}))
}

listed(change) := {"op": "add", "path": "/nvml/processes/-", "value": object.union({"gpu": fixture.gpu_a, "pid": 77, "type": "compute", "name": "python3", "usedMemoryBytes": 1048576}, change)}

server := listed({"type": "mps", "name": "nvidia-cuda-mps-server", "usedMemoryBytes": 9663676416})

hidden(others) := {h.pid | some h in claims.hidden with input as fixture.change(fixture.blank, array.concat([server], others))}

test_an_mps_server_whose_clients_are_not_listed if {
	client := listed({"type": "mps", "pid": 78})
	hidden([]) == {77}
	hidden([client]) == set()

	# None of these is a client of this server.
	hidden([listed({"type": "mps", "pid": 78, "gpu": fixture.gpu_b})]) == {77}
	hidden([listed({"type": "compute", "pid": 78})]) == {77}
	hidden([listed({"type": "mps", "pid": 77})]) == {77}
	hidden([listed({"type": "mps", "pid": 78, "name": "nvidia-cuda-mps-control"})]) == {77}
}

slices(change, cards_cut) := {c.slice | some c in claims.running with input as fixture.change(fixture.blank, array.concat(cards_cut, [listed(change)]))}

test_slices if {
	slices({}, []) == {""}
	slices({}, fixture.mig) == {"?"}
	slices({"gpu": fixture.gpu_b}, fixture.mig) == {""}
	slices({"gpuInstanceId": 5}, fixture.mig) == {"5"}
	slices({"gpuInstanceId": 0}, fixture.mig) == {"0"}
	slices({"gpuInstanceId": -1}, fixture.mig) == {"?"}
	slices({"gpu": "GPU-gone"}, []) == {"?"}
	slices({"type": "graphics"}, []) == set()
}

group(change) := fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0", "value": object.union(object.remove(fixture.tione.tione.resourceGroup.instances[0], ["totalGpuHundredths"]), change)}])

registered := count(claims.registered)

test_what_a_resource_group_has if {
	registered == 2 with input as group({"totalGpuHundredths": 200})
	registered == 0 with input as group({"totalGpuHundredths": 0})
	registered == 0 with input as group({"totalGpuHundredths": 200, "status": "RELEASED"})
	registered == 0 with input as group({"totalGpuHundredths": 200, "thisHost": false})
	registered == 2 with input as group({})

	# What got lost may have been nothing.
	lost := fixture.gap(group({}), "tione", "tione.resourceGroup", "failed")
	registered == 0 with input as lost
	registered == 2 with input as fixture.gap(group({"totalGpuHundredths": 200}), "tione", "tione.resourceGroup", "failed")
	registered == 0 with input as fixture.gap(group({"totalGpuHundredths": -1}), "tione", "tione.resourceGroup", "failed")
}

test_what_a_node_may_give if {
	count(claims.allocatable) == 0 with input as fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "Unknown"}])
}

test_the_first_text if {
	claims.first(["", "a", "b"]) == "a"
	claims.first(["", ""]) == ""
	claims.first([]) == ""
}
