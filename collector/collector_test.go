package collector

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// source is a scripted source.
type source struct {
	name    string
	collect func(ctx context.Context) Result
}

func (s source) Name() string                       { return s.name }
func (s source) Collect(ctx context.Context) Result { return s.collect(ctx) }

// holders is a scripted reader of processes.
type holders struct {
	processes []facts.Process
	devices   []facts.DeviceHolder
	gaps      []facts.Gap
	asked     *[]int
}

func (h holders) Processes(_ context.Context, pids []int) ([]facts.Process, []facts.Gap) {
	if h.asked != nil {
		*h.asked = pids
	}
	return h.processes, nil
}

func (h holders) DeviceHolders(context.Context) ([]facts.DeviceHolder, []facts.Gap) {
	return h.devices, h.gaps
}

func collect(t *testing.T, h HolderReader, sources ...Source) *facts.Document {
	t.Helper()
	return Collect(t.Context(), sources, h, Options{Version: "test", Now: time.Unix(1_700_000_000, 0), Timeout: 50 * time.Millisecond})
}

func complete(name string, attach func(*facts.Document)) source {
	return source{name, func(context.Context) Result { return Result{Report: facts.Complete(name, "test"), Attach: attach} }}
}

func TestSourceThatHangsCostsOnlyItself(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hanging := source{facts.SourceDocker, func(context.Context) Result { <-release; return Result{} }}
	d := collect(t, holders{}, hanging, complete(facts.SourceNVML, func(d *facts.Document) { d.NVML.DriverVersion = "550" }))
	if got := d.Source(facts.SourceDocker); got.Status != facts.StatusTimeout || len(got.Gaps) != 1 {
		t.Errorf("the hanging source is reported as %+v", got)
	}
	if d.NVML.DriverVersion != "550" || d.Source(facts.SourceNVML).Status != facts.StatusComplete {
		t.Error("the other source was lost")
	}
}

func TestSourceThatPanicsIsAGap(t *testing.T) {
	d := collect(t, holders{}, source{facts.SourceDocker, func(context.Context) Result { panic("boom") }})
	if got := d.Source(facts.SourceDocker); got.Status != facts.StatusFailed || !strings.Contains(got.Gaps[0].Detail, "boom") {
		t.Errorf("got %+v", got)
	}
}

