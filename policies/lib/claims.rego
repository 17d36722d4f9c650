# METADATA
# title: Claims
# description: >-
#   Who runs on a GPU, who is set up to use it, and who may take it. Each kind
#   is a rule of its own, so that a missing cluster does not blind a rule that
#   judges running processes.
# schemas:
#   - input: schema.facts
package gpugate.lib.claims

import data.gpugate.lib.cluster
import data.gpugate.lib.index
import data.gpugate.lib.plumbing
import data.gpugate.lib.selection

# running are the processes that compute on a GPU, with their owners.
running contains {
	"kind": "running",
	"gpu": entry.gpu,
	"slice": slice(entry),
	"manager": owner.manager,
	"claimant": owner.name,
	"id": owner.id,
	"pid": entry.pid,
	"endpoint": owner.endpoint,
	"called": owner.called,
	"explicit": true,
	"live": true,
	"settled": owner.settled,
	"note": owner.note,
	"evidence": array.concat([sprintf("/nvml/processes/%d", [i])], owner.evidence),
} if {
	some i, entry in input.nvml.processes
	entry.type != "graphics"
	not mps_server(entry)
	not plumbing.entry(entry)
	some owner in owners(entry)
}

mps_server(entry) if plumbing.is_mps(entry)

# hidden are MPS servers whose clients must exist but are not listed.
hidden contains {"gpu": entry.gpu, "pid": entry.pid, "evidence": [sprintf("/nvml/processes/%d", [i])]} if {
	some i, entry in input.nvml.processes
	plumbing.hidden_clients(entry)
	not client_beside(entry)
}

client_beside(server) if {
	some entry in input.nvml.processes
	entry.gpu == server.gpu
	entry.pid != server.pid
	entry.type == "mps"
	not plumbing.is_mps(entry)
}

# slice of the card a process runs on: its GPU instance, or all of the card.
slice(entry) := format_int(entry.gpuInstanceId, 10) if {
	entry.gpuInstanceId >= 0
} else := [selection.whole(g) | some g in input.nvml.gpus; g.uuid == entry.gpu][0] if {
	some g in input.nvml.gpus
	g.uuid == entry.gpu
} else := "?"

# owners of a process the driver lists: usually one, and unknown if the host
# says nothing about the process.
owners(entry) := {owner(found) | some found in index.processes[entry.pid]} if {
	index.processes[entry.pid]
} else := {{
	"manager": "unknown",
	"name": sprintf("process %d", [entry.pid]),
	"id": sprintf("pid:%d", [entry.pid]),
	"endpoint": "",
	"called": false,
	"settled": false,
	"note": "nothing is known about this process",
	"evidence": [],
}}

owner(found) := {
	"manager": o.manager,
	"name": first([object.get(o, "name", ""), object.get(o, "unit", ""), substring(object.get(o, "containerId", ""), 0, 12), sprintf("process %d", [found.process.pid])]),
	"id": first([prefixed("pod", object.get(o, "podUid", "")), container_id(o), unit_id(o), sprintf("pid:%d", [found.process.pid])]),
	"endpoint": object.get(o, "daemon", ""),
	"called": called(o),
	"settled": settled(o),
	"note": first([state_note(object.get(found.process, "state", "")), object.get(o, "reason", "")]),
	"evidence": [sprintf("/host/processes/%d/owner", [found.at])],
} if {
	o := found.process.owner
}

# settled says whether the container or pod is known to be there. A control group
# names it also when it is gone, and only those who run it can tell.
settled(o) := false if {
	o.manager == "docker"
	object.get(o, "containerId", "") != ""
	object.get(o, "daemon", "") == ""
} else := false if {
	o.manager == "kubernetes"
	object.get(o, "podUid", "") != ""
} else := true

container_id(o) := prefixed("container", object.get(o, "containerId", ""))

# unit_id passes over the scopes that container engines run their containers in:
# they are another name for the container.
unit_id(o) := prefixed("unit", object.get(o, "unit", "")) if {
	not o.manager in contained
} else := ""

contained := {"docker", "podman", "containerd", "lxc", "kubernetes", "tke", "ti-one", "orphan", "unknown"}

# identified holds if the id of a claim tells its claimant from all others. A
# process of which only the PID is known may belong to any of them.
identified(c) if not startswith(c.id, "pid:")

