# METADATA
# title: Command lines
# description: >-
#   Takes a command line apart: launchers and their options come off, one layer
#   at a time, until what is really run is left: a program, a module or a script.
# schemas:
#   - input: schema.facts
package gpugate.lib.command

import data.gpugate.lib.signatures

# Launchers nest (tini, numactl, torchrun), but not endlessly.
peeled(argv) := once(once(once(once(once(once(argv))))))

# commands are the command lines one argument list runs: more than one where it
# hands a shell a line of several.
commands(argv) := [peeled(c) | some c in shell_commands(outer)] if {
	outer := peeled(argv)
	is_shell_line(outer)
} else := [peeled(argv)]

is_shell_line(argv) if {
	base(argv[0]) in signatures.shells
	regex.match(`^-[a-z]*c$`, argv[1])
	argv[2]
}

is_shell_line(argv) if {
	base(argv[0]) in signatures.shells
	startswith(argv[1], "-")
	regex.match(`^-[a-z]*c$`, argv[2])
	argv[3]
}

# shell_commands splits a shell's line at its separators; what stands in quotes is
# one word.
shell_commands(argv) := [c |
	tokens := regex.find_n(`"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\||[;|&\n]|[^\s"';|&]+`, shell_line(argv), -1)
	breaks := array.concat(array.concat([-1], [i | some i, t in tokens; t in {"&&", "||", ";", "|", "&", "\n"}]), [count(tokens)])
	some at, start in breaks
	at < count(breaks) - 1
	c := [trim(t, `"'`) | some t in array.slice(tokens, start + 1, breaks[at + 1])]
	count(c) > 0
]

shell_line(argv) := line if {
	regex.match(`^-[a-z]*c$`, argv[1])
	line := argv[2]
} else := argv[3]

# once takes off the outermost launcher with its options, if there is one.
once(argv) := rest if {
	is_assignment(argv[0])
	rest := array.slice(argv, assignments(argv), count(argv))
} else := launched(base(argv[0]), argv) if {
	signatures.launchers[base(argv[0])]
} else := interpreted(argv, option_end(argv)) if {
	is_python(argv[0])
} else := argv

# interpreted takes off an interpreter that only starts a launcher or a program
# by its path: python -m torch.distributed.run, python /opt/venv/bin/torchrun.
interpreted(argv, at) := launched(signatures.launcher_modules[argv[at]], array.slice(argv, at, count(argv))) if {
	argv[at - 1] == "-m"
} else := array.slice(argv, at, count(argv)) if {
	not argv[at - 1] in {"-m", "-c"}
	known_program(base(argv[at]))
} else := argv

# assignments is how many variables a shell's command sets before it begins.
assignments(argv) := min({i | some i, word in argv; not is_assignment(word)}) if {
	some word in argv
	not is_assignment(word)
} else := 0

is_assignment(word) if regex.match(`^[A-Za-z_][A-Za-z0-9_]*=`, word)

# script_at is where the script of an interpreter stands.
script_at(argv) := at if {
	is_python(argv[0])
	at := option_end(argv)
	not argv[at - 1] in {"-m", "-c"}
}

known_program(name) if signatures.launchers[name]

known_program(name) if signatures.subcommands[name]

known_program(name) if signatures.programs[name]

is_python(path) if regex.match(`^(python|pypy)[0-9.]*$`, base(path))

# module_or_none is what follows -m of an interpreter, if nothing but options
# stands before it; "" if there is none.
module_or_none(argv) := argv[at] if {
	is_python(argv[0])
	at := option_end(argv)
	argv[at - 1] == "-m"
} else := ""

# option_end is where an interpreter's own options end: at the script, or at what
# follows -m or -c.
option_end(argv) := min({i |
	some i, word in argv
	i > 0
	interpreter_operand(argv, i, word)
})

interpreter_operand(argv, i, _) if argv[i - 1] in {"-m", "-c"}

interpreter_operand(argv, i, word) if {
	not startswith(word, "-")
	not argv[i - 1] in {"-X", "-W", "-m", "-c", "--check-hash-based-pycs"}
}

# launched is what a launcher starts. With -m the next word is a module, which is
# written as python -m.
launched(name, argv) := array.concat(["python", "-m"], rest) if {
	rest := operands(name, argv)
	before := array.slice(argv, 0, count(argv) - count(rest))
	some flag in before
	flag in {"-m", "--module"}
	name in {"torchrun", "accelerate", "deepspeed"}
} else := operands(name, argv)

# operands are the words from the first that is neither the launcher's own word,
# nor an option, nor an option's value.
operands(name, argv) := array.slice(argv, starts[skip], count(argv)) if {
	options := signatures.launchers[name]
	words := object.get(signatures.launcher_words, [name], set())
	skip := object.get(signatures.launcher_operands, [name], 0)
	starts := [i |
		some i, word in argv
		i > 0
		not startswith(word, "-")
		not word in words
		not sets_variable(name, word)
		not argv[i - 1] in options.one
		not second_value(argv, i, options.two)
	]
	starts[skip]
} else := []

sets_variable(name, word) if {
	name in {"env", "sudo"}
	is_assignment(word)
}

second_value(argv, i, options) if argv[i - 1] in options

second_value(argv, i, options) if argv[i - 2] in options

# base is the last part of a path.
base(path) := parts[count(parts) - 1] if parts := split(path, "/")
