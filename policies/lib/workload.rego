# METADATA
# title: Workloads
# description: >-
#   What computes on the GPUs, or may: processes, containers, units and pods, each
#   with what its command line does.
# schemas:
#   - input: schema.facts
package gpugate.lib.workload

import data.gpugate.lib.claims
import data.gpugate.lib.classify
import data.gpugate.lib.command
import data.gpugate.lib.index
import data.gpugate.lib.selection
import data.gpugate.lib.signatures
import data.gpugate.lib.subject

# processes are those that compute on a GPU. Workers that Python spawned are
# judged by what started them: their container, unit or pod.
processes contains {
	"subject": process_subject(p, c),
	"holder": c.claimant,
	"answer": answer,
	"evidence": [sprintf("/host/processes/%d/args", [found.at])],
} if {
	some c in claims.running
	some found in index.processes[c.pid]
	p := found.process
	answer := answers[[p.args, p.environment]]
	not left_to_manager(answer, c)
}

# process_subject lasts beyond a restart: the key names what runs, not its PID.
process_subject(p, c) := {
	"kind": "process",
	"id": format_int(p.pid, 10),
	"name": sprintf("PID %d (%s)", [p.pid, name]),
	"key": sprintf("%s/%s/%s", [c.manager, lasting(c), name]),
} if {
	name := object.get(p, "name", "unnamed")
}

# lasting is the name of a claim's holder, unless that is only a PID, the id of a
# container that nobody knows, or the number of a login.
lasting(c) := c.claimant if {
	c.called
	not c.manager in {"orphan", "session"}
} else := ""

# answers are what the command lines of the processes say, once each: workers often
# share one.
answers := {line: classify.of(line[0], line[1]) |
	some line in {[p.args, p.environment] | some p in input.host.processes}
}

# A process of which the host says nothing still runs.
processes contains {
	"subject": {"kind": "process", "id": format_int(c.pid, 10), "name": sprintf("PID %d", [c.pid]), "key": sprintf("%s//", [c.manager])},
	"holder": c.claimant,
	"answer": {"class": "unknown", "kind": "", "why": "nothing is known about this process"},
	"evidence": c.evidence,
} if {
	some c in claims.running
	not index.processes[c.pid]
}

left_to_manager(answer, c) if {
	answer.class == "child"
	c.manager in {"docker", "systemd", "tke", "ti-one", "kubernetes"}
}

# containers are those that were given a GPU and run, or may run.
containers contains {
	"subject": {"kind": "container", "id": c.id, "name": c.name, "key": sprintf("%s/%s", [d.endpoint, c.name])},
	"holder": c.name,
	"answer": if_running(object.get(c, "state", ""), with_image(classify.of(c.args, c.environment), c)),
	"evidence": [sprintf("/docker/daemons/%d/containers/%d/args", [i, j])],
} if {
	some i, d in input.docker.daemons
	some j, c in d.containers
	not stopped(c)
	not c.clusterNode
	not c.podUid
	given_gpus(c.gpus)
}

stopped(c) if c.state in {"created", "exited", "dead", "removing"}

# if_running leaves open what a workload does that may have ended.
if_running(state, answer) := {"class": "unknown", "kind": "", "why": sprintf("%s, and whether it still runs is not known", [answer.why])} if {
	state == ""
	answer.class in {"training", "rollout"}
} else := answer

given_gpus(gpus) if {
	some s in gpus
	selection.counts(s)
	s.via in {"deviceRequest", "cdi", "device", "visibleDevices", "resourceLimit"}
}

# with_image adds the image as a hint where nothing else is known.
with_image(answer, c) := object.union(answer, {"why": sprintf("%s (image %s)", [answer.why, c.image])}) if {
	answer.class == "unknown"
	c.image
} else := answer

# units are the model servers of the service manager.
units contains {
	"subject": {"kind": "unit", "id": u.name, "name": u.name},
	"holder": u.name,
	"answer": if_running(unit_state(u), classify.worst([classify.of(unit_argv(command), unit_environment(u)) | some command in u.execStart])),
	"evidence": [sprintf("/systemd/units/%d/execStart", [i])],
} if {
	some i, u in input.systemd.units
	u.role == "model"
	not u.wraps
	not idle_unit(u)
}

idle_unit(u) if {
	u.activeState in {"inactive", "failed"}
	not startswith(u.unitFileState, "enabled")
}

idle_unit(u) if {
	u.activeState in {"inactive", "failed"}
	u.loadState == "not-found"
}

# unit_state is "" if it is not known whether the unit runs, now or from the next
# start of the server.
unit_state(u) := "" if {
	not u.activeState
} else := object.get(u, "unitFileState", "") if {
	u.activeState in {"inactive", "failed"}
} else := u.activeState

# unit_environment of a unit. The service manager sets PATH for each, so that it is
# known unless part of it stands in files.
unit_environment(u) := array.concat(object.get(u, "environment", []), [{"name": "PATH"}]) if {
	u.environmentFiles == []
} else := [v | some v in object.get(u, "environment", []); v.name == signatures.runtime_lora]

unit_argv(c) := c.args if {
	command.base(c.args[0]) == command.base(c.path)
} else := array.concat([c.path], c.args)

# pods are those with a container that was given a GPU.
pods contains {
	"subject": subject.pod(p),
	"holder": sprintf("%s/%s", [p.namespace, p.name]),
	"answer": if_running(object.get(p, "phase", ""), pod_answer(p, c)),
	"evidence": [sprintf("/kubernetes/pods/%d/containers/%d/args", [i, j])],
} if {
	some i, p in input.kubernetes.pods
	p.role == "workload"
	not object.get(p, "phase", "") in {"Succeeded", "Failed"}
	some j, c in p.containers
	given_gpus(c.gpus)
}

pod_answer(p, c) := by_args if {
	by_args := classify.of(c.args, c.environment)
	by_args.class == "training"
} else := {"class": "training", "kind": "of a training operator", "why": sprintf("its label %s says so", [key])} if {
	keys := [l.key |
		some l in p.labels
		some prefix in signatures.training_labels
		startswith(l.key, prefix)
	]
	key := keys[0]
} else := by_args if {
	by_args := with_image(classify.of(c.args, c.environment), c)
	by_args.class != "unknown"
} else := {"class": "inference", "kind": "", "why": "TI-ONE runs it as an inference task"} if {
	p.taskType == "Inference"
} else := with_image(classify.of(c.args, c.environment), c)
