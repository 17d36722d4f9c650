# METADATA
# title: Workloads
# description: >-
#   Tells training from inference by command lines. What launches a program, an
#   adapter that is loaded and words in paths or prompts say nothing; the program,
#   module or script does, and so do two or more of the flags by which a trainer is
#   told how to train. What is not recognised is unknown.
# schemas:
#   - input: schema.facts
package gpugate.lib.workload

import data.gpugate.lib.claims
import data.gpugate.lib.command
import data.gpugate.lib.index
import data.gpugate.lib.selection
import data.gpugate.lib.signatures
import data.gpugate.lib.subject

# classify says what a command line does, as {class, kind, why}. The environment
# is a list of variables, which may not be all.
classify(argv, environment) := worst([judged(core, environment) |
	some core in command.commands(argv)
	not ignorable(core)
])

ignorable(core) if command.base(core[0]) in signatures.builtins

ignorable(core) if count(core) == 0

# order is which of several commands decides about all.
order := ["training", "rollout", "unknown", "child", "inference", "tool"]

worst(answers) := [a | some class in order; some a in answers; a.class == class][0] if {
	count(answers) > 0
} else := {"class": "unknown", "kind": "", "why": "no command line is known"}

# judged tells what one command does. All that is looked up in its words is
# looked up once.
judged(core, environment) := decided(found, environment) if {
	module := command.module_or_none(core)
	script := script_of(core, module)
	words := flags(core)
	found := {
		"core": core,
		"name": name(core, module, script),
		"class": signature(core, module, script),
		"flags": words,
		"trainer": words & signatures.trainer_flags,
		"training": told_to_train(core, words),
	}
}

# decided joins the signature of a command with its flags.
decided(c, environment) := answer("unknown", sprintf("%s trains, but is told to evaluate", [c.name])) if {
	c.class == "training"
	count(c.flags & signatures.evaluation_flags) > 0
	not "do_train" in c.flags
} else := trains(c, sprintf("%s trains", [c.name])) if {
	c.class == "training"
} else := answer("unknown", sprintf("%s does not train, but is given a trainer's flags: %s", [c.name, listed(c.trainer)])) if {
	c.class in {"inference", "tool", "rollout"}
	c.training
} else := answer("rollout", sprintf("%s generates for a training that runs elsewhere", [c.name])) if {
	c.class == "rollout"
} else := answer("rollout", sprintf("%s serves with %s=1: a trainer can push new adapters into it, and the weights may change after they were recorded", [c.name, signatures.runtime_lora])) if {
	c.class == "inference"
	updates_adapters(environment)
} else := answer("unknown", sprintf("%s serves adapters; whether a trainer may replace them at run time is not known without its environment", [c.name])) if {
	c.class == "inference"
	"enable_lora" in c.flags
	count(environment) == 0
} else := answer(c.class, sprintf("%s is %s", [c.name, described[c.class]])) if {
	described[c.class]
} else := trains(c, sprintf("%s is given a trainer's flags: %s", [c.name, listed(c.trainer)])) if {
	c.training
} else := answer("unknown", sprintf("%s is not known, and one flag of a trainer (%s) proves nothing", [c.name, listed(c.trainer)])) if {
	count(c.trainer) > 0
} else := answer("unknown", sprintf("%s can be either", [c.name])) if {
	c.class == "unknown"
} else := answer("unknown", sprintf("%s is not known", [c.name]))

answer(class, why) := {"class": class, "kind": "", "why": why}

trains(c, why) := {"class": "training", "kind": kind(c), "why": why}

described := {"inference": "a model server or generator", "tool": "a tool", "child": "a worker of another process"}

updates_adapters(environment) if {
	some v in environment
	v.name == signatures.runtime_lora
	object.get(v, "value", "1") in {"1", "true", "True"}
}

# signature is the class the tables give, the most telling table first; "" if
# none does.
signature(core, module, script) := matching(signatures.titles, core[0]) if {
	module == ""
	script == ""
	matching(signatures.titles, core[0])
} else := signatures.programs[command.base(core[0])] if {
	true
} else := subcommand(core) if {
	signatures.subcommands[command.base(core[0])]
} else := object.get(signatures.subcommands["nemo llm"], [core[2]], "unknown") if {
	command.base(core[0]) == "nemo"
	core[1] == "llm"
} else := object.get(signatures.subcommands[signatures.module_programs[module]], [core[command.option_end(core) + 1]], "unknown") if {
	signatures.module_programs[module]
} else := matching(signatures.modules, module) if {
	module != ""
} else := matching(signatures.paths, script) if {
	script != ""
} else := matching(signatures.scripts, lower(command.base(script))) if {
	script != ""
} else := "child" if {
	spawned(core)
} else := ""

