package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// host is where daemons are looked for. The zero root is the host itself.
type host struct {
	root string
	proc string
	env  func(string) string
}

func (h host) path(p string) string { return h.root + p }

// discovery is what looking for daemons gave.
type discovery struct {
	host      host
	endpoints []string
	gaps      []facts.Gap
	notes     []string
	// running are the endpoints that a dockerd seen running listens on.
	running map[string]bool
	// unproven is set when the processes of the host could not all be seen,
	// so that finding nothing proves nothing.
	unproven string
	inodes   map[inode]bool
}

type inode struct{ device, number uint64 }

// discover finds every daemon of the host: by the usual places, by the
// environment and the contexts of the user, and by the daemons that run.
func (h host) discover() *discovery {
	d := &discovery{host: h, running: map[string]bool{}, inodes: map[inode]bool{}}
	d.addUsual()
	d.addUsers()
	if e := h.env("DOCKER_HOST"); e != "" {
		d.addNamed("DOCKER_HOST", e)
	}
	d.addContexts()
	d.addRunning()
	return d
}

func (d *discovery) addUsual() {
	run := d.host.path("/run")
	for _, name := range d.list(run) {
		if strings.HasPrefix(name, "docker") && strings.HasSuffix(name, ".sock") {
			d.addSocket(filepath.Join(run, name))
		}
	}
	for _, p := range []string{
		"/run/snap.docker/docker.sock", "/var/snap/docker/common/run/docker.sock",
		"/run/podman/podman.sock", "/var/run/docker.sock",
	} {
		d.addSocket(d.host.path(p))
	}
}

// addUsers finds the daemons of users: rootless Docker and Podman.
func (d *discovery) addUsers() {
	users := d.host.path("/run/user")
	for _, uid := range d.list(users) {
		d.addSocket(filepath.Join(users, uid, "docker.sock"))
		d.addSocket(filepath.Join(users, uid, "podman", "podman.sock"))
	}
	if dir := d.host.env("XDG_RUNTIME_DIR"); dir != "" {
		d.addSocket(filepath.Join(dir, "docker.sock"))
		d.addSocket(filepath.Join(dir, "podman", "podman.sock"))
	}
}

// list lists a folder; one that may not be listed is a gap.
func (d *discovery) list(folder string) (names []string) {
	entries, err := os.ReadDir(folder)
	if err != nil && !missingFile(err) {
		d.gaps = append(d.gaps, gap(reasonOfFile(err), "looking for sockets of container daemons in %s: %v (run gpugate as root)", folder, cause(err)))
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// addSocket adds a socket if there is one. Where that cannot be seen there is
// a gap: a daemon may be behind it.
func (d *discovery) addSocket(path string) (there bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil && missingFile(err):
		return false
	case err != nil:
		g := gap(reasonOfFile(err), "looking for a container daemon at %s: %v (run gpugate as root)", path, cause(err))
		if !slices.Contains(d.gaps, g) {
			d.gaps = append(d.gaps, g)
		}
		return true
	case info.Mode()&fs.ModeSocket == 0:
		return false
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		id := inode{s.Dev, s.Ino}
		if d.inodes[id] {
			return true
		}
		d.inodes[id] = true
	}
	d.endpoints = append(d.endpoints, canonical("unix://"+path))
	return true
}

// addNamed adds an endpoint that the environment or a context names, unless it
// is another host's.
func (d *discovery) addNamed(by, endpoint string) {
	endpoint = canonical(endpoint)
	path, isSocket := socketPath(endpoint)
	switch {
	case isSocket:
		d.addSocket(path)
	case !onThisHost(endpoint):
		d.notes = append(d.notes, fmt.Sprintf("%s names %s, which is not this host: left out (--docker-host asks it)", by, redact.URL(endpoint)))
	case !slices.Contains(d.endpoints, endpoint):
		d.endpoints = append(d.endpoints, endpoint)
	}
}

// addContexts adds the endpoints of the user's docker contexts.
func (d *discovery) addContexts() {
	config := d.host.env("DOCKER_CONFIG")
	if home := d.host.env("HOME"); config == "" && home != "" {
		config = filepath.Join(home, ".docker")
	}
	if config == "" {
		return
	}
	meta := filepath.Join(config, "contexts", "meta")
	for _, name := range d.list(meta) {
		file := filepath.Join(meta, name, "meta.json")
		text, err := os.ReadFile(file)
		if err != nil {
			if !missingFile(err) {
				d.gaps = append(d.gaps, gap(reasonOfFile(err), "reading the docker context in %s: %v", file, cause(err)))
			}
			continue
		}
		var context struct {
			Name      string
			Endpoints map[string]struct{ Host string }
		}
		if err := facts.UnmarshalJSON(file, text, &context); err != nil {
			d.gaps = append(d.gaps, gap(facts.ReasonFailed, "reading a docker context: %v", err))
			continue
		}
		if e := context.Endpoints["docker"].Host; e != "" {
			d.addNamed("docker context "+context.Name, e)
		}
	}
}

// addRunning adds what the engines that run listen on. One that runs and has
// no socket here is a gap.
func (d *discovery) addRunning() {
	running, inside, err := d.host.processes()
	switch {
	case err != nil:
		d.unproven = err.Error()
	case !d.host.seesAll():
		d.unproven = "not all processes of the host can be seen from here (a PID namespace of its own, or hidepid)"
	}
	if inside > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d dockerd inside containers not asked: they are part of those containers", inside))
	}
	for _, p := range running {
		wanted := d.host.endpoints(p)
		if p.name == "conmon" {
			wanted = []string{"unix://" + d.host.path(podmanSocket(p.uid))}
		}
		if !d.addEndpoints(p, wanted) {
			what, hint := "dockerd", "name its socket with --docker-host"
			if p.name == "conmon" {
				what = fmt.Sprintf("a Podman container of user %d", p.uid)
				hint = "systemctl enable --now podman.socket, with --user for a user's"
			}
			g := gap(facts.ReasonFailed, "%s runs, but there is no socket to ask at %s (%s)", what, strings.Join(wanted, ", "), hint)
			if !slices.Contains(d.gaps, g) {
				d.gaps = append(d.gaps, g)
			}
		}
	}
}

// addEndpoints adds those endpoints of a process that are there, and reports
// whether any is.
func (d *discovery) addEndpoints(p process, wanted []string) bool {
	reachable := false
	for _, e := range wanted {
		path, isSocket := socketPath(e)
		switch {
		case isSocket && d.addSocket(path):
			reachable = true
		case !isSocket:
			reachable = true
			d.addNamed(p.name, e)
		}
		if p.name == "dockerd" {
			d.running[e] = true
		}
	}
	return reachable
}

func podmanSocket(uid int) string {
	if uid == 0 {
		return "/run/podman/podman.sock"
	}
	return fmt.Sprintf("/run/user/%d/podman/podman.sock", uid)
}

func missingFile(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func reasonOfFile(err error) facts.Reason {
	if errors.Is(err, fs.ErrPermission) {
		return facts.ReasonDenied
	}
	return facts.ReasonFailed
}

// cause is an error of the file system without the path, which is told already.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
