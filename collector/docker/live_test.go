package docker

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

// emptyHost has no daemon but those a test puts there.
func emptyHost(t testing.TB) host {
	t.Helper()
	root, err := os.MkdirTemp("", "gpugate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	h := host{root: root, proc: filepath.Join(root, "proc"), env: func(string) string { return "" }}
	write(t, filepath.Join(h.proc, "1", "comm"), "systemd\n")
	if err := os.MkdirAll(filepath.Join(h.proc, "self", "ns"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pid:[4026531836]", filepath.Join(h.proc, "self", "ns", "pid")); err != nil {
		t.Fatal(err)
	}
	return h
}

// ask runs the live source on a host with a deadline.
func ask(t testing.TB, h host, timeout time.Duration, hosts ...string) (facts.Docker, facts.Source) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return collected(t, (&live{hosts: hosts, place: h}).Collect(ctx))
}

func TestLiveReadsAll(t *testing.T) {
	f := &fakeDaemon{containers: 500, slow: 2 * time.Millisecond}
	endpoint := f.start(t)
	section, report := ask(t, emptyHost(t), 20*time.Second, endpoint)
	if report.Status != facts.StatusComplete || len(report.Gaps) > 0 {
		t.Fatalf("%s: %q", report.Status, gapsOf(report))
	}
	d := section.Daemons[0]
	if d.Endpoint != endpoint || d.Engine != "docker" || d.APIVersion != "1.41" || d.ServerVersion != "20.10.24" || d.DefaultRuntime != "runc" {
		t.Errorf("daemon: %+v", d)
	}
	if len(d.Containers) != 500 || d.Containers[499].ID != fakeID(499) || !d.Containers[0].ImageKnown {
		t.Errorf("%d containers", len(d.Containers))
	}
	if most := f.most.Load(); most > inspections || most < 2 {
		t.Errorf("up to %d inspections at a time, want 2 to %d", most, inspections)
	}
	if f.images.Load() != 1 {
		t.Errorf("the one image was inspected %d times", f.images.Load())
	}
	if f.other.Load() != 0 {
		t.Errorf("%d requests that do not only read", f.other.Load())
	}
}

func TestLiveTroubles(t *testing.T) {
	id := fakeID(1)
	tests := []struct {
		name           string
		answer         func(http.ResponseWriter, *http.Request) bool
		wantStatus     facts.Status
		wantContainers int
		wantGaps       []string // ENDPOINT stands for the endpoint
	}{
		{"fine", nil, "complete", 3, nil},
		{"forbidden", func(w http.ResponseWriter, r *http.Request) bool {
			http.Error(w, "authorization denied by plugin", http.StatusForbidden)
			return true
		}, "denied", 0, []string{"denied: ENDPOINT: Error response from daemon: authorization denied by plugin"}},
		{"list forbidden", reply("/containers/json", 403, `{"message":"not you"}`), "partial", 0,
			[]string{"denied: ENDPOINT: listing the containers: Error response from daemon: not you"}},
		{"info forbidden", reply("/info", 403, `{"message":"not you"}`), "partial", 3,
			[]string{"denied: ENDPOINT: asking for its configuration: Error response from daemon: not you"}},
		{"info garbage", reply("/info", 200, `{}`), "partial", 3,
			[]string{"failed: ENDPOINT: asking for its configuration: the answer to GET /info is not a container daemon's: it has no ServerVersion"}},
		{"list is null", reply("/containers/json", 200, `null`), "partial", 0,
			[]string{"failed: ENDPOINT: listing the containers: the answer is null, not a list of containers"}},
		{"list is garbage", reply("/containers/json", 200, `<html>`), "partial", 0,
			[]string{"failed: ENDPOINT: listing the containers: invalid character '<' looking for beginning of value"}},
		{"one ended meanwhile", reply("/containers/"+id, 404, `{"message":"No such container"}`), "complete", 2, nil},
		{"one fails", reply("/containers/"+id, 500, `{"message":"layer is broken"}`), "partial", 2,
			[]string{"failed " + id + ": ENDPOINT: inspecting container 000000000000: Error response from daemon: layer is broken"}},
		{"one is another", reply("/containers/"+id, 200, `{}`), "partial", 2,
			[]string{"failed " + id + ": ENDPOINT: inspecting container 000000000000: the answer is not the inspection of this container"}},
		{"one is of the wrong type", reply("/containers/"+id, 200, `{"Id":"`+id+`","HostConfig":{"Privileged":1}}`), "partial", 2,
			[]string{"failed " + id + ": ENDPOINT: inspecting container 000000000000: GET /containers/ID/json:1:101: /HostConfig/Privileged: a number cannot stand here"}},
		{"the library cannot read one, we can", reply("/containers/"+id, 200, `{"Id":"`+id+`","HostConfig":{},"Config":{"StopSignal":15}}`), "partial", 3, nil},
		{"one hangs", hang("/containers/" + id), "partial", 2,
			[]string{"timeout " + id + ": ENDPOINT: inspecting container 000000000000: no answer within the deadline (raise it with --timeout)"}},
		{"image unreadable", reply("/images/", 500, `{"message":"no"}`), "partial", 3, nil},
		{"image is another", reply("/images/", 200, `{}`), "partial", 3, nil},
		{"all hangs", hang("/"), "timeout", 0, []string{"timeout: ENDPOINT: no answer within the deadline (raise it with --timeout)"}},
		{"list hangs", hang("/containers/json"), "partial", 0,
			[]string{"timeout: ENDPOINT: listing the containers: no answer within the deadline (raise it with --timeout)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeDaemon{containers: 3, answer: tt.answer}
			endpoint := f.start(t)
			section, report := ask(t, emptyHost(t), 1500*time.Millisecond, endpoint)
			if report.Status != tt.wantStatus || section.Daemons[0].Status != tt.wantStatus {
				t.Errorf("status %s, daemon %s, want %s", report.Status, section.Daemons[0].Status, tt.wantStatus)
			}
			if got := len(section.Daemons[0].Containers); got != tt.wantContainers {
				t.Errorf("%d containers, want %d", got, tt.wantContainers)
			}
			var gaps []string
			for _, g := range gapsOf(report) {
				gaps = append(gaps, strings.ReplaceAll(g, endpoint, "ENDPOINT"))
			}
			if diff := cmp.Diff(tt.wantGaps, gaps); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAHangingDaemonCostsOnlyItself(t *testing.T) {
	good := (&fakeDaemon{containers: 2}).start(t)
	bad := (&fakeDaemon{answer: hang("/")}).start(t)
	began := time.Now()
	section, report := ask(t, emptyHost(t), time.Second, good, bad)
	if took := time.Since(began); took > 1300*time.Millisecond {
		t.Errorf("took %s", took)
	}
	got := map[string]facts.Status{}
	for _, d := range section.Daemons {
		got[d.Endpoint] = d.Status
	}
	if diff := cmp.Diff(map[string]facts.Status{good: "complete", bad: "timeout"}, got); diff != "" || report.Status != "partial" {
		t.Errorf("%s: %s", report.Status, diff)
	}
}

func TestNamedHosts(t *testing.T) {
	h := emptyHost(t)
	dir := filepath.Join(h.root, "named")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Run("a typo is no proof", func(t *testing.T) {
		endpoint := "unix://" + filepath.Join(dir, "typo.sock")
		_, report := ask(t, h, time.Second, endpoint)
		if diff := cmp.Diff([]string{"absent: " + endpoint + ", named by --docker-host, is not there"}, gapsOf(report)); diff != "" || report.Status != "absent" {
			t.Errorf("%s: %s", report.Status, diff)
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		path := filepath.Join(dir, "stale.sock")
		stale(t, path)
		_, report := ask(t, h, time.Second, "unix://"+path)
		if diff := cmp.Diff([]string{"failed: nobody listens at unix://" + path + ", named by --docker-host"}, gapsOf(report)); diff != "" || report.Status != "failed" {
			t.Errorf("%s: %s", report.Status, diff)
		}
	})
	t.Run("another way", func(t *testing.T) {
		_, report := ask(t, h, time.Second, "ssh://root@gpu-9")
		if len(report.Gaps) != 1 || report.Status != "failed" || !strings.Contains(report.Gaps[0].Detail, "run gpugate on that host") {
			t.Errorf("%+v", report)
		}
	})
	t.Run("others are seen", func(t *testing.T) {
		other := filepath.Join(h.root, "run", "docker-b.sock")
		if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
			t.Fatal(err)
		}
		(&fakeDaemon{socket: other}).start(t)
		_, report := ask(t, h, time.Second, (&fakeDaemon{containers: 1}).start(t))
		if diff := cmp.Diff([]string{"skipped: unix://" + other + " is on this host and was not asked (name it with --docker-host too)"}, gapsOf(report)); diff != "" || report.Status != "partial" {
			t.Errorf("%s: %s", report.Status, diff)
		}
	})
}

// stale leaves a socket at which nobody listens.
func stale(t testing.TB, path string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
