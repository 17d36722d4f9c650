package systemd

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command behind it.
type wrapper struct {
	// valued are its options that take the next word as their value.
	valued []string
	// skip is how many words of its own stand before the command.
	skip int
	// verb, where set, is the one subcommand that runs a command.
	verb string
}

// wrappers by the name of their program.
var wrappers = map[string]wrapper{
	"catchsegv":       {},
	"chpst":           {valued: []string{"-u", "-U", "-b", "-e", "-n", "-l", "-L", "-m", "-o", "-p", "-f", "-c"}},
	"chroot":          {skip: 1},
	"chrt":            {valued: []string{"-T", "-P", "-D"}, skip: 1},
	"conda":           {valued: []string{"-n", "--name", "-p", "--prefix", "--cwd"}, verb: "run"},
	"dumb-init":       {valued: []string{"--rewrite", "-r"}},
	"env":             {valued: []string{"-u", "--unset", "-C", "--chdir", "-a", "--argv0"}},
	"flock":           {valued: []string{"-w", "--timeout", "-E"}, skip: 1},
	"gosu":            {skip: 1},
	"ionice":          {valued: []string{"-c", "-n", "--class", "--classdata"}},
	"mamba":           {valued: []string{"-n", "--name", "-p", "--prefix", "--cwd"}, verb: "run"},
	"micromamba":      {valued: []string{"-n", "--name", "-p", "--prefix", "--cwd", "-r"}, verb: "run"},
	"nice":            {valued: []string{"-n", "--adjustment"}},
	"nohup":           {},
	"numactl":         {valued: []string{"-N", "-m", "-C", "-p", "-i", "--cpunodebind", "--membind", "--physcpubind", "--preferred", "--interleave"}},
	"pdm":             {verb: "run"},
	"pipenv":          {verb: "run"},
	"poetry":          {verb: "run"},
	"prlimit":         {},
	"runuser":         {valued: []string{"-u", "--user", "-g", "--group", "-G", "-s", "--shell"}},
	"setpriv":         {valued: []string{"--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set"}},
	"setsid":          {},
	"stdbuf":          {valued: []string{"-i", "-o", "-e"}},
	"su-exec":         {skip: 1},
	"sudo":            {valued: []string{"-u", "--user", "-g", "--group", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D"}},
	"systemd-cat":     {valued: []string{"-t", "-p", "--identifier", "--priority"}},
	"systemd-inhibit": {valued: []string{"--what", "--who", "--why", "--mode"}},
	"taskset":         {skip: 1},
	"timeout":         {valued: []string{"-s", "--signal", "-k", "--kill-after"}, skip: 1},
	"tini":            {valued: []string{"-p", "-e"}},
	"uv":              {valued: []string{"--project", "--directory", "--with", "--python", "-p", "--extra", "--env-file"}, verb: "run"},
	"uvx":             {valued: []string{"--from", "--with", "--python", "-p"}},
	"xvfb-run":        {valued: []string{"-s", "--server-args", "-n", "--server-num", "-e", "-f"}},
}

// inner is the command behind the wrapper's own words; nil when there is none.
func (w wrapper) inner(args []string) []string {
	skip, verb := w.skip, w.verb
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg == "--":
			args = args[1:]
			if skip == 0 && verb == "" {
				return args
			}
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			args = args[1:]
			if slices.Contains(w.valued, arg) && len(args) > 0 {
				args = args[1:]
			}
		case verb != "":
			if arg != verb {
				return nil
			}
			verb, args = "", args[1:]
		case isAssignment(arg) && w.skip == 0:
			return args // env and sudo set variables: unwrap takes them
		case skip > 0:
			skip, args = skip-1, args[1:]
		default:
			return args
		}
	}
	return nil
}
