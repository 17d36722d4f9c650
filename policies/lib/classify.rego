# METADATA
# title: Classification
# description: >-
#   Tells training from inference by command lines. What launches a program, an
#   adapter that is loaded and words in paths or prompts say nothing; the program,
#   module or script does, and so do two or more of the flags by which a trainer is
#   told how to train. What is not recognised is unknown.
# schemas:
#   - input: schema.facts
package gpugate.lib.classify

import data.gpugate.lib.command
import data.gpugate.lib.launchers
import data.gpugate.lib.signatures
import data.gpugate.signatures.extra

# of says what a command line does, as {class, kind, why}. The environment
# is a list of variables, which may not be all.
of(argv, environment) := worst([judged(core, environment) |
	some core in command.commands(argv)
	not ignorable(core)
])

ignorable(core) if command.base(core[0]) in launchers.builtins

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
		"trainer": {w | some w in words; trainer_flag(w)},
		"training": told_to_train(core, words),
		"pushed": pushed_into(core),
	}
}

trainer_flag(word) if word in signatures.trainer_flags

trainer_flag(word) if regex.match(signatures.trainer_settings, word)

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
} else := answer("rollout", sprintf("%s loads %s, by which a trainer changes its weights while it runs", [c.name, c.pushed])) if {
	c.class == "inference"
	c.pushed != ""
} else := answer("rollout", sprintf("%s serves with %s=1: a trainer can push new adapters into it, and the weights may change after they were recorded", [c.name, signatures.runtime_lora])) if {
	c.class == "inference"
	updates_adapters(environment)
} else := answer("unknown", sprintf("%s serves adapters; whether a trainer may replace them at run time is not known without its environment", [c.name])) if {
	c.class == "inference"
	"enable_lora" in c.flags
	contains(lower(c.name), "vllm")
	count(environment) == 0
} else := answer(c.class, sprintf("%s is %s", [c.name, described[c.class]])) if {
	described[c.class]
} else := trains(c, sprintf("%s is given a trainer's flags: %s", [c.name, listed(c.trainer)])) if {
	c.training
} else := answer("unknown", sprintf("%s is not known, and one flag of a trainer (%s) proves nothing", [c.name, listed(c.trainer)])) if {
	count(c.trainer) > 0
} else := answer("unknown", sprintf("%s can be either", [c.name])) if {
	c.class == "unknown"
} else := answer("unknown", "python -c runs code of its own, which is not read") if {
	code_of_its_own(c.core)
} else := answer("unknown", sprintf("%s is a script that is not read%s", [c.name, suggestion(c.name)])) if {
	endswith(c.name, ".sh")
} else := answer("unknown", sprintf("%s is not known%s", [c.name, suggestion(c.name)]))

code_of_its_own(core) if {
	command.is_python(core[0])
	at := command.option_end(core)
	regex.match(`^-[a-zA-Z]*c$`, core[at - 1])
}

# suggestion is what a name seems to say, which proves nothing.
suggestion(name) := "; its name suggests training" if {
	regex.match(`(^|[^a-z])(train|finetune|fine_tune|pretrain|sft|lora|dpo|grpo)`, lower(name))
} else := "; its name suggests inference" if {
	regex.match(`(^|[^a-z])(serve|server|infer|inference|generate|vllm|sglang|api)([^a-z]|$)`, lower(name))
} else := ""

answer(class, why) := {"class": class, "kind": "", "why": why}

trains(c, why) := {"class": "training", "kind": kind(c), "why": why}

described := {"inference": "a model server or generator", "tool": "a tool", "child": "a worker of another process"}

# pushed_into is an extension of a server that lets a trainer change its weights; ""
# if there is none.
pushed_into(core) := [word |
	some i, word in core
	regex.match(signatures.weight_sync, word)
	extends(core[i - 1], word)
][0] if {
	true
} else := ""

extends(option, _) if command.option(option) == "worker_extension_cls"

extends(_, word) if startswith(command.option(word), "worker_extension_cls=")

updates_adapters(environment) if {
	some v in environment
	v.name == signatures.runtime_lora
	object.get(v, "value", "1") in {"1", "true", "True"}
}

# signature is the class that the built-in tables give or, where they say nothing,
# those of the user: these add, and change nothing.
signature(core, module, script) := class if {
	class := known(core, module, script)
	not class in {"", "unknown"}
} else := class if {
	classes := added(core, module, script)
	count(classes) == 1
	some class in classes
} else := "unknown" if {
	count(added(core, module, script)) > 1
} else := known(core, module, script)

# known is the class the built-in tables give, the most telling table first; "" if
# none does.
known(core, module, script) := matching(signatures.titles, core[0]) if {
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
} else := object.get(signatures.subcommands[signatures.module_programs[module]], [after_module(core)], "unknown") if {
	signatures.module_programs[module]
} else := matching(signatures.modules, module) if {
	module != ""
} else := matching(signatures.paths, script) if {
	script != ""
} else := matching(signatures.scripts, lower(command.base(script))) if {
	script != ""
} else := matching(signatures.recipes, lower(core[0])) if {
	script == ""
} else := "child" if {
	spawned(core)
} else := ""

# added are the classes that the user's own tables give.
added(core, module, script) := ((({e.class | some e in extra.programs; e.name == command.base(core[0])} | {e.class | some e in extra.subcommands; e.program == command.base(core[0]); e.name == core[1]}) | {e.class | some e in extra.modules; module != ""; regex.match(e.pattern, module)}) | {e.class | some e in extra.scripts; script != ""; regex.match(e.pattern, lower(command.base(script)))}) | {e.class | some e in extra.paths; script != ""; regex.match(e.pattern, script)}

# after_module is the word after the module of an interpreter.
after_module(core) := core[command.option_end(core) + 1]

# matching is the class of the first pattern that fits.
matching(table, text) := [class |
	some [pattern, class] in table
	regex.match(pattern, text)
][0]

# subcommand is the class of PROGRAM SUBCOMMAND; unknown if the program is known
# and the subcommand is not.
subcommand(core) := signatures.subcommands[command.base(core[0])][words[0]] if {
	skipped := object.get(signatures.subcommand_words, [command.base(core[0])], set())
	words := [w | some i, w in core; i > 0; not w in skipped]
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
	count({w | some w in words; trainer_flag(w)}) > 1
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
kind(c) := "QLoRA" if {
	some word in c.core
	regex.match(`(?i)qlora|^--?(quantization_bit|quant_bits|load_in_4bit|load-in-4bit)([= ]|$)|^(quantization_bit|load_in_4bit)=`, word)
} else := "LoRA or QLoRA" if {
	some word in c.core
	contains(lower(word), "lora")
} else := "LoRA or QLoRA" if {
	"use_peft" in c.flags
} else := "from scratch" if {
	regex.match(`(^|[-_. ])(pretrain|pre_train)`, lower(c.name))
} else := "full fine-tuning" if {
	some word in c.core
	regex.match(`^(--?)?((finetuning_type|train_type|tuner_type)=)?full$|finetune_full|full_finetune`, word)
} else := "of a kind the command line does not tell"

listed(words) := concat(", ", sort([w | some w in words]))