func TestSourceNobodyAskedIsSkipped(t *testing.T) {
	d := collect(t, holders{})
	for _, name := range facts.SourceNames() {
		if got := d.Source(name); got.Status != facts.StatusSkipped || len(got.Gaps) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHoldersAreThoseOfDriverAndDevices(t *testing.T) {
	var asked []int
	h := holders{asked: &asked, devices: []facts.DeviceHolder{{Path: "/dev/nvidia1", PIDs: []int{7}}}}
	collect(t, h, complete(facts.SourceHost, nil), complete(facts.SourceNVML, func(d *facts.Document) {
		d.NVML.GPUs = []facts.GPU{{UUID: "GPU-a"}, {UUID: "GPU-b"}}
		d.NVML.Processes = []facts.GPUProcess{{GPU: "GPU-a", PID: 9}}
	}))
	if len(asked) != 2 || asked[0] != 7 || asked[1] != 9 {
		t.Errorf("asked for %v, want the driver's 9 and the device's 7", asked)
	}
}

const (
	id    = "6248b51e690cb2e7bb8d6df18bd9217f391c72c2cc251060ac4affcb4abf9ff8"
	podID = "7df4f292-9469-89d7-90a5-3a580b89e7b4"
	// staticHash is what a static pod's control group carries.
	staticHash = "3e61c214bc3ed9ff81e21474dd6cba17"
)

func TestOwnersAreResolved(t *testing.T) {
	daemon := func(engine string, c facts.Container) func(*facts.Document) {
		return func(d *facts.Document) {
			d.Docker.Daemons = []facts.Daemon{{Endpoint: "unix:///run/docker-x.sock", Engine: engine, Containers: []facts.Container{c}}}
		}
	}
	nothing := func(*facts.Document) {}
	pod := func(manager string) func(*facts.Document) {
		return func(d *facts.Document) {
			d.Kubernetes.Pods = []facts.Pod{{UID: podID, Namespace: "ns", Name: "p", Manager: manager}}
		}
	}
	docker := facts.Owner{Manager: "docker", ContainerID: id}
	inPod := facts.Owner{Manager: "kubernetes", PodUID: podID, ContainerID: id}
	for _, tc := range []struct {
		name             string
		owner            facts.Owner
		docker, cluster  func(*facts.Document)
		dockerGap        bool
		clusterGap       bool
		manager, wantsIn string
	}{
		{"known container", docker, daemon("docker", facts.Container{ID: id, Name: "glm"}), nothing, false, false, "docker", "glm"},
		{"Podman by its socket", docker, daemon("podman", facts.Container{ID: id, Name: "glm"}), nothing, false, false, "podman", "glm"},
		{"no daemon knows it", docker, daemon("docker", facts.Container{ID: "other"}), nothing, false, false, "orphan", "6248b51e690c"},
		{"not all daemons could be asked", docker, nothing, nothing, true, false, "docker", "6248b51e690c"},
		{"cluster node in a container", docker, daemon("docker", facts.Container{ID: id, Name: "kind-worker", ClusterNode: true}), nothing, false, false, "kubernetes", "kind-worker"},
		{"TKE pod", inPod, nothing, pod("tke"), false, false, "tke", "ns/p"},
		{"TI-ONE pod", inPod, nothing, pod("ti-one"), false, false, "ti-one", "ns/p"},
		{"static pod", facts.Owner{Manager: "kubernetes", PodUID: staticHash, ContainerID: id}, nothing, func(d *facts.Document) {
			d.Kubernetes.Pods = []facts.Pod{{
				UID: podID, Namespace: "kube-system", Name: "static", Manager: "tke",
				Annotations: []facts.Label{{Key: "kubernetes.io/config.hash", Value: staticHash}},
			}}
		}, false, false, "tke", "kube-system/static"},
		{"pod the cluster does not list", inPod, nothing, nothing, false, false, "orphan", podID},
		{"pods could not be listed", inPod, nothing, nothing, false, true, "kubernetes", podID},
		{"dockershim container of a pod", docker, daemon("docker", facts.Container{ID: id, Name: "k8s_x", PodUID: podID}), pod("tke"), false, false, "tke", "ns/p"},
		{"unit", facts.Owner{Manager: "systemd", Unit: "a.service", Name: "a.service"}, nothing, nothing, true, true, "systemd", "a.service"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			report := func(name string, gap bool, path string, attach func(*facts.Document)) source {
				return source{name, func(context.Context) Result {
					r := facts.Complete(name, "test")
					if gap {
						r.AddGap(facts.Gap{Path: path, Reason: facts.ReasonDenied, Detail: "denied"})
					}
					return Result{Report: r, Attach: attach}
				}}
			}
			d := collect(t, holders{processes: []facts.Process{{PID: 1, Owner: tc.owner}}},
				complete(facts.SourceHost, nil), report(facts.SourceDocker, tc.dockerGap, "docker.daemons", tc.docker),
				report(facts.SourceKubernetes, tc.clusterGap, "kubernetes.pods", tc.cluster))
			got := d.Host.Processes[0].Owner
			if got.Manager != tc.manager || !strings.Contains(got.Name, tc.wantsIn) {
				t.Errorf("got manager %q, name %q; want %q and %q", got.Manager, got.Name, tc.manager, tc.wantsIn)
			}
		})
	}
}

func TestAbsenceIsSettledOnlyByProof(t *testing.T) {
	units := func(names ...string) func(*facts.Document) {
		return func(d *facts.Document) {
			for _, n := range names {
				d.Systemd.Units = append(d.Systemd.Units, facts.Unit{Name: n, ActiveState: "active", LoadState: "loaded"})
			}
		}
	}
	port := func(p int) func(*facts.Document) {
		return func(d *facts.Document) { d.Host.Listeners = []facts.Listener{{Port: p}} }
	}
	missing := func(name string, r facts.Reason) source {
		return source{name, func(context.Context) Result { return Result{Report: facts.Missing(name, "", r, "x")} }}
	}
	for _, tc := range []struct {
		name    string
		sources []Source
		proven  bool
	}{
		{"no kubectl, no kubelet, no port", []Source{missing("kubernetes", facts.ReasonAbsent), complete("systemd", units("ssh.service")), complete("host", port(22))}, true},
		{"nobody asked, no kubelet, no port", []Source{missing("kubernetes", facts.ReasonSkipped), complete("systemd", units()), complete("host", port(22))}, true},
		{"a kubelet runs", []Source{missing("kubernetes", facts.ReasonAbsent), complete("systemd", units("kubelet.service")), complete("host", port(22))}, false},
		{"k3s runs", []Source{missing("kubernetes", facts.ReasonAbsent), complete("systemd", units("k3s-agent.service")), complete("host", port(22))}, false},
		{"something listens on the kubelet's port", []Source{missing("kubernetes", facts.ReasonAbsent), complete("systemd", units()), complete("host", port(10250))}, false},
		{"units are not known", []Source{missing("kubernetes", facts.ReasonAbsent), missing("systemd", facts.ReasonDenied), complete("host", port(22))}, false},
		{"listeners are not known", []Source{missing("kubernetes", facts.ReasonAbsent), complete("systemd", units()), missing("host", facts.ReasonDenied)}, false},
		{"access was denied", []Source{missing("kubernetes", facts.ReasonDenied), complete("systemd", units()), complete("host", port(22))}, false},
		{"no systemd here", []Source{missing("kubernetes", facts.ReasonAbsent), source{"systemd", func(context.Context) Result {
			return Result{Report: facts.Absent("systemd", "", "not booted with it")}
		}}, complete("host", port(22))}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := collect(t, holders{}, tc.sources...).Source(facts.SourceKubernetes)
			if proven := got.Status == facts.StatusAbsent && len(got.Gaps) == 0; proven != tc.proven {
				t.Errorf("proven absent: %v, want %v (%+v)", proven, tc.proven, got)
			}
		})
	}
}