# called tells whether it is known what people call the owner, and so how a record
# would name it: a container that no daemon knows has only an id.
called(o) if {
	o.name != ""
	not o.manager in {"docker", "podman"}
} else if {
	o.name != ""
	o.daemon != ""
} else := false

prefixed(_, "") := ""

prefixed(kind, id) := sprintf("%s:%s", [kind, id]) if id != ""

# first is the first text that is not empty, or the last of all.
first(texts) := [t | some t in texts; t != ""][0] if {
	some t in texts
	t != ""
} else := ""

state_note("Z") := "zombie"

state_note("gone") := "no longer exists"

state_note(state) := "" if not state in {"Z", "gone"}

# containers are the GPUs that the containers of all daemons may use. A pod's
# container, and a container that is itself a node, belong to Kubernetes.
containers contains {
	"kind": "configured",
	"gpu": target.gpu,
	"slice": target.slice,
	"manager": container_manager(daemon, container),
	"claimant": container.name,
	"id": first([prefixed("pod", object.get(container, "podUid", "")), prefixed("container", container.id)]),
	"pid": 0,
	"endpoint": daemon.endpoint,
	"called": true,
	"explicit": explicit,
	"via": s.via,
	"live": live,
	"whole": whole_container(container),
	"note": concat(", ", [n | some n in [access_note(explicit, s.via), revival_note(live, container)]; n != ""]),
	"evidence": [sprintf("/docker/daemons/%d/containers/%d/gpus/%d", [i, j, k])],
} if {
	some i, daemon in input.docker.daemons
	some j, container in daemon.containers
	some k, s in container.gpus
	usable(container.gpus, s)
	live := container_live(container)
	stays(live, container)
	explicit := is_explicit(s)
	some target in selection.targets(s)
}

# usable passes over choices that give no compute, and over
# CUDA_VISIBLE_DEVICES, which within a container counts the GPUs given to it.
usable(all, s) if {
	selection.counts(s)
	not relative(all, s)
}

relative(all, s) if {
	s.via == "cudaVisibleDevices"
	some other in all
	other.via != "cudaVisibleDevices"
}

is_explicit(s) if {
	selection.explicit(s)
} else := false

# Only if all was read of a container or unit may be concluded from what it was
# not given.
whole_container(container) if {
	index.whole("docker.daemons", container.id)
} else := false

whole_unit(unit) if {
	index.whole("systemd.units", unit.name)
} else := false

container_manager(daemon, container) := "kubernetes" if {
	container.clusterNode
} else := "kubernetes" if {
	container.podUid != ""
} else := object.get(daemon, "engine", "docker")

# container_live tells a container that runs from one that may come back.
container_live(container) if {
	container.state in {"running", "paused", "restarting"}
} else := false

# stays passes over containers that are gone for good: what never ran is not
# started by the daemon, and what has no restart policy is not started again.
stays(true, _)

stays(false, container) if {
	container.state in {"exited", "dead"}
	container.restartPolicy in {"always", "unless-stopped", "on-failure"}
}

revival_note(true, _) := ""

revival_note(false, container) := sprintf("%s, may come back: restart policy %s", [container.state, container.restartPolicy])

access_note(true, _) := ""

access_note(false, via) := sprintf("access without a request (%s)", [via])

# units are the GPUs that systemd units may use. A unit that launches a
# container is its launcher, not a party.
units contains {
	"kind": "configured",
	"gpu": target.gpu,
	"slice": target.slice,
	"manager": "systemd",
	"claimant": unit.name,
	"id": sprintf("unit:%s", [unit.name]),
	"pid": 0,
	"endpoint": "",
	"called": true,
	"explicit": explicit,
	"via": s.via,
	"live": live,
	"whole": whole_unit(unit),
	"note": concat(", ", [n | some n in [access_note(explicit, s.via), unit_note(live, unit)]; n != ""]),
	"evidence": [sprintf("/systemd/units/%d/gpus/%d", [i, k])],
} if {
	some i, unit in input.systemd.units
	unit.role in {"model", "other"}
	not unit.wraps
	some k, s in unit.gpus
	selection.counts(s)
	not narrowed(unit.gpus, s)
	live := unit_live(unit)
	unit_stays(live, unit)
	explicit := is_explicit(s)
	some target in selection.targets(s)
}

