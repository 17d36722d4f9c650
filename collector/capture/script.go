package capture

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed script.sh
var scriptFrame string

// Script prints the plan as a POSIX shell script that needs nothing but the
// commands themselves.
func (p Plan) Script() string {
	var hosts strings.Builder
	for _, h := range p.Hosts {
		hosts.WriteString(" " + h)
	}
	return strings.NewReplacer(
		"{{DEADLINE}}", fmt.Sprint(int(max(1, p.Timeout.Seconds()))),
		"{{SCHEMA}}", SchemaVersion,
		"{{LOGLINE}}", shellQuote(logLine),
		"{{CLEANERS}}", cleaners(),
		"{{ONCE}}", p.steps(Once, ""),
		"{{HOSTS}}", shellQuote(strings.TrimSpace(hosts.String())),
		"{{SOCKETS}}", strings.Join(socketPatterns, " "),
		"{{USERS}}", usersFolder,
		"{{DEFAULT}}", defaultHost,
		"{{DAEMONS}}", strings.TrimRight(p.steps(EachDaemon, "\t"), "\n"),
		"{{PROCESSES}}", strings.TrimRight(p.steps(EachProcess, "\t"), "\n"),
	).Replace(scriptFrame)
}

// cleaners are the functions clean_FORM, each a filter.
func cleaners() string {
	var b strings.Builder
	for _, f := range []Form{Text, Units, Object, Objects, Cluster} {
		fmt.Fprintf(&b, "clean_%s() {\n\tsed -E %s\n}\n", f, shellQuote(sedProgram(f)))
	}
	// The arguments of a command line are closed by NUL; for sed each is a
	// line, and a line break within one is set aside.
	fmt.Fprintf(&b, "clean_%s() {\n\ttr '\\n\\000' '\\001\\n' | sed -E %s | tr '\\001\\n' '\\n\\000'\n}\n", Arguments, shellQuote(sedProgram(Arguments)))
	fmt.Fprintf(&b, "clean_%s() { cat; }\n", Plain)
	return b.String()
}

func (p Plan) steps(scope Scope, indent string) string {
	var b strings.Builder
	for _, s := range p.Steps {
		if s.Scope != scope {
			continue
		}
		fmt.Fprintf(&b, "%sbegin %s %s\n", indent, shellWord(s.File), s.Form)
		for _, c := range s.Commands {
			b.WriteString(c.shell(indent))
		}
		fmt.Fprintf(&b, "%send\n", indent)
	}
	return b.String()
}

func (c Command) shell(indent string) string {
	var b strings.Builder
	if c.Line != "" {
		fmt.Fprintf(&b, "%sedit=%s\n", indent, shellQuote("s!"+c.Line+"!"+c.As+"!p"))
	}
	if c.Answer != "" {
		fmt.Fprintf(&b, "%sanswer=%s\n", indent, shellQuote(c.Answer))
	}
	args := shellWords(c.Args)
	if len(c.Globs) > 0 {
		args += " " + strings.Join(c.Globs, " ")
	}
	if c.List != nil {
		fmt.Fprintf(&b, "%sif list %s; then\n%s\t# shellcheck disable=SC2086 # ids hold no spaces\n%s\tadd %s $list\n%sfi\n", indent, shellWords(c.List), indent, indent, args, indent)
	} else {
		fmt.Fprintf(&b, "%sadd %s\n", indent, args)
	}
	if c.Line != "" || c.Answer != "" {
		fmt.Fprintf(&b, "%sordinary\n", indent)
	}
	return b.String()
}

func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = shellWord(a)
	}
	return strings.Join(words, " ")
}

// placeholders as the script's loops name them.
var placeholders = map[string]string{hostWord: `"$host"`, "/" + nameWord + "/": `/"$name"/`, "/" + pidWord + "/": `/"$pid"/`}

func shellWord(s string) string {
	if s == hostWord {
		return placeholders[hostWord]
	}
	for placeholder, variable := range placeholders {
		if placeholder != hostWord && strings.Contains(s, placeholder) {
			head, tail, _ := strings.Cut(s, placeholder)
			return head + variable + tail
		}
	}
	return shellQuote(s)
}

// shellQuote makes one word of any text.
func shellQuote(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+", r)
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