# matching is the class of the first pattern that fits.
matching(table, text) := [class |
	some [pattern, class] in table
	regex.match(pattern, text)
][0]

# subcommand is the class of PROGRAM SUBCOMMAND; unknown if the program is known
# and the subcommand is not.
subcommand(core) := signatures.subcommands[command.base(core[0])][core[1]] if {
	true
} else := "unknown"

# script_of is the path of a script, run by an interpreter or by itself; "" if
# there is none.
script_of(core, "") := core[command.script_at(core)] if {
	command.script_at(core)
} else := core[0] if {
	endswith(core[0], ".py")
} else := ""

script_of(_, module) := "" if module != ""

# spawned holds for processes that Python's own libraries start as workers of
# another, which says nothing about what that one does.
spawned(core) if {
	command.is_python(core[0])
	at := command.option_end(core)
	core[at - 1] == "-c"
	regex.match(`^\s*from (multiprocessing|torch\._inductor|torch\.utils)`, core[at])
}

spawned(core) if {
	# Split at blanks, as some captures hold it.
	command.is_python(core[0])
	at := command.option_end(core)
	core[at - 1] == "-c"
	core[at] == "from"
	startswith(core[at + 1], "multiprocessing")
}

# name is what a person calls what is run.
name(core, module, script) := sprintf("python -m %s", [module]) if {
	module != ""
} else := command.base(script) if {
	script != ""
} else := sprintf("%s %s", [command.base(core[0]), core[1]]) if {
	signatures.subcommands[command.base(core[0])]
} else := command.base(core[0])

# flags are the names of options, alike in all spellings: --learning-rate=1e-4,
# --learning_rate 1e-4, learning_rate=1e-4.
flags(core) := {replace(trim_left(split(word, "=")[0], "-"), "-", "_") |
	some word in core
	is_flag(word)
}

is_flag(word) if startswith(word, "-")

is_flag(word) if contains(word, "=")

told_to_train(core, words) if {
	count(words & signatures.trainer_flags) > 1
} else if {
	words & {"deepspeed", "deepspeed_config"} != set()
	count(words & signatures.output_flags) > 0
	deepspeed_configured(core)
} else := false

# deepspeed_configured holds if DeepSpeed is given a configuration file.
deepspeed_configured(core) if {
	some i, word in core
	regex.match(`^--deepspeed(_config)?(=.*\.json)?$`, word)
	endswith(concat("", [word, object.get({"next": core[i + 1]}, "next", "")]), ".json")
}

# kind of a training, as far as the command line tells.
kind(c) := "LoRA or QLoRA" if {
	some word in c.core
	contains(lower(word), "lora")
} else := "LoRA or QLoRA" if {
	"use_peft" in c.flags
} else := "from scratch" if {
	regex.match(`(^|[-_. ])(pretrain|pre_train)`, lower(c.name))
} else := "full fine-tuning" if {
	some word in c.core
	word in {"full", "--finetuning_type=full", "finetuning_type=full", "finetune_full"}
} else := "of a kind the command line does not tell"

listed(words) := concat(", ", sort([w | some w in words]))

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

# lasting is the name of a claim's holder, unless that is only a PID.
lasting(c) := c.claimant if not startswith(c.id, "pid:")

lasting(c) := "" if startswith(c.id, "pid:")

# answers are what the command lines of the processes say, once each: workers often
# share one.
answers := {line: classify(line[0], line[1]) |
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
	"answer": if_running(object.get(c, "state", ""), with_image(classify(c.args, c.environment), c)),
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
	"answer": if_running(unit_state(u), worst([classify(unit_argv(command), object.get(u, "environment", [])) | some command in u.execStart])),
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
	by_args := classify(c.args, c.environment)
	by_args.class == "training"
} else := {"class": "training", "kind": "of a training operator", "why": sprintf("its label %s says so", [key])} if {
	keys := [l.key |
		some l in p.labels
		some prefix in signatures.training_labels
		startswith(l.key, prefix)
	]
	key := keys[0]
} else := by_args if {
	by_args := with_image(classify(c.args, c.environment), c)
	by_args.class != "unknown"
} else := {"class": "inference", "kind": "", "why": "TI-ONE runs it as an inference task"} if {
	p.taskType == "Inference"
} else := with_image(classify(c.args, c.environment), c)
