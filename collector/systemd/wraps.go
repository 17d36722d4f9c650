package systemd

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// clients start containers, by the name of their program and the engine that
// runs what they start.
var clients = map[string]string{
	"docker": "docker", "docker-compose": "docker",
	"podman": "podman", "podman-compose": "podman", "podman-remote": "podman",
	"nerdctl": "nerdctl",
}

// wrapped is a container that a command starts, with the command's words that
// say what runs in it.
type wrapped struct {
	facts.WrappedContainer
	// words are those of the command from its verb on, for what they tell of
	// the workload.
	words []string
}

// wraps returns the container a command starts, nil when it starts none.
func (l launch) wraps() *wrapped {
	program := l.program()
	engine, isClient := clients[program]
	if !isClient {
		engine = wrapperScript(program)
	}
	if engine == "" {
		return nil
	}
	args := skipOptions(l.words[1:], clientFlags[:])
	w := wrapped{facts.WrappedContainer{Engine: engine}, args}
	if !w.read(args) {
		return nil
	}
	w.Name, w.Image = plain(strings.TrimPrefix(w.Name, "/")), plain(w.Image)
	return &w
}

// read reads a client's arguments from its verb on, and reports whether they
// start a container, or hold on to one.
func (w *wrapped) read(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch verb, rest := args[0], args[1:]; verb {
	case "container", "pod":
		return w.read(rest)
	case "compose", "kube", "play":
		rest = skipOptions(rest, clientFlags[:])
		return len(rest) > 0 && slices.Contains([]string{"up", "start", "run", "play", "kube"}, rest[0])
	case "run", "create":
		w.Name, w.Image = readRun(rest)
	case "start", "restart", "attach", "wait", "exec", "logs":
		if names := skipOptions(rest, startFlags[:]); len(names) > 0 {
			w.Name = names[0]
		}
	case "up":
		// Compose as a program of its own, and scripts that take after it.
	default:
		return false
	}
	return true
}

// plain keeps a name that is written out: one with a variable that is not known
// here is not known either.
func plain(name string) string {
	if isOpen(name) {
		return ""
	}
	return redact.Text(name)
}

// wrapperScript recognises scripts around a container engine by their name, as
// jetson-containers or run-docker.sh, and tells the engine; docker where the
// name leaves it open. Engines themselves are none.
func wrapperScript(program string) string {
	switch {
	case slices.Contains(enginePrograms[:], program):
		return ""
	case strings.Contains(program, "podman"):
		return "podman"
	case strings.Contains(program, "nerdctl"):
		return "nerdctl"
	case strings.Contains(program, "docker"), strings.Contains(program, "container"), strings.Contains(program, "compose"):
		return "docker"
	}
	return ""
}

// clientFlags are the options before the verb that take a value.
var clientFlags = [...]string{"-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey", "--root", "--runroot", "--url", "--connection", "--cgroup-manager", "--storage-driver", "--storage-opt", "--runtime", "-n", "--namespace", "-a", "--address", "-f", "--file", "-p", "--project-name", "--project-directory", "--env-file", "--profile", "--identity", "--tmpdir", "--module", "--events-backend", "--network-config-dir"}

// startFlags are the options of start, exec and their like that take a value.
var startFlags = [...]string{"--detach-keys", "--checkpoint", "--checkpoint-dir", "-t", "--time", "-s", "--signal", "-u", "--user", "-w", "--workdir", "-e", "--env", "--env-file", "--since", "--until", "--tail", "-n", "--condition", "--interval", "--filter", "-f"}

// runSwitches are the options of run that take no value; every other one does.
var runSwitches = [...]string{"--detach", "--interactive", "--tty", "--rm", "--init", "--privileged", "--publish-all", "--read-only", "--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--disable-content-trust", "--quiet", "--replace", "--rmi", "--no-hosts", "--no-hostname", "--env-host", "--http-proxy", "--read-only-tmpfs", "--passwd", "--tls-verify", "--help", "--use-api-socket", "--unsetenv-all"}

// shortSwitches are those of one letter.
const shortSwitches = "ditPq"

// skipOptions passes over options; the valued ones take a word along. It ends
// at the first word that is none.
func skipOptions(args, valued []string) []string {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return args[1:]
		}
		if len(arg) < 2 || arg[0] != '-' {
			return args
		}
		args = args[1:]
		if slices.Contains(valued, arg) && len(args) > 0 {
			args = args[1:]
		}
	}
	return nil
}

// readRun reads the arguments of run: the container's name and its image, which
// is the first word that is neither an option nor the value of one.
func readRun(args []string) (name, image string) {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			args = args[1:]
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		args = args[1:]
		flag, value, assigned := strings.Cut(arg, "=")
		if !assigned && takesValue(arg) {
			if len(args) == 0 {
				break
			}
			value, args = args[0], args[1:]
		}
		if flag == "--name" {
			name = value
		}
	}
	if len(args) > 0 {
		image = args[0]
	}
	return name, image
}

// takesValue reports whether an option of run takes the next word: not when it
// is a switch, nor when its value is written on to its letter (-p8000:8000).
func takesValue(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return !slices.Contains(runSwitches[:], arg)
	}
	letters := strings.TrimLeft(arg[1:], shortSwitches)
	return len(letters) == 1
}
