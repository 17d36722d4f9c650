package docker

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

// run adds a process to a host.
func (h host) run(t testing.TB, pid, uid int, name, cgroup string, args ...string) {
	t.Helper()
	dir := filepath.Join(h.proc, strconv.Itoa(pid))
	write(t, filepath.Join(dir, "comm"), name+"\n")
	write(t, filepath.Join(dir, "cmdline"), strings.Join(args, "\x00")+"\x00")
	write(t, filepath.Join(dir, "status"), fmt.Sprintf("Name:\t%s\nUid:\t%d\t%d\t%d\t%d\n", name, uid, uid, uid, uid))
	write(t, filepath.Join(dir, "cgroup"), "0::"+cgroup+"\n")
}

// daemon starts a fake daemon at a path of a host.
func (h host) daemon(t testing.TB, path string, containers int) {
	t.Helper()
	socket := h.path(path)
	if err := os.MkdirAll(filepath.Dir(socket), 0o755); err != nil {
		t.Fatal(err)
	}
	(&fakeDaemon{socket: socket, containers: containers}).start(t)
}

func TestDiscovery(t *testing.T) {
	type want struct {
		status    facts.Status
		endpoints []string
		gaps      []string
		detail    string
	}
	const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	// ROOT stands for the root of the host.
	tests := []struct {
		name  string
		setUp func(t *testing.T, h *host)
		want  want
	}{
		{"nothing at all", func(*testing.T, *host) {},
			want{status: "absent", detail: "no socket of a container daemon and no dockerd or Podman container runs"}},
		{"another PID namespace proves nothing", func(t *testing.T, h *host) {
			link := filepath.Join(h.proc, "self", "ns", "pid")
			if err := os.Remove(link); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("pid:[4026532999]", link); err != nil {
				t.Fatal(err)
			}
		}, want{status: "failed", gaps: []string{"failed: there may be container daemons that were not found: not all processes of the host can be seen from here (a PID namespace of its own, or hidepid) (run gpugate as root in the host's PID namespace, or name them with --docker-host)"}}},
		{"hidden processes may be daemons", func(t *testing.T, h *host) {
			h.daemon(t, "/run/docker.sock", 1)
			if err := os.Remove(filepath.Join(h.proc, "1", "comm")); err != nil {
				t.Fatal(err)
			}
		}, want{status: "partial", endpoints: []string{"ROOT/run/docker.sock"}, gaps: []string{"failed: there may be container daemons that were not found: not all processes of the host can be seen from here (a PID namespace of its own, or hidepid) (run gpugate as root in the host's PID namespace, or name them with --docker-host)"}}},
		{"every usual place", func(t *testing.T, h *host) {
			for i, p := range []string{"/run/docker.sock", "/run/docker-b.sock", "/run/user/1001/docker.sock", "/run/user/1002/podman/podman.sock", "/run/snap.docker/docker.sock", "/run/podman/podman.sock"} {
				h.daemon(t, p, i+1)
			}
			write(t, h.path("/run/docker.pid"), "1")
			write(t, h.path("/run/docker-no.sock"), "a file, no socket")
		}, want{status: "complete", endpoints: []string{"ROOT/run/docker-b.sock", "ROOT/run/docker.sock", "ROOT/run/podman/podman.sock", "ROOT/run/snap.docker/docker.sock", "ROOT/run/user/1001/docker.sock", "ROOT/run/user/1002/podman/podman.sock"}}},
		{"two names of one socket", func(t *testing.T, h *host) {
			h.daemon(t, "/run/docker.sock", 1)
			if err := os.MkdirAll(h.path("/var"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(h.path("/run"), h.path("/var/run")); err != nil {
				t.Fatal(err)
			}
			h.env = func(name string) string {
				return map[string]string{"DOCKER_HOST": "unix://" + h.path("/var/run/docker.sock")}[name]
			}
		}, want{status: "complete", endpoints: []string{"ROOT/run/docker.sock"}}},
		{"one daemon on two sockets", func(t *testing.T, h *host) {
			h.daemon(t, "/run/docker.sock", 2)
			h.daemon(t, "/run/docker-too.sock", 2)
		}, want{status: "complete", endpoints: []string{"ROOT/run/docker-too.sock"}, detail: "unix://ROOT/run/docker.sock is the daemon of unix://ROOT/run/docker-too.sock"}},
		{"contexts", func(t *testing.T, h *host) {
			h.daemon(t, "/opt/ctx/engine.sock", 1)
			h.env = func(name string) string {
				return map[string]string{"HOME": h.path("/home/ml"), "DOCKER_HOST": "tcp://user:pw@10.3.0.4:2376"}[name]
			}
			meta := func(dir, name, endpoint string) {
				write(t, h.path("/home/ml/.docker/contexts/meta/"+dir+"/meta.json"), fmt.Sprintf(`{"Name":%q,"Metadata":{},"Endpoints":{"docker":{"Host":%q,"SkipTLSVerify":false}}}`, name, endpoint))
			}
			meta("a1", "lab", "unix://"+h.path("/opt/ctx/engine.sock"))
			meta("b2", "gone", "unix:///nowhere/docker.sock")
			meta("c3", "far", "ssh://ops@gpu-12")
			write(t, h.path("/home/ml/.docker/contexts/meta/d4/meta.json"), "{\n \"Name\": 4}")
		}, want{status: "partial", endpoints: []string{"ROOT/opt/ctx/engine.sock"},
			gaps:   []string{"failed: reading a docker context: ROOT/home/ml/.docker/contexts/meta/d4/meta.json:2:10: /Name: a number cannot stand here"},
			detail: "DOCKER_HOST names tcp://[redacted]@10.3.0.4:2376, which is not this host: left out (--docker-host asks it); docker context far names ssh://[redacted]@gpu-12, which is not this host: left out (--docker-host asks it)"}},
		{"a dockerd with a socket elsewhere", func(t *testing.T, h *host) {
			h.daemon(t, "/srv/engine/api.sock", 1)
			h.run(t, 600, 0, "dockerd", "/system.slice/engine.service", "dockerd", "-H", "unix://"+h.path("/srv/engine/api.sock"), "-H", "tcp://0.0.0.0:2376")
		}, want{status: "complete", endpoints: []string{"ROOT/srv/engine/api.sock"}}},
		{"a dockerd whose configuration names the socket", func(t *testing.T, h *host) {
			h.daemon(t, "/srv/api.sock", 1)
			write(t, h.path("/etc/docker/daemon.json"), `{"hosts":["unix://`+h.path("/srv/api.sock")+`"]}`)
			h.run(t, 600, 0, "dockerd", "/system.slice/docker.service", "dockerd")
		}, want{status: "complete", endpoints: []string{"ROOT/srv/api.sock"}}},
		{"a dockerd without a socket", func(t *testing.T, h *host) {
			h.run(t, 600, 0, "dockerd", "/system.slice/docker.service", "/usr/bin/dockerd", "-H", "fd://")
		}, want{status: "failed", gaps: []string{"failed: dockerd runs, but there is no socket to ask at unix://ROOT/run/docker.sock (name its socket with --docker-host)"}}},
		{"a dockerd that does not answer yet", func(t *testing.T, h *host) {
			if err := os.MkdirAll(h.path("/run"), 0o755); err != nil {
				t.Fatal(err)
			}
			stale(t, h.path("/run/docker.sock"))
			h.run(t, 600, 0, "dockerd", "/system.slice/docker.service", "/usr/bin/dockerd")
		}, want{status: "failed", endpoints: []string{"ROOT/run/docker.sock"}, gaps: []string{"failed: unix://ROOT/run/docker.sock: dial unix ROOT/run/docker.sock: connect: connection refused"}}},
		{"a socket left behind", func(t *testing.T, h *host) {
			if err := os.MkdirAll(h.path("/run"), 0o755); err != nil {
				t.Fatal(err)
			}
			stale(t, h.path("/run/docker.sock"))
		}, want{status: "absent", endpoints: []string{"ROOT/run/docker.sock"}, detail: "nobody listens at unix://ROOT/run/docker.sock"}},
		{"a rootless dockerd without a socket", func(t *testing.T, h *host) {
			h.run(t, 600, 1001, "dockerd", "/user.slice/user-1001.slice/user@1001.service/app.slice/docker.service", "dockerd")
		}, want{status: "failed", gaps: []string{"failed: dockerd runs, but there is no socket to ask at unix://ROOT/run/user/1001/docker.sock (name its socket with --docker-host)"}}},
		{"a dockerd inside a container", func(t *testing.T, h *host) {
			h.run(t, 600, 0, "dockerd", "/system.slice/docker-"+hex+".scope", "dockerd")
			h.daemon(t, "/run/docker.sock", 1)
		}, want{status: "complete", endpoints: []string{"ROOT/run/docker.sock"}, detail: "1 dockerd inside containers not asked: they are part of those containers"}},
		{"Podman containers without a socket", func(t *testing.T, h *host) {
			h.run(t, 700, 1002, "conmon", "/user.slice/x", "/usr/bin/conmon", "--exit-command", "/usr/bin/podman")
			h.run(t, 701, 1002, "conmon", "/user.slice/y", "/usr/bin/conmon", "--exit-command", "/usr/bin/podman")
			h.run(t, 702, 0, "conmon", "/crio.slice", "/usr/bin/conmon", "--exit-dir", "/var/run/crio/exits")
		}, want{status: "failed", gaps: []string{"failed: a Podman container of user 1002 runs, but there is no socket to ask at unix://ROOT/run/user/1002/podman/podman.sock (systemctl enable --now podman.socket, with --user for a user's)"}}},
		{"systemd holds the socket", func(t *testing.T, h *host) {
			h.daemon(t, "/run/docker.sock", 1)
			write(t, filepath.Join(h.proc, "net", "unix"), "Num RefCount Protocol Flags Type St Inode Path\n0000: 00000002 00000000 00010000 0001 01 4242 "+h.path("/run/docker.sock")+"\n")
			fd := filepath.Join(h.proc, "1", "fd")
			if err := os.MkdirAll(fd, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("socket:[4242]", filepath.Join(fd, "39")); err != nil {
				t.Fatal(err)
			}
		}, want{status: "failed", endpoints: []string{"ROOT/run/docker.sock"}, gaps: []string{"failed: unix://ROOT/run/docker.sock: Docker does not run; systemd holds its socket, and asking there would start it and its containers (start docker.service, or stop docker.socket if it is not wanted)"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := emptyHost(t)
			tt.setUp(t, &h)
			section, report := ask(t, h, 3*time.Second)
			plain := func(s string) string { return strings.ReplaceAll(s, h.root, "ROOT") }
			got := want{status: report.Status, detail: plain(report.Detail)}
			for _, d := range section.Daemons {
				got.endpoints = append(got.endpoints, plain(strings.TrimPrefix(d.Endpoint, "unix://")))
			}
			for _, g := range gapsOf(report) {
				got.gaps = append(got.gaps, plain(g))
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What may not be looked into may hold a daemon. Root may look everywhere, so
// there a link to itself makes the error.
func TestAFolderThatCannotBeListedIsAGap(t *testing.T) {
	h := emptyHost(t)
	users := h.path("/run/user")
	if err := os.MkdirAll(filepath.Join(users, "1001"), 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Symlink("docker.sock", filepath.Join(users, "1001", "docker.sock")); err != nil {
			t.Fatal(err)
		}
		_, report := ask(t, h, time.Second)
		if len(report.Gaps) != 1 || report.Status != facts.StatusFailed {
			t.Errorf("%+v", report)
		}
		return
	}
	if err := os.Chmod(filepath.Join(users, "1001"), 0); err != nil {
		t.Fatal(err)
	}
	_, report := ask(t, h, time.Second)
	if len(report.Gaps) == 0 || report.Status != facts.StatusDenied {
		t.Errorf("%+v", report)
	}
}

func TestCanonicalEndpoints(t *testing.T) {
	for in, want := range map[string]string{
		" unix:///var/run/docker.sock\n": "unix:///run/docker.sock",
		"/run/docker-b.sock":             "unix:///run/docker-b.sock",
		"unix:///run/docker.sock":        "unix:///run/docker.sock",
		"tcp://localhost:2375":           "tcp://127.0.0.1:2375",
		"tcp://localhost.example:2375":   "tcp://localhost.example:2375",
	} {
		if got := canonical(in); got != want {
			t.Errorf("canonical(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]bool{
		"unix:///run/docker.sock": true, "tcp://127.0.0.1:2375": true, "tcp://[::1]:1": true, "tcp://localhost": true,
		"tcp://10.0.0.1:2376": false, "ssh://localhost": false, "tcp://gpu-2:2376": false, "://": false,
	} {
		if got := onThisHost(in); got != want {
			t.Errorf("onThisHost(%q) = %v", in, got)
		}
	}
}