func TestProcessesInheritTheEnvironmentTheyWereStartedWith(t *testing.T) {
	env := func(names ...string) (all []facts.EnvironmentVariable) {
		for _, n := range names {
			all = append(all, facts.EnvironmentVariable{Name: n})
		}
		return all
	}
	unit := facts.Owner{Manager: "systemd", Unit: "a.service"}
	for _, tc := range []struct {
		name  string
		own   []facts.EnvironmentVariable
		owner facts.Owner
		files []string
		want  string
	}{
		{"its container's", nil, facts.Owner{Manager: "docker", ContainerID: id}, nil, "FROM_CONTAINER"},
		{"its unit's", nil, unit, nil, "FROM_UNIT"},
		{"files of the unit are not known", nil, unit, []string{"/etc/a"}, ""},
		{"its own comes first", env("OWN"), unit, nil, "OWN"},
		{"nobody's", nil, facts.Owner{Manager: "session"}, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := collect(t, holders{processes: []facts.Process{{PID: 1, Environment: tc.own, Owner: tc.owner}}},
				complete(facts.SourceDocker, func(d *facts.Document) {
					d.Docker.Daemons = []facts.Daemon{{Containers: []facts.Container{{ID: id, Environment: env("FROM_CONTAINER")}}}}
				}),
				complete(facts.SourceSystemd, func(d *facts.Document) {
					d.Systemd.Units = []facts.Unit{{Name: "a.service", Environment: env("FROM_UNIT"), EnvironmentFiles: tc.files}}
				}))
			got := ""
			for _, v := range d.Host.Processes[0].Environment {
				got = v.Name
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// Sources that look closer see what the others found, and report like them.
func TestThen(t *testing.T) {
	first := source{facts.SourceSystemd, func(context.Context) Result {
		return Result{Report: facts.Complete(facts.SourceSystemd, "x"), Attach: func(d *facts.Document) { d.Systemd.Units = []facts.Unit{{Name: "glm.service"}} }}
	}}
	var seen []facts.Unit
	d := Collect(t.Context(), []Source{first}, holders{}, Options{Now: time.Now(), Timeout: time.Second, Then: func(d *facts.Document) []Source {
		seen = d.Systemd.Units
		return []Source{
			source{facts.SourceLogs, func(context.Context) Result {
				return Result{Report: facts.Complete(facts.SourceLogs, "y"), Attach: func(d *facts.Document) { d.Logs.Streams = []facts.LogStream{{Name: "glm.service"}} }}
			}},
			source{facts.SourceProbes, func(context.Context) Result { panic("boom") }},
		}
	}})
	if len(seen) != 1 || d.Source(facts.SourceLogs).Status != facts.StatusComplete || len(d.Logs.Streams) != 1 {
		t.Errorf("%+v %+v", seen, d.Source(facts.SourceLogs))
	}
	if s := d.Source(facts.SourceProbes); s.Status != facts.StatusFailed || len(s.Gaps) != 1 {
		t.Errorf("%+v", s)
	}
	if s := d.Source(facts.SourceSamples); s.Status != facts.StatusSkipped {
		t.Errorf("%+v", s)
	}
}
