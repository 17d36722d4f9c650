package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// newRoot writes a host's files under a folder. Names that end in "@" are
// symbolic links.
func newRoot(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		p := filepath.Join(root, strings.TrimSuffix(name, "@"))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if strings.HasSuffix(name, "@") {
			err = os.Symlink(text, p)
		} else {
			err = os.WriteFile(p, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// hostFiles are those of a small GPU server.
func hostFiles() map[string]string {
	return map[string]string{
		"etc/os-release@":           "../usr/lib/os-release",
		"usr/lib/os-release":        "ID=ubuntu\nVERSION_ID=\"22.04\"\n",
		"etc/hostname":              "gpu-31\n",
		"proc/meminfo":              meminfo,
		"proc/stat":                 "cpu 1 2\nbtime 1790000000\n",
		"proc/self/ns/pid@":         initialPIDNamespace,
		"proc/self/ns/cgroup@":      initialCgroupNamespace,
		"proc/self/ns/net@":         "net:[4026531840]",
		"proc/self/mountinfo":       "",
		"proc/1/ns/net@":            "net:[4026531840]",
		"proc/1/mountinfo":          "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n23 22 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n24 22 8:2 / /data/my\\040models rw shared:3 - xfs /dev/sdb rw\n25 22 0:40 / /mnt/nas rw - nfs4 nas:/x rw\n",
		"proc/1/net/tcp":            tcpHeader + "   0: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9001 1 0 100 0 0 10 0\n   1: 0100007F:1F92 0100007F:0016 01 00000000:00000000 00:00000000 00000000     0        0 9002 1 0 100 0 0 10 0\n",
		"proc/1/net/tcp6":           tcpHeader + "   0: 00000000000000000000000000000000:8CA0 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9003 1 0 100 0 0 10 0\n",
		"proc/net/ip_tables_names":  "nat\n",
		"proc/modules":              "xfs 1 0 - Live 0x0\n",
		"proc/sys/kernel/osrelease": "6.8.0-50-generic\n",
		"lib/modules/6.8.0-50-generic/modules.builtin": "kernel/fs/ext4/ext4.ko\n",
		"proc/4711/cgroup":                        "0::/system.slice/glm.service\n",
		"proc/4711/cmdline":                       "python3\x00-m\x00serve\x00--api-key\x00swordfish\x00",
		"proc/4711/status":                        "Name:\tpython3\nState:\tS (sleeping)\nPPid:\t1\nUid:\t1004\t1004\t1004\t1004\n",
		"proc/4711/stat":                          "4711 (py (x) 3) S 1 4711 4711 0 -1 4194560 1 0 0 0 5 5 0 0 20 0 9 0 250099 1 1",
		"proc/4711/environ":                       "CUDA_VISIBLE_DEVICES=1\x00HF_TOKEN=swordfish\x00",
		"proc/4711/comm":                          "python3\n",
		"proc/4711/fd/3@":                         "socket:[9001]",
		"proc/4711/fd/4@":                         "/dev/nvidia1",
		"proc/4711/fd/5@":                         "/dev/nvidiactl",
		"sys/class/net/lo":                        "",
		"sys/class/net/flannel.1":                 "",
		"etc/cni/net.d/10-flannel.conflist":       "{}",
		"var/lib/kubelet/config.yaml":             "x",
		"dev/nvidia1":                             "",
		"dev/nvidiactl":                           "",
		"dev/nvidia-caps/nvidia-cap1":             "",
		"sys/bus/pci/devices/0000:3b:00.0/vendor": "0x10de\n",
		"sys/bus/pci/devices/0000:3b:00.0/class":  "0x030200\n",
		"sys/bus/pci/devices/0000:3b:00.1/vendor": "0x10de\n",
		"sys/bus/pci/devices/0000:3b:00.1/class":  "0x040300\n",
	}
}

const tcpHeader = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

// newLive is a reader of a written root, whose commands and file systems are
// the test's.
func newLive(root string) *live {
	return &live{
		root: root,
		run: func(_ context.Context, name string, args ...string) ([]byte, []byte, error) {
			if name != "iptables-legacy-save" {
				return nil, nil, exec.ErrNotFound
			}
			return []byte("*nat\n:KUBE-SERVICES - [0:0]\n"), nil, nil
		},
		statfs: func(path string) (s syscall.Statfs_t, err error) {
			if strings.HasSuffix(path, "/mnt/nas") {
				select {} // its server is away
			}
			s.Blocks, s.Bavail, s.Frsize = 100, 40, 4096
			return s, nil
		},
		uname: func() (facts.Kernel, error) {
			return facts.Kernel{Name: "Linux", Release: "6.8.0", Machine: "x86_64"}, nil
		},
		interfaces: func() ([]net.Addr, error) {
			return []net.Addr{&net.IPNet{IP: net.IPv4(10, 20, 0, 9), Mask: net.CIDRMask(24, 32)}}, nil
		},
	}
}

func collect(t *testing.T, r *Reader, timeout time.Duration) (facts.Host, facts.Source) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	d := &facts.Document{}
	result := r.Collect(ctx)
	result.Attach(d)
	d.SetSource(result.Report)
	d.Normalize()
	return d.Host, result.Report
}

func TestLive(t *testing.T) {
	host, report := collect(t, newLive(newRoot(t, hostFiles())).reader(), 300*time.Millisecond)
	one := 1
	want := facts.Host{
		Name:          "gpu-31",
		OS:            facts.OSRelease{ID: "ubuntu", VersionID: "22.04"},
		Kernel:        facts.Kernel{Name: "Linux", Release: "6.8.0", Machine: "x86_64"},
		Memory:        &facts.Memory{TotalBytes: 1024000, AvailableBytes: 716800, MlockedBytes: 51200, SwapTotalBytes: 20480, SwapFreeBytes: 10240},
		Mounts:        []facts.Mount{{Path: "/", Device: "/dev/sda1", FileSystem: "ext4", SizeBytes: 409600, AvailableBytes: 163840}, {Path: "/data/my models", Device: "/dev/sdb", FileSystem: "xfs", SizeBytes: 409600, AvailableBytes: 163840}},
		Addresses:     []string{"10.20.0.9"},
		Listeners:     []facts.Listener{{Address: "127.0.0.1", Port: 8081, Processes: []facts.ListenerProcess{{PID: 4711, Name: "python3"}}}, {Address: "::", Port: 36000}},
		CgroupVersion: "v2",
		Residue:       []facts.Residue{{Kind: "cni", Path: "/etc/cni/net.d/10-flannel.conflist"}, {Kind: "kubeletState", Path: "/var/lib/kubelet"}, {Kind: "iptables", Path: "KUBE-SERVICES"}, {Kind: "interface", Path: "flannel.1"}},
		NVIDIADevices: []facts.NVIDIADevice{{Path: "/dev/nvidia1", Minor: &one}, {Path: "/dev/nvidiactl"}},
		PCIGPUs:       []string{"0000:3b:00.0"},
	}
	if diff := cmp.Diff(want, host, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"host.mounts /mnt/nas timeout"}, gapPaths(report.Gaps)); diff != "" {
		t.Error(diff, report.Gaps)
	}
}

// TestLiveGaps takes one thing away at a time: each must be a gap at its path.
func TestLiveGaps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		remove []string
		change map[string]string
		want   string
	}{
		{"no os-release", []string{"etc/os-release@", "usr/lib/os-release"}, nil, "host.os absent"},
		{"no meminfo", []string{"proc/meminfo"}, nil, "host.memory absent"},
		{"no sockets", []string{"proc/1/net/tcp"}, nil, "host.listeners absent"},
		{"garbled sockets", nil, map[string]string{"proc/1/net/tcp": tcpHeader + "what\n"}, "host.listeners failed"},
		{"garbled mounts", nil, map[string]string{"proc/1/mountinfo": "what\n", "proc/self/mountinfo": "what\n"}, "host.mounts failed"},
		{"no control groups", nil, map[string]string{"proc/1/mountinfo": "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"}, "host.cgroupVersion absent"},
		{"no bus", []string{"sys/bus/pci/devices/0000:3b:00.0/vendor", "sys/bus/pci/devices/0000:3b:00.0/class", "sys/bus/pci/devices/0000:3b:00.1/vendor", "sys/bus/pci/devices/0000:3b:00.1/class"}, nil, "host.pciGpus absent"},
		{"no devices folder", []string{"dev/nvidia1", "dev/nvidiactl", "dev/nvidia-caps/nvidia-cap1"}, nil, "host.nvidiaDevices absent"},
		{"no interfaces", []string{"sys/class/net/lo", "sys/class/net/flannel.1"}, nil, "host.residue absent"},
		{"nf_tables perhaps", []string{"lib/modules/6.8.0-50-generic/modules.builtin"}, nil, "host.residue skipped"},
		{"nf_tables and no command", nil, map[string]string{"sys/module/nf_tables/refcnt": "1"}, "host.residue absent"},
		{"a network of its own", nil, map[string]string{"proc/self/ns/net@": "net:[4026532999]"}, "host.addresses denied"},
		{"PIDs of its own", nil, map[string]string{"proc/self/ns/pid@": "pid:[4026532999]"}, "host.listeners denied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := hostFiles()
			for _, name := range tc.remove {
				delete(files, name)
			}
			maps.Copy(files, tc.change)
			_, report := collect(t, newLive(newRoot(t, files)).reader(), 300*time.Millisecond)
			if !slices.Contains(gapPaths(report.Gaps), tc.want) {
				t.Errorf("no gap %q among %v", tc.want, report.Gaps)
			}
			if report.Status != facts.StatusPartial {
				t.Errorf("status %s", report.Status)
			}
		})
	}
}

