package systemd

import (
	"path"
	"slices"
	"strings"
)

// launch is one program that a unit launches, with what stood around it
// (shells, env, nice, sudo, …) taken away.
type launch struct {
	// words are the program and its arguments; never empty.
	words []string
	// assigned are the variables set for it on the command line, NAME=VALUE.
	assigned []string
}

// program is the name of the program without its folder.
func (l launch) program() string { return path.Base(l.words[0]) }

// launches lists what the unit's commands launch, in order.
func launches(r raw) []launch {
	known := variables(r)
	var all []launch
	for _, c := range r.commands {
		argv := slices.Clone(c.argv)
		if len(argv) == 0 {
			argv = []string{c.path}
		} else if !strings.Contains(argv[0], "/") && c.path != "" { // "@" in ExecStart= gives another name
			argv[0] = c.path
		}
		for i := range argv {
			argv[i] = known.expand(argv[i])
		}
		all = append(all, unwrap(argv, nil, 0)...)
	}
	return all
}

// mostNested bounds scripts within scripts.
const mostNested = 8

// unwrap takes wrappers away from a command line until the program remains. A
// shell's script may launch several.
func unwrap(argv, assigned []string, depth int) []launch {
	for depth <= mostNested {
		argv = dropKeywords(argv)
		for len(argv) > 0 && isAssignment(argv[0]) {
			assigned = append(slices.Clone(assigned), argv[0])
			argv = argv[1:]
		}
		if len(argv) == 0 {
			return nil
		}
		if script, ok := scriptOf(argv); ok {
			return unwrapScript(script, assigned, depth+1)
		}
		w, ok := wrappers[path.Base(argv[0])]
		if !ok {
			break
		}
		inner := w.inner(argv[1:])
		if len(inner) == 0 {
			break
		}
		argv = inner
		depth++
	}
	return []launch{{words: argv, assigned: assigned}}
}

// unwrapScript reads a shell's script. What it exports holds for the commands
// that follow.
func unwrapScript(script string, assigned []string, depth int) []launch {
	var all []launch
	exported := slices.Clone(assigned)
	for _, words := range simpleCommands(script) {
		words = dropKeywords(words)
		switch {
		case len(words) == 0:
		case words[0] == "export" || words[0] == "declare" || !slices.ContainsFunc(words, func(w string) bool { return !isAssignment(w) }):
			for _, w := range words {
				if isAssignment(w) {
					exported = append(exported, w)
				}
			}
		case words[0] == "unset":
			exported = slices.DeleteFunc(exported, func(pair string) bool {
				name, _, _ := strings.Cut(pair, "=")
				return slices.Contains(words[1:], name)
			})
		default:
			all = append(all, unwrap(words, exported, depth)...)
		}
	}
	return all
}

// scriptOf returns the script a shell is given with -c, or su and runuser are.
func scriptOf(argv []string) (string, bool) {
	switch program := path.Base(argv[0]); {
	case isShell(program):
		for i, arg := range argv[1:] {
			if runsScript(arg) && i+2 < len(argv) {
				return argv[i+2], true
			}
			if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
				break
			}
		}
	case program == "su" || program == "runuser" || program == "flock":
		for i, arg := range argv[1:] {
			if (arg == "-c" || arg == "--command") && i+2 < len(argv) {
				return argv[i+2], true
			}
		}
	}
	return "", false
}

// dropKeywords passes over words of the shell before a command.
func dropKeywords(words []string) []string {
	for len(words) > 0 {
		switch words[0] {
		case "if", "then", "else", "elif", "while", "until", "do", "done", "fi", "!", "{", "}", "exec", "command", "builtin", "time", "nohup", "setsid", "eval", "--":
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

// isAssignment reports whether a word is NAME=VALUE.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && isPropertyName(name) && (name[0] < '0' || name[0] > '9')
}

// assignments are variables known by name.
type assignments map[string]string

// variables are those a unit sets itself; what its files set is not known.
func variables(r raw) assignments {
	known := assignments{}
	for _, pair := range r.lists["Environment"] {
		if name, value, ok := strings.Cut(pair, "="); ok && !isUnset(r, name, pair) {
			known[name] = value
		}
	}
	return known
}

func isUnset(r raw, name, pair string) bool {
	return slices.Contains(r.lists["UnsetEnvironment"], name) || slices.Contains(r.lists["UnsetEnvironment"], pair)
}

// expand puts in the variables that are known, as systemd does before it
// starts a command; "$$" is a dollar sign. The others stay as they are.
func (known assignments) expand(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var out strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			break
		}
		out.WriteString(s[:i])
		name, length := reference(s[i:])
		value, ok := known[name]
		switch {
		case strings.HasPrefix(s[i:], "$$"):
			out.WriteByte('$')
			length = 2
		case ok:
			out.WriteString(value)
		default:
			length = max(length, 1)
			out.WriteString(s[i : i+length])
		}
		s = s[i+length:]
	}
	out.WriteString(s)
	return out.String()
}

// reference reads $NAME or ${NAME} and tells its length; 0 when it is neither.
func reference(s string) (name string, length int) {
	body, braced := strings.CutPrefix(s[1:], "{")
	n := strings.IndexFunc(body, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_'
	})
	switch {
	case n < 0 && !braced:
		return body, 1 + len(body)
	case n <= 0:
		return "", 0
	case !braced:
		return body[:n], 1 + n
	case body[n] == '}':
		return body[:n], 3 + n
	}
	return "", 0
}

// isOpen reports whether a word still holds something only the running shell
// or a file of variables knows.
func isOpen(word string) bool { return strings.ContainsAny(word, "$`") }
