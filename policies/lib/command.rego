# METADATA
# title: Command lines
# description: >-
#   Takes a command line apart: launchers and their options come off, one layer
#   at a time, until what is really run is left: a program, a module or a script.
# schemas:
#   - input: schema.facts
package gpugate.lib.command

import data.gpugate.lib.launchers
import data.gpugate.lib.signatures

# peeled is a command line without its launchers. They nest (sudo, tini, numactl,
# torchrun), but not endlessly.
peeled(argv) := once(once(once(once(once(once(once(once(argv))))))))

# commands are the command lines one argument list runs: more than one where it
# hands a shell a line of several, which may hand another shell a line again.
commands(argv) := [c |
	some outer in lines(argv)
	some inner in lines(outer)
	some c in lines(inner)
]

lines(argv) := [peeled(c) | some c in shell_commands(shell_line(outer))] if {
	outer := shelled(argv)
	shell_line(outer)
} else := [peeled(argv)]

# shelled is a command line without the launchers before a shell. What switches the
# user is a launcher or, with -c, a shell.
shelled(argv) := argv if {
	shell_line(argv)
} else := peeled(argv)

# shell_line is what a shell is given with -c, and undefined where it is given none.
# Whatever stands before it are options and their values.
shell_line(argv) := argv[min(at) + 1] if {
	base(argv[0]) in launchers.shells
	at := {i | some i, word in argv; regex.match(`^-[a-zA-Z]*c[a-zA-Z]*$`, word); options_until(argv, i)}
} else := argv[min(at) + 1] if {
	base(argv[0]) in launchers.switches
	at := {i | some i, word in argv; word in {"-c", "--command", "-lc"}; not "--" in array.slice(argv, 0, i)}
}

options_until(argv, end) if {
	every i, word in array.slice(argv, 1, end) {
		option_or_value(word, argv[i])
	}
}

option_or_value(word, _) if startswith(word, "-")

option_or_value(word, _) if startswith(word, "+")

option_or_value(_, before) if regex.match(`^[-+][a-zA-Z]*[oO]$`, before)

# shell_tokens are the words, separators and redirections of a shell's line; what
# stands in quotes is one word.
shell_tokens := concat("|", [
	`"(?:[^"\\]|\\.)*"`,
	`'[^']*'`,
	`#[^\n]*`,
	`[0-9]*[<>]&[0-9-]`,
	`&>>?`,
	`[0-9]*(?:<<<|<<-?|>>|>|<)`,
	`&&|\|\||;;|[;|&\n]`,
	`[^\s"';|&<>]+`,
])

separators := {"&&", "||", ";", ";;", "|", "&", "\n"}

# shell_commands splits a shell's line at its separators. A line that ends in a
# backslash goes on; comments, redirections and what they name are left out.
shell_commands(line) := [c |
	tokens := regex.find_n(shell_tokens, joined(line), -1)
	breaks := array.concat(array.concat([-1], [i | some i, t in tokens; t in separators]), [count(tokens)])
	some at, start in breaks
	at < count(breaks) - 1
	c := unkeyed(said(array.slice(tokens, start + 1, breaks[at + 1])))
	count(c) > 0
]

# joined is a line without its continuations, and with a bracket that begins a
# subshell as a word of its own.
joined(line) := regex.replace(regex.replace(line, `\\\r?\n`, " "), `(^|[;&|\s])\(`, "${1}( ")

# said are the words of one command, without quotes.
said(tokens) := [unquoted(t) |
	some i, t in tokens
	not startswith(t, "#")
	not redirects(t)
	not redirected(tokens, i)
]

unquoted(token) := replace(regex.replace(token, `(?s)^"(.*)"$`, "${1}"), `\"`, `"`) if {
	startswith(token, `"`)
} else := regex.replace(token, `(?s)^'(.*)'$`, "${1}")

redirects(t) if regex.match(`^([0-9]*[<>]&[0-9-]|&>>?|[0-9]*(<<<|<<-?|>>|>|<))$`, t)

redirected(tokens, i) if {
	redirects(tokens[i - 1])
	not contains(tokens[i - 1], "&")
}

redirected(tokens, i) if startswith(tokens[i - 1], "&>")

# unkeyed is a command without the keywords of a shell before it.
unkeyed(words) := array.slice(words, min({i | some i, w in words; not w in launchers.keywords}), count(words))

# once takes off the outermost launcher with its options, if there is one.
once(argv) := rest if {
	is_assignment(argv[0])
	rest := array.slice(argv, assignments(argv), count(argv))
} else := launched(base(argv[0]), argv) if {
	launches(argv)
} else := interpreted(argv, option_end(argv)) if {
	is_python(argv[0])
} else := argv