func TestLiveDeniedIsNotAbsent(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root reads everything; ask the mapping itself.
		g := gapOf("host.os", &os.PathError{Op: "open", Path: "/etc/os-release", Err: syscall.EACCES})
		if g.Reason != facts.ReasonDenied {
			t.Errorf("reason %s", g.Reason)
		}
		return
	}
	root := newRoot(t, hostFiles())
	if err := os.Chmod(filepath.Join(root, "usr/lib/os-release"), 0); err != nil {
		t.Fatal(err)
	}
	_, report := collect(t, newLive(root).reader(), 300*time.Millisecond)
	if !slices.Contains(gapPaths(report.Gaps), "host.os denied") {
		t.Error(report.Gaps)
	}
}

func TestLiveHangs(t *testing.T) {
	l := newLive(newRoot(t, hostFiles()))
	l.uname = func() (facts.Kernel, error) { select {} }
	l.interfaces = func() ([]net.Addr, error) { panic("boom") }
	began := time.Now()
	host, report := collect(t, l.reader(), 200*time.Millisecond)
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %s", took)
	}
	if host.OS.ID != "ubuntu" {
		t.Error("the rest was lost")
	}
	for _, want := range []string{"host.kernel timeout", "host.addresses failed"} {
		if !slices.Contains(gapPaths(report.Gaps), want) {
			t.Errorf("no gap %q among %v", want, report.Gaps)
		}
	}
}

