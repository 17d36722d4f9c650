package docker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// process is a process of a container engine.
type process struct {
	pid  int
	uid  int
	name string
	args []string
}

// processes finds the container engines that run: dockerd, and conmon, which
// watches each container of Podman. Those inside a container are part of that
// container; they are counted apart.
func (h host) processes() (found []process, inside int, err error) {
	entries, err := os.ReadDir(h.proc)
	if err != nil {
		return nil, 0, fmt.Errorf("listing the processes: %w", err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		p := process{pid: pid, name: h.comm(pid)}
		if p.name != "dockerd" && p.name != "conmon" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(h.proc, e.Name(), "cmdline"))
		if err != nil {
			continue // it ended
		}
		p.args = strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
		p.uid = h.uid(pid)
		if p.name == "conmon" && !strings.Contains(string(text), "podman") {
			continue // CRI-O uses it too
		}
		if p.name == "dockerd" && h.inContainer(pid) {
			inside++
			continue
		}
		found = append(found, p)
	}
	return found, inside, nil
}

// comm is the name of a process; empty when it cannot be read.
func (h host) comm(pid int) string {
	text, err := os.ReadFile(filepath.Join(h.proc, strconv.Itoa(pid), "comm"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// uid is the real user of a process, as the host sees it; 0 when not known.
func (h host) uid(pid int) int {
	text, err := os.ReadFile(filepath.Join(h.proc, strconv.Itoa(pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Uid:" {
			uid, err := strconv.Atoi(fields[1])
			if err != nil {
				return 0
			}
			return uid
		}
	}
	return 0
}

// containerID is what every container engine puts into a control group's path.
var containerID = regexp.MustCompile(`[0-9a-f]{64}`)

func (h host) inContainer(pid int) bool {
	text, err := os.ReadFile(filepath.Join(h.proc, strconv.Itoa(pid), "cgroup"))
	return err == nil && containerID.Match(text)
}

// seesAll reports whether the processes seen are those of the host: the names
// of namespaces tell whether this is the first one, and a process 1 that cannot
// be seen tells that others are hidden.
func (h host) seesAll() bool {
	const initialNamespace = "pid:[4026531836]" // fixed in the kernel
	namespace, err := os.Readlink(filepath.Join(h.proc, "self", "ns", "pid"))
	return err == nil && namespace == initialNamespace && h.comm(1) != ""
}

// endpoints are where a dockerd listens, from its arguments and its
// configuration file. "fd://" and nothing at all mean the usual socket.
func (h host) endpoints(p process) []string {
	hosts := values(p.args, "-H", "--host")
	config := values(p.args, "--config-file")
	if len(config) == 0 && p.uid == 0 {
		config = []string{h.path("/etc/docker/daemon.json")}
	}
	if len(config) > 0 && len(hosts) == 0 {
		hosts = hostsOf(config[len(config)-1])
	}
	usual := "unix://" + h.path("/run/docker.sock")
	if p.uid != 0 {
		usual = fmt.Sprintf("unix://%s/%d/docker.sock", h.path("/run/user"), p.uid)
	}
	if len(hosts) == 0 {
		return []string{usual}
	}
	var unix, other []string
	for _, e := range hosts {
		e = canonical(e)
		switch {
		case strings.HasPrefix(e, "fd://"), e == "unix://":
			unix = append(unix, usual)
		case strings.HasPrefix(e, "unix://"):
			unix = append(unix, e)
		default:
			other = append(other, local(e))
		}
	}
	if len(unix) > 0 {
		return unix // one way to a daemon is enough, and sockets need no TLS
	}
	return other
}

// local is where this host reaches a daemon that listens on all addresses.
func local(endpoint string) string {
	for _, all := range []string{"tcp://0.0.0.0", "tcp://[::]", "tcp://:"} {
		if rest, ok := strings.CutPrefix(endpoint, all); ok {
			return "tcp://127.0.0.1:" + strings.TrimPrefix(rest, ":")
		}
	}
	return endpoint
}

// values returns the values of a repeated flag, in either spelling.
func values(args []string, names ...string) (found []string) {
	for i, a := range args {
		for _, name := range names {
			if value, ok := strings.CutPrefix(a, name+"="); ok {
				found = append(found, value)
			} else if a == name && i+1 < len(args) {
				found = append(found, args[i+1])
			}
		}
	}
	return found
}

// hostsOf reads "hosts" of a daemon.json. A file that cannot be read tells
// nothing; the daemon's usual socket is looked for then.
func hostsOf(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var config struct {
		Hosts []string `json:"hosts"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil
	}
	return config.Hosts
}

// asleep reports whether systemd holds the socket of a Docker that does not
// run: to connect would start it, and with it every container that restarts.
// A scan may not do that.
func (h host) asleep(socket string) bool {
	if h.comm(1) != "systemd" {
		return false
	}
	real, err := filepath.EvalSymlinks(socket)
	if err != nil || strings.Contains(real, "podman") { // Podman's service starts nothing
		return false
	}
	inode := h.listening(real)
	if inode == "" {
		return false
	}
	descriptors, err := os.ReadDir(filepath.Join(h.proc, "1", "fd"))
	if errors.Is(err, fs.ErrPermission) {
		return real == h.path("/run/docker.sock") // the one systemd is asked to hold
	}
	for _, d := range descriptors {
		if target, err := os.Readlink(filepath.Join(h.proc, "1", "fd", d.Name())); err == nil && target == "socket:["+inode+"]" {
			return true
		}
	}
	return false
}

// listening is the inode of the Unix socket that listens at a path.
func (h host) listening(socket string) string {
	text, err := os.ReadFile(filepath.Join(h.proc, "net", "unix"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		// Num RefCount Protocol Flags Type St Inode Path
		fields := strings.Fields(line)
		if len(fields) == 8 && fields[3] == "00010000" && strings.TrimPrefix(fields[7], "/var") == strings.TrimPrefix(socket, "/var") {
			return fields[6]
		}
	}
	return ""
}
