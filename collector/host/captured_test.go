package host

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

const meta = `{"schemaVersion": "gpugate.capture/v1", "capturedAt": "2026-12-02T08:00:00Z", "hostname": "gpu-32"}`

// newCapture writes a capture and opens it.
func newCapture(t *testing.T, files map[string]string) *capture.Dir {
	t.Helper()
	files["capture.json"] = meta
	dir, err := capture.Open(newRoot(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func captureFiles() map[string]string {
	return map[string]string{
		"host/os-release":       "ID=ubuntu\nVERSION_ID=\"22.04\"\n",
		"host/uname":            "Linux 5.15.0-130-generic x86_64\n",
		"host/meminfo":          meminfo,
		"host/df":               "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n/dev/sdb xfs 100 60 40 60% /data\n",
		"host/ss":               `LISTEN 0 511 0.0.0.0:9001 0.0.0.0:* users:(("python3",pid=812,fd=9))` + "\n",
		"host/cgroup":           "cgroup2fs\n",
		"host/residue":          "/var/lib/cni\ninterface lo\n",
		"host/devices":          "crw-rw-rw- 1 root root 195,   0 Nov 30 12:00 /dev/nvidia0\n",
		"host/pci":              "0000:3b:00.0 0302: 10de:2235 (rev a1)\n",
		"host/addresses":        "10.20.0.10 172.17.0.1 \n",
		"host/device-holders":   "/dev/nvidia0: 812\n",
		"host/proc/812/cgroup":  ids("0::/system.slice/docker-$A.scope\n"),
		"host/proc/812/cmdline": "python3\x00serve.py\x00--token\x00swordfish\x00",
		"host/proc/812/status":  "Name:\tpython3\nState:\tR (running)\nPPid:\t700\nUid:\t0\t0\t0\t0\n",
	}
}

func TestCapture(t *testing.T) {
	r := FromCapture(newCapture(t, captureFiles()))
	host, report := collect(t, r, time.Second)
	zero := 0
	want := facts.Host{
		Name:          "gpu-32",
		OS:            facts.OSRelease{ID: "ubuntu", VersionID: "22.04"},
		Kernel:        facts.Kernel{Name: "Linux", Release: "5.15.0-130-generic", Machine: "x86_64"},
		Memory:        &facts.Memory{TotalBytes: 1024000, AvailableBytes: 716800, MlockedBytes: 51200, SwapTotalBytes: 20480, SwapFreeBytes: 10240},
		Mounts:        []facts.Mount{{Path: "/data", Device: "/dev/sdb", FileSystem: "xfs", SizeBytes: 102400, AvailableBytes: 40960}},
		Addresses:     []string{"10.20.0.10", "172.17.0.1"},
		Listeners:     []facts.Listener{{Address: "0.0.0.0", Port: 9001, Processes: []facts.ListenerProcess{{PID: 812, Name: "python3"}}}},
		CgroupVersion: "v2",
		Residue:       []facts.Residue{{Kind: "cni", Path: "/var/lib/cni"}},
		NVIDIADevices: []facts.NVIDIADevice{{Path: "/dev/nvidia0", Minor: &zero}},
		PCIGPUs:       []string{"0000:3b:00.0"},
	}
	if diff := cmp.Diff(want, host, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if report.Status != facts.StatusComplete {
		t.Errorf("%s: %v", report.Status, report.Gaps)
	}
	held, gaps := r.DeviceHolders(context.Background())
	if diff := cmp.Diff([]facts.DeviceHolder{{Path: "/dev/nvidia0", PIDs: []int{812}}}, held); diff != "" || len(gaps) > 0 {
		t.Error(diff, gaps)
	}
	names, addresses := r.Identity()
	if !slices.Equal(names, []string{"gpu-32"}) || len(addresses) != 2 {
		t.Error(names, addresses)
	}
}

// TestCaptureGaps changes one file at a time: the gap stands at its own path
// and nothing else is lost.
func TestCaptureGaps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		remove []string
		change map[string]string
		want   []string
	}{
		{"no os-release", []string{"host/os-release"}, nil, []string{"host.os skipped"}},
		{"denied", []string{"host/os-release"}, map[string]string{"host/os-release.err": "cat: /etc/os-release: Permission denied\n"}, []string{"host.os denied"}},
		{"no uname", nil, map[string]string{"host/uname": "Linux\n"}, []string{"host.kernel failed"}},
		{"cut meminfo", nil, map[string]string{"host/meminfo": "MemTotal: 1 kB\n"}, []string{"host.memory failed"}},
		{"ss not found", []string{"host/ss"}, map[string]string{"host/ss.err": "sh: ss: command not found\n"}, []string{"host.listeners absent"}},
		{"ss printed half", nil, map[string]string{"host/ss.err": "Cannot open netlink socket: Operation not permitted\n"}, []string{"host.listeners denied"}},
		{"one mount is stale", nil, map[string]string{"host/df.err": "df: /mnt/nas: Stale file handle\n"}, []string{"host.mounts /mnt/nas failed"}},
		{"df did not run", []string{"host/df"}, map[string]string{"host/df.err": ""}, []string{"host.mounts failed"}},
		{"optional files", []string{"host/residue", "host/devices", "host/pci", "host/addresses"}, nil, []string{"host.addresses skipped", "host.nvidiaDevices skipped", "host.pciGpus skipped", "host.residue skipped"}},
		{"no device node", []string{"host/devices"}, map[string]string{"host/devices.err": "ls: cannot access '/dev/nvidia*': No such file or directory\n"}, nil},
		{"no ls", []string{"host/devices"}, map[string]string{"host/devices.err": "sh: ls: not found\n"}, []string{"host.nvidiaDevices absent"}},
		{"devices of something else", nil, map[string]string{"host/devices": "hello\n"}, []string{"host.nvidiaDevices failed"}},
		{"nothing left", []string{"host/residue"}, map[string]string{"host/residue.err": "ls: cannot access '/var/lib/kubelet': No such file or directory\nls: cannot access '/etc/kubernetes': No such file or directory\n"}, nil},
		{"residue denied", nil, map[string]string{"host/residue.err": "ls: cannot open directory '/root/.kube': Permission denied\n"}, []string{"host.residue denied"}},
		{"version told by a process", []string{"host/cgroup"}, nil, nil},
		{"version not told", []string{"host/cgroup", "host/proc/812/cgroup"}, nil, []string{"host.cgroupVersion skipped"}},
		{"version of nonsense", []string{"host/proc/812/cgroup"}, map[string]string{"host/cgroup": "btrfs\n"}, []string{"host.cgroupVersion failed"}},
		{"a folder for a file", []string{"host/ss"}, map[string]string{"host/ss/x": ""}, []string{"host.listeners failed"}},
		{"binary", nil, map[string]string{"host/ss": "\x00\xff\xfe", "host/addresses": "\x00"}, []string{"host.addresses failed", "host.listeners failed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := captureFiles()
			for _, name := range tc.remove {
				delete(files, name)
			}
			maps.Copy(files, tc.change)
			_, report := collect(t, FromCapture(newCapture(t, files)), time.Second)
			if diff := cmp.Diff(tc.want, gapPaths(report.Gaps), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff, report.Gaps)
			}
		})
	}
}

func TestCaptureWithoutHost(t *testing.T) {
	host, report := collect(t, FromCapture(newCapture(t, map[string]string{})), time.Second)
	if report.Status != facts.StatusSkipped || len(report.Gaps) != 1 || report.Gaps[0].Path != "host" || host.Name != "gpu-32" {
		t.Errorf("%+v %q", report, host.Name)
	}
}

func TestCapturedProcesses(t *testing.T) {
	const notThere = "cat: /proc/812/x: No such file or directory\n"
	ended := map[string]string{"host/proc/812/cgroup.err": notThere, "host/proc/812/cmdline.err": notThere, "host/proc/812/status.err": notThere}
	folder := []string{"host/proc/812/cgroup", "host/proc/812/cmdline", "host/proc/812/status"}
	full := initialPIDNamespace + "\n" + initialCgroupNamespace + "\n/proc/1\n"
	with := func(m map[string]string, name, text string) map[string]string {
		c := map[string]string{name: text}
		maps.Copy(c, m)
		return c
	}
	for _, tc := range []struct {
		name           string
		remove         []string
		change         map[string]string
		manager, state string
		args, reason   string
	}{
		{"whole", nil, nil, "docker", "R", "python3 serve.py --token [redacted]", ""},
		{"written by ps", nil, map[string]string{"host/proc/812/cmdline": "VLLM::Engine --token swordfish\n"}, "docker", "R", "VLLM::Engine --token [redacted]", ""},
		{"no folder", folder, nil, "unknown", "", "", "the capture has no host/proc/812"},
		{"no cgroup", folder[:1], nil, "unknown", "R", "python3 serve.py --token [redacted]", "the capture has no host/proc/812/cgroup"},
		{"denied", folder[:1], map[string]string{"host/proc/812/cgroup.err": "cat: /proc/812/cgroup: Permission denied"}, "unknown", "R", "python3 serve.py --token [redacted]", "Permission denied"},
		{"zombie", folder[1:2], map[string]string{"host/proc/812/status": "Name:\tpt_main\nState:\tZ (zombie)\n", "host/proc/812/cgroup": "4:cpu:/\n"}, "unknown", "Z", "", "zombie"},
		{"ended, not proven", folder, ended, "unknown", "", "", "could not be seen"},
		{"ended", folder, with(ended, "host/namespaces", full), "unknown", "gone", "", "no longer exists"},
		{"ended, seen from elsewhere", folder, with(ended, "host/namespaces", "pid:[4026532999]\n/proc/1\n"), "unknown", "", "", "PID namespace of its own"},
		{"other control groups", nil, map[string]string{"host/namespaces": strings.Replace(full, "4026531835", "4026532999", 1), "host/proc/812/cgroup": "0::/system.slice/glm.service"}, "unknown", "R", "python3 serve.py --token [redacted]", "--cgroupns=host"},
		{"garbage", nil, map[string]string{"host/proc/812/cgroup": "\x00", "host/proc/812/status": "State:\nUid:\t-1\nPPid: x\n", "host/proc/812/cmdline": "\x00\x00"}, "unknown", "", "", "not known"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := captureFiles()
			for _, name := range tc.remove {
				delete(files, name)
			}
			maps.Copy(files, tc.change)
			processes, gaps := FromCapture(newCapture(t, files)).Processes(context.Background(), []int{812})
			if len(processes) != 1 || len(gaps) != 0 {
				t.Fatal(processes, gaps)
			}
			p := processes[0]
			if p.Owner.Manager != tc.manager || p.State != tc.state || strings.Join(p.Args, " ") != tc.args || !strings.Contains(p.Owner.Reason, tc.reason) {
				t.Errorf("got %+v", p)
			}
		})
	}
}

func TestCapturedHoldersAreOptional(t *testing.T) {
	files := captureFiles()
	delete(files, "host/device-holders")
	_, gaps := FromCapture(newCapture(t, files)).DeviceHolders(context.Background())
	if diff := cmp.Diff([]string{"host.deviceHolders skipped"}, gapPaths(gaps)); diff != "" {
		t.Error(diff)
	}
}