func TestFirewallCommands(t *testing.T) {
	for _, tc := range []struct {
		name, version, stderr string
		err                   error
		want                  string
	}{
		{"of the other kind", "iptables-save v1.8.9 (nf_tables)", "", nil, "absent"},
		{"of this kind", "iptables-save v1.8.4 (legacy)", "", nil, ""},
		{"denied", "iptables-save v1.8.4 (legacy)", "iptables-save v1.8.4 (legacy): Permission denied (you must be root)", errors.New("exit status 4"), "denied"},
		{"slow", "iptables-save v1.8.4 (legacy)", "", context.DeadlineExceeded, "timeout"},
		{"broken", "iptables-save v1.8.4 (legacy)", "segfault", errors.New("signal"), "failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLive(t.TempDir())
			l.run = func(_ context.Context, name string, args ...string) ([]byte, []byte, error) {
				switch {
				case name != "iptables-save":
					return nil, nil, exec.ErrNotFound
				case len(args) == 1:
					return []byte(tc.version), nil, nil
				}
				return []byte(":KUBE-SERVICES - [0:0]\n"), []byte(tc.stderr), tc.err
			}
			_, gap := l.firstOf(context.Background(), "legacy", [][]string{{"iptables-legacy-save"}, {"iptables-save"}})
			got := ""
			if gap != nil {
				got = string(gap.Reason)
			}
			if got != tc.want {
				t.Errorf("gap %v, want %q", gap, tc.want)
			}
		})
	}
}