# narrowed passes over device permissions of a unit that chooses among them with
# CUDA_VISIBLE_DEVICES.
narrowed(all, s) if {
	s.via != "cudaVisibleDevices"
	some other in all
	other.via == "cudaVisibleDevices"
}

unit_live(unit) if {
	unit.activeState in {"active", "activating", "reloading", "deactivating"}
} else := false

unit_stays(true, _)

unit_stays(false, unit) if startswith(object.get(unit, "unitFileState", ""), "enabled")

unit_note(true, _) := ""

unit_note(false, unit) := sprintf("%s, starts at boot", [object.get(unit, "activeState", "state unknown")])

# undecided are containers and units of which it cannot be told which GPU they
# use, or whether they run.
undecided contains {
	"manager": "docker",
	"claimant": container.name,
	"why": sprintf("it asks for %q, which names no single GPU of this host", [value]),
	"evidence": [sprintf("/docker/daemons/%d/containers/%d/gpus/%d", [i, j, k])],
} if {
	some i, daemon in input.docker.daemons
	some j, container in daemon.containers
	some k, s in container.gpus
	usable(container.gpus, s)
	container_live(container) == true
	some value in selection.unresolved(s)
}

undecided contains {
	"manager": "docker",
	"claimant": container.name,
	"why": "its state is not known",
	"evidence": [sprintf("/docker/daemons/%d/containers/%d", [i, j])],
} if {
	some i, daemon in input.docker.daemons
	some j, container in daemon.containers
	not container.state
	some s in container.gpus
	usable(container.gpus, s)
}

undecided contains {
	"manager": "systemd",
	"claimant": unit.name,
	"why": sprintf("it asks for %q, which names no single GPU of this host", [value]),
	"evidence": [sprintf("/systemd/units/%d/gpus/%d", [i, k])],
} if {
	some i, unit in input.systemd.units
	not unit.wraps
	unit_live(unit) == true
	some k, s in unit.gpus
	selection.counts(s)
	some value in selection.unresolved(s)
}

undecided contains {
	"manager": "systemd",
	"claimant": unit.name,
	"why": "its state is not known",
	"evidence": [sprintf("/systemd/units/%d", [i])],
} if {
	some i, unit in input.systemd.units
	not unit.wraps
	not unit.activeState
	some s in unit.gpus
	selection.counts(s)
}

# configured are all that is set up on this host.
configured := containers | units

# allocatable are the GPUs that a Ready node may give to pods, even with none
# running.
allocatable contains {
	"kind": "allocatable",
	"gpu": target.gpu,
	"slice": target.slice,
	"manager": cluster.manager,
	"claimant": sprintf("node %s", [input.kubernetes.node.name]),
	"id": "node",
	"pid": 0,
	"endpoint": "",
	"explicit": true,
	"live": true,
	"note": concat(", ", sort([sprintf("%s: %d", [r.resource, r.quantity]) | some r in cluster.offered])),
	"evidence": ["/kubernetes/node/allocatable"],
} if {
	cluster.ready == "True"
	some target in cluster.targets
}

# registered are the GPUs that belong to a TI-ONE resource group. Its export
# names nodes, not cards, so that all of them count. A node whose status or
# amount the export does not tell counts too, but not one where it got lost.
registered contains {
	"kind": "registered",
	"gpu": g.uuid,
	"slice": selection.whole(g),
	"manager": "ti-one",
	"claimant": sprintf("resource group %s", [first([object.get(group, "name", ""), object.get(group, "id", ""), "without name"])]),
	"id": "ti-one",
	"pid": 0,
	"endpoint": "",
	"explicit": true,
	"live": true,
	"note": sprintf("node %s, %s", [instance.id, object.get(instance, "status", "status unknown")]),
	"evidence": [sprintf("/tione/resourceGroup/instances/%d", [i])],
} if {
	group := input.tione.resourceGroup
	some i, instance in group.instances
	instance.thisHost
	not object.get(instance, "status", "") == "RELEASED"
	not object.get(instance, "totalGpuHundredths", 100) == 0
	told(instance)
	some g in input.nvml.gpus
}

told(instance) if {
	instance.status
	instance.totalGpuHundredths >= 0
}

told(_) if index.complete("tione.resourceGroup")