# launches holds for a launcher, unless it is given what only its own subcommands are.
launches(argv) if {
	base(argv[0]) in launchers.known
	not shell_line(argv)
	not base(argv[0]) in object.keys(launchers.words)
}

launches(argv) if {
	some i, word in argv
	i > 0
	word in launchers.words[base(argv[0])]
}

# interpreted takes off an interpreter that only starts a launcher or a program
# by its path: python -m torch.distributed.run, python /opt/venv/bin/torchrun.
interpreted(argv, at) := launched(launchers.modules[module], array.concat([module], array.slice(argv, at + 1, count(argv)))) if {
	module := module_or_none(argv)
	launchers.modules[module]
} else := array.slice(argv, at, count(argv)) if {
	not takes_code(argv[at - 1])
	not joined_module(argv[at])
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
	not takes_code(argv[at - 1])
	not joined_module(argv[at])
}

known_program(name) if name in launchers.known

known_program(name) if signatures.subcommands[name]

known_program(name) if signatures.programs[name]

is_python(path) if regex.match(`^(python|pypy)[0-9.]*$`, base(path))

# takes_code holds for options of an interpreter after which a module or code
# follows: -m, -c, and joined with others as in -um.
takes_code(option) if regex.match(`^-[bBdEiIOqsSuvVxP]*[mc]$`, option)

joined_module(word) if regex.match(`^-[bBdEiIOqsSuvVxP]*m[A-Za-z_]`, word)

# module_or_none is what follows -m of an interpreter, if nothing but options
# stands before it; "" if there is none.
module_or_none(argv) := argv[at] if {
	is_python(argv[0])
	at := option_end(argv)
	regex.match(`^-[a-zA-Z]*m$`, argv[at - 1])
} else := regex.replace(argv[at], `^-[a-zA-Z]*?m`, "") if {
	is_python(argv[0])
	at := option_end(argv)
	joined_module(argv[at])
} else := ""

# option_end is where an interpreter's own options end: at the script, or at what
# follows -m or -c.
option_end(argv) := min({i |
	some i, word in argv
	i > 0
	interpreter_operand(argv, i, word)
})

interpreter_operand(argv, i, _) if takes_code(argv[i - 1])

interpreter_operand(_, _, word) if joined_module(word)

interpreter_operand(argv, i, word) if {
	not startswith(word, "-")
	not argv[i - 1] in {"-X", "-W", "--check-hash-based-pycs"}
}

# launched is what a launcher starts. With -m the next word is a module, which is
# written as python -m.
launched(name, argv) := array.concat(["python", "-m"], rest) if {
	name in launchers.by_module
	rest := operands(name, argv)
	before := array.slice(argv, 0, count(argv) - count(rest))
	some flag in before
	flag in launchers.module_options
} else := array.slice(argv, script, count(argv)) if {
	name in launchers.scripted
	not recognisable(operands(name, argv))
	script := min({i | some i, word in argv; i > 0; endswith(word, ".py")})
} else := operands(name, argv)

# recognisable holds if what a launcher of scripts seems to launch can be launched.
recognisable(rest) if endswith(rest[0], ".py")

recognisable(rest) if known_program(base(rest[0]))

recognisable(rest) if is_python(rest[0])

# operands are the words from the first that is neither the launcher's own word,
# nor an option, nor an option's value.
operands(name, argv) := array.slice(argv, starts[skip], count(argv)) if {
	options := object.get(launchers.options, [name], set())
	words := object.get(launchers.words, [name], set())
	pairs := object.get(launchers.pairs, [name], set())
	skip := object.get(launchers.operands, [name], 0)
	starts := [i |
		some i, word in argv
		i > 0
		not startswith(word, "-")
		not word in words
		not sets_variable(name, word)
		not takes_value(argv[i - 1], options)
		not second_value(argv, i, pairs)
	]
} else := []

sets_variable(name, word) if {
	name in {"env", "sudo"}
	is_assignment(word)
}

takes_value(word, options) if {
	startswith(word, "-")
	option(word) in options
}

second_value(argv, i, options) if takes_value(argv[i - 1], options)

second_value(argv, i, options) if takes_value(argv[i - 2], options)

# option is the name of an option, alike in all spellings.
option(word) := replace(trim_left(word, "-"), "-", "_")

# base is the last part of a path.
base(path) := parts[count(parts) - 1] if parts := split(path, "/")