func TestLiveProcesses(t *testing.T) {
	started, value, uid := time.Unix(1790002500, 0).UTC(), "1", 1004
	running := facts.Process{
		PID: 4711, ParentPID: 1, Name: "python3", State: "S", UID: &uid, StartedAt: &started,
		Args:        []string{"python3", "-m", "serve", "--api-key", "[redacted]"},
		Environment: []facts.EnvironmentVariable{{Name: "CUDA_VISIBLE_DEVICES", Value: &value}},
		Owner:       facts.Owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service", Cgroup: "/system.slice/glm.service"},
	}
	ofUnknown := func(state string) facts.Process {
		return facts.Process{PID: 4711, State: state, Owner: facts.Owner{Manager: "unknown"}}
	}
	for _, tc := range []struct {
		name   string
		remove []string
		change map[string]string
		want   facts.Process
	}{
		{"running", nil, nil, running},
		{"gone", []string{"4711"}, nil, ofUnknown("gone")},
		{"gone, or hidden", []string{"4711", "proc/1"}, nil, ofUnknown("")},
		{"PIDs of its own", nil, map[string]string{"proc/self/ns/pid@": "pid:[4026532999]"}, ofUnknown("")},
		{"PIDs of its own, none there", []string{"4711"}, map[string]string{"proc/self/ns/pid@": "pid:[4026532999]"}, ofUnknown("")},
		{"the host's proc in a container", []string{"4711"}, map[string]string{"proc/self/ns/pid@": "pid:[4026532999]", "proc/2/status": "Name:\tkthreadd\nPPid:\t0\n"}, ofUnknown("gone")},
		{"control groups of its own", nil, map[string]string{"proc/self/ns/cgroup@": "cgroup:[4026532999]"}, func() facts.Process {
			p := running
			p.Owner = facts.Owner{Manager: "unknown", Name: "glm.service", Unit: "glm.service", Cgroup: "/system.slice/glm.service"}
			return p
		}()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := hostFiles()
			for name := range files {
				for _, part := range tc.remove {
					if strings.HasPrefix(name, part+"/") || strings.HasPrefix(name, "proc/"+part+"/") {
						delete(files, name)
					}
				}
			}
			maps.Copy(files, tc.change)
			processes, gaps := newLive(newRoot(t, files)).reader().Processes(context.Background(), []int{4711})
			if len(processes) != 1 || len(gaps) != 0 {
				t.Fatal(processes, gaps)
			}
			if o := processes[0].Owner; o.Manager == "unknown" && o.Reason == "" {
				t.Error("unknown without a reason")
			}
			if diff := cmp.Diff(tc.want, processes[0], cmpopts.EquateEmpty(), cmpopts.IgnoreFields(facts.Owner{}, "Reason")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProcessesNotListed(t *testing.T) {
	r := newLive(newRoot(t, hostFiles())).reader()
	_, gaps := r.Processes(context.Background(), []int{0})
	if diff := cmp.Diff([]string{"host.processes failed"}, gapPaths(gaps)); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	processes, gaps := r.Processes(ctx, []int{4711, 4712})
	if diff := cmp.Diff([]string{"host.processes timeout"}, gapPaths(gaps)); diff != "" || len(processes) != 0 {
		t.Error(diff)
	}
}

func TestLiveDeviceHolders(t *testing.T) {
	held, gaps := newLive(newRoot(t, hostFiles())).reader().DeviceHolders(context.Background())
	want := []facts.DeviceHolder{{Path: "/dev/nvidia1", PIDs: []int{4711}}}
	if diff := cmp.Diff(want, held); diff != "" || len(gaps) != 0 {
		t.Error(diff, gaps)
	}
	files := hostFiles()
	files["proc/self/ns/pid@"] = "pid:[4026532999]"
	_, gaps = newLive(newRoot(t, files)).reader().DeviceHolders(context.Background())
	if diff := cmp.Diff([]string{"host.deviceHolders denied"}, gapPaths(gaps)); diff != "" {
		t.Error(diff)
	}
}

// TestThisHost reads the machine the test runs on.
func TestThisHost(t *testing.T) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	r := Live(Options{})
	var _ collector.Source = r
	host, report := collect(t, r, 10*time.Second)
	if host.Kernel.Name != "Linux" || host.Memory == nil {
		t.Errorf("kernel %+v, memory %v", host.Kernel, host.Memory)
	}
	for _, g := range report.Gaps {
		if g.Detail == "" || !strings.HasPrefix(g.Path, "host.") {
			t.Errorf("gap %+v", g)
		}
	}
	l := &live{root: "/"}
	if !l.look().pids {
		t.Skip("this is a container with PIDs of its own; the rest cannot be looked at")
	}
	port := socket.Addr().(*net.TCPAddr).Port
	i := slices.IndexFunc(host.Listeners, func(l facts.Listener) bool { return l.Port == port })
	if i < 0 || !slices.ContainsFunc(host.Listeners[i].Processes, func(p facts.ListenerProcess) bool { return p.PID == os.Getpid() }) {
		t.Errorf("port %d of this process is not among %v", port, host.Listeners)
	}
	processes, _ := r.Processes(context.Background(), []int{os.Getpid()})
	p := processes[0]
	if p.PID != os.Getpid() || p.State == "" || p.State == "gone" || p.Owner.Manager == "" || p.StartedAt == nil || time.Since(*p.StartedAt) > time.Hour || len(p.Args) == 0 {
		t.Errorf("this process is %+v", p)
	}
}

func TestStartTimeOfNonsense(t *testing.T) {
	for _, text := range []string{"", ")", "1 (x) S", "1 (x) S " + strings.Repeat("x ", 30), "1 (x) S " + strings.Repeat("-1 ", 30), fmt.Sprint("1 (x) S ", strings.Repeat("9223372036854775807 ", 30))} {
		if got := startTime([]byte(text), 1790000000); got != nil {
			t.Errorf("%q started at %s", text, got)
		}
	}
}
