package devices_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

// brief writes a selection as "all", "none", "first 2" or its references, so
// that a table reads like the grammar it tests.
func brief(s facts.DeviceSelection) string {
	var parts []string
	if s.All {
		parts = append(parts, "all")
	}
	if s.Count > 0 {
		parts = append(parts, "first "+strings.Repeat("I", s.Count))
	}
	for _, d := range s.Devices {
		parts = append(parts, d.Kind+"="+d.Value)
	}
	if len(parts) == 0 {
		parts = append(parts, "none")
	}
	if s.Utility {
		parts = append(parts, "utility")
	}
	return strings.Join(parts, " ")
}

func TestVisibleDevices(t *testing.T) {
	for value, want := range map[string]string{
		"":                                  "none",
		" , ":                               "none",
		"all":                               "all",
		"none":                              "none",
		"void":                              "none",
		"0,1":                               "index=0 index=1",
		" 1 ,0, ":                           "index=1 index=0",
		"00,0":                              "index=0",
		"0,all":                             "all",
		"none,all":                          "none",
		"all,none":                          "all",
		"all,void":                          "none",
		"0,void":                            "none",
		"GPU-6E1A4c02":                      "uuid=GPU-6e1a4c02",
		"gpu-6e1a4c02-77d1":                 "uuid=GPU-6e1a4c02-77d1",
		"GPU-":                              "unknown=GPU-",
		"GPU-xyz":                           "unknown=GPU-xyz",
		"MIG-0b9d2c5e-1":                    "mig=MIG-0b9d2c5e-1",
		"MIG-GPU-0B9d/1/0":                  "mig=MIG-GPU-0b9d/1/0",
		"0:1,2":                             "migIndex=0:1 index=2",
		"0:x":                               "unknown=0:x",
		"99999999999":                       "unknown=99999999999",
		"-1":                                "unknown=-1",
		"nvidia.com/gpu=0":                  "index=0",
		"nvidia.com/gpu=all,nvidia.com/x=1": "all unknown=nvidia.com/x=1",
		"$(GPU)":                            "unknown=$(GPU)",
		"ALL":                               "unknown=ALL",
	} {
		got := devices.VisibleDevices(value)
		if diff := cmp.Diff(want, brief(got)); diff != "" {
			t.Errorf("VisibleDevices(%q): %s", value, diff)
		}
		if got.Via != "visibleDevices" || got.Text != value {
			t.Errorf("VisibleDevices(%q): via %q, text %q", value, got.Via, got.Text)
		}
	}
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		name    string
		pairs   []string
		want    string
		wantSet bool
	}{
		{"nothing", nil, "none", false},
		{"index", []string{"A=1", "NVIDIA_VISIBLE_DEVICES=2"}, "index=2", true},
		{"the last of two counts", []string{"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_VISIBLE_DEVICES=1"}, "index=1", true},
		{"set to nothing", []string{"NVIDIA_VISIBLE_DEVICES=", "CUDA_VERSION=11.8"}, "none", true},
		{"image of the old kind", []string{"CUDA_VERSION=9.2.148"}, "all", true},
		{"image of the new kind", []string{"CUDA_VERSION=12.6.3", "NVIDIA_REQUIRE_CUDA=cuda>=12.6"}, "none", false},
		{"old kind with a void list", []string{"CUDA_VERSION=9.2.148", "NVIDIA_VISIBLE_DEVICES=void"}, "none", true},
		{"unset again", []string{"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_VISIBLE_DEVICES"}, "none", false},
		{"management only", []string{"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=utility"}, "all utility", true},
		{"compute too", []string{"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility"}, "all", true},
		{"similar name", []string{"XNVIDIA_VISIBLE_DEVICES=all"}, "none", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, set := devices.Environment(tt.pairs)
			if diff := cmp.Diff(tt.want, brief(got)); diff != "" || set != tt.wantSet {
				t.Errorf("Environment(%q): set %v, %s", tt.pairs, set, diff)
			}
		})
	}
}

func TestCUDAVisibleDevices(t *testing.T) {
	for value, want := range map[string]string{
		"":                         "none",
		"  ":                       "none",
		"-1":                       "none",
		"NoDevFiles":               "none",
		"all":                      "none",
		"3":                        "index=3",
		"0, 2":                     "index=0 index=2",
		"0,2,-1,1":                 "index=0 index=2",
		"1,,0":                     "index=1",
		"1,x,0":                    "index=1",
		"GPU-1f,GPU-2E":            "uuid=GPU-1f uuid=GPU-2e",
		"MIG-77aa01":               "mig=MIG-77aa01",
		"MIG-GPU-77aa01/2/0":       "mig=MIG-GPU-77aa01/2/0",
		"0:1":                      "none",
		"$(GPUS)":                  "unknown=$(GPUS)",
		"0,${LOCAL_RANK},1":        "index=0 unknown=${LOCAL_RANK}",
		"4294967296":               "none",
		"0,\x00,1":                 "index=0",
		"nvidia.com/gpu=0":         "none",
		"2,2,2":                    "index=2",
		"GPU-1f" + "\n" + ",GPU-2": "uuid=GPU-1f uuid=GPU-2",
	} {
		got := devices.CUDAVisibleDevices(value)
		if diff := cmp.Diff(want, brief(got)); diff != "" {
			t.Errorf("CUDAVisibleDevices(%q): %s", value, diff)
		}
		if got.Via != "cudaVisibleDevices" {
			t.Errorf("CUDAVisibleDevices(%q): via %q", value, got.Via)
		}
	}
}

func TestCDI(t *testing.T) {
	for name, want := range map[string]string{
		"nvidia.com/gpu=0":                        "index=0",
		"nvidia.com/gpu=all":                      "all",
		"nvidia.com/gpu=none":                     "none",
		"nvidia.com/gpu=gpu3":                     "index=3",
		"nvidia.com/gpu=mig0:1":                   "migIndex=0:1",
		"nvidia.com/gpu=0:1":                      "migIndex=0:1",
		"nvidia.com/mig=MIG-aa11":                 "mig=MIG-aa11",
		"nvidia.com/gpu=GPU-aa11":                 "uuid=GPU-aa11",
		"k8s.device-plugin.nvidia.com/gpu=GPU-b2": "uuid=GPU-b2",
		"management.nvidia.com/gpu=all":           "all",
		"nvidia.com/gds=all":                      "none",
		"nvidia.com/pgpu=0":                       "unknown=nvidia.com/pgpu=0",
		"nvidia.com/gpu=left":                     "unknown=left",
		"notnvidia.com/gpu=0":                     "unknown=notnvidia.com/gpu=0",
		"example.org/camera=front":                "unknown=example.org/camera=front",
		"0":                                       "unknown=0",
		"nvidia.com/gpu":                          "unknown=nvidia.com/gpu",
	} {
		if diff := cmp.Diff(want, brief(devices.CDI(name))); diff != "" {
			t.Errorf("CDI(%q): %s", name, diff)
		}
	}
}

func TestNode(t *testing.T) {
	for name, want := range map[string]string{
		"/dev/nvidia0":                 "minor=0",
		"/dev/nvidia12":                "minor=12",
		"/dev/./nvidia1/":              "minor=1",
		"/dev/nvidiactl":               "none",
		"/dev/nvidia-uvm":              "none",
		"/dev/nvidia-uvm-tools":        "none",
		"/dev/nvidia-modeset":          "none",
		"/dev/nvidia-caps/nvidia-cap1": "none",
		"/dev/nvidia*":                 "unknown=/dev/nvidia*",
		"/dev":                         "all",
		"/dev/char/195:1":              "minor=1",
		"/dev/char/195:255":            "none",
		"/dev/char/10:200":             "none",
		"/dev/dri/renderD128":          "none",
		"/data/dev/nvidia0":            "none",
		"":                             "none",
	} {
		if diff := cmp.Diff(want, brief(devices.Node(name))); diff != "" {
			t.Errorf("Node(%q): %s", name, diff)
		}
	}
}

func TestAllow(t *testing.T) {
	for device, want := range map[string]string{
		"/dev/nvidia1":         "minor=1",
		"/dev/nvidiactl":       "none",
		"char-nvidia*":         "all",
		"char-nvidia":          "all",
		"char-nvidia-frontend": "all",
		"char-*":               "all",
		"char-195":             "all",
		"char-nvidia-uvm":      "none",
		"char-pts":             "none",
		"char-[":               "none",
		"block-sd":             "none",
	} {
		got := devices.Allow(device)
		if diff := cmp.Diff(want, brief(got)); diff != "" || got.Via != "deviceAllow" {
			t.Errorf("Allow(%q): via %q, %s", device, got.Via, diff)
		}
	}
}

func TestCgroupRule(t *testing.T) {
	for rule, want := range map[string]string{
		"c 195:* rwm":   "all",
		"c 195:0 rwm":   "minor=0",
		"c 195:1 rw":    "minor=1",
		"c 195:255 rwm": "none",
		"c 195:* m":     "none",
		"c *:* rwm":     "all",
		"c *:0 rwm":     "minor=0",
		"a *:* rwm":     "all",
		"a":             "all",
		"b *:* rwm":     "none",
		"c 508:* rwm":   "none",
		"c 1:3 mr":      "none",
		"":              "none",
		"c 195":         "none",
	} {
		if diff := cmp.Diff(want, brief(devices.CgroupRule(rule))); diff != "" {
			t.Errorf("CgroupRule(%q): %s", rule, diff)
		}
	}
}

func TestRequest(t *testing.T) {
	gpu := [][]string{{"gpu"}}
	tests := []struct {
		name    string
		request facts.DeviceRequest
		want    string
		wantGPU bool
	}{
		{"--gpus all", facts.DeviceRequest{Count: -1, Capabilities: gpu}, "all", true},
		{"--gpus 2", facts.DeviceRequest{Count: 2, Capabilities: gpu}, "first II", true},
		{"by index", facts.DeviceRequest{DeviceIDs: []string{"0", "2"}, Capabilities: gpu}, "index=0 index=2", true},
		{"by UUID", facts.DeviceRequest{Driver: "nvidia", DeviceIDs: []string{"GPU-5c"}, Capabilities: gpu}, "uuid=GPU-5c", true},
		{"ids that say all", facts.DeviceRequest{Driver: "nvidia", DeviceIDs: []string{"all"}, Capabilities: gpu}, "all", true},
		{"ids in one", facts.DeviceRequest{DeviceIDs: []string{"0,1"}, Capabilities: gpu}, "index=0 index=1", true},
		{"neither count nor ids", facts.DeviceRequest{Capabilities: gpu}, "none", true},
		{"both", facts.DeviceRequest{Count: 1, DeviceIDs: []string{"3"}, Capabilities: gpu}, "first I index=3", true},
		{"exporter", facts.DeviceRequest{Count: -1, Capabilities: [][]string{{"utility", "gpu"}}}, "all utility", true},
		{"compute and utility", facts.DeviceRequest{Count: -1, Capabilities: [][]string{{"gpu", "compute", "utility"}}}, "all", true},
		{"capability without gpu", facts.DeviceRequest{Count: 1, Capabilities: [][]string{{"compute"}}}, "first I", true},
		{"second alternative", facts.DeviceRequest{Count: 1, Capabilities: [][]string{{"tpu"}, {"gpu"}}}, "first I", true},
		{"something else", facts.DeviceRequest{Count: 1, Capabilities: [][]string{{"tpu"}}}, "none", false},
		{"other driver", facts.DeviceRequest{Driver: "amd", Count: -1, Capabilities: gpu}, "none", false},
		{"driver alone", facts.DeviceRequest{Driver: "nvidia", Count: -1}, "all", true},
		{"CDI", facts.DeviceRequest{Driver: "cdi", DeviceIDs: []string{"nvidia.com/gpu=0", "nvidia.com/gpu=GPU-9"}}, "index=0 uuid=GPU-9", true},
		{"CDI through the NVIDIA driver", facts.DeviceRequest{Driver: "nvidia.cdi", DeviceIDs: []string{"1"}, Capabilities: gpu}, "index=1", true},
		{"CDI of no GPU", facts.DeviceRequest{Driver: "cdi", DeviceIDs: []string{"nvidia.com/gds=all"}}, "none", false},
		{"empty", facts.DeviceRequest{}, "none", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, isGPU := devices.Request(tt.request)
			if diff := cmp.Diff(tt.want, brief(got)); diff != "" || isGPU != tt.wantGPU {
				t.Errorf("gpu %v, want %v: %s", isGPU, tt.wantGPU, diff)
			}
		})
	}
}

// A choice may be written with a secret in it, by mistake or to try us.
func TestSecretsStayOut(t *testing.T) {
	const secret = "hf_abcdefghijklmnopqrstuvwxyz"
	for _, s := range []facts.DeviceSelection{
		devices.VisibleDevices("0," + secret),
		devices.CUDAVisibleDevices("$" + secret),
		devices.CDI("example.org/x=" + secret),
		devices.CgroupRule("c 195:* rwm " + secret),
	} {
		if strings.Contains(s.Text, secret) || strings.Contains(brief(s), secret) {
			t.Errorf("%s: %q %s", s.Via, s.Text, brief(s))
		}
	}
}

func FuzzSelections(f *testing.F) {
	for _, seed := range []string{"", "all", "0,void", "GPU-1,MIG-2,0:1", "nvidia.com/gpu=mig0:1", "c 195:* rwm", "/dev/nvidia0", "char-[", "\x00\xff", "a=b/c=d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		visible := devices.VisibleDevices(text)
		request, _ := devices.Request(facts.DeviceRequest{Driver: text, DeviceIDs: []string{text}, Capabilities: [][]string{{text}}})
		environment, _ := devices.Environment([]string{text, "NVIDIA_VISIBLE_DEVICES=" + text})
		for _, s := range []facts.DeviceSelection{
			visible, request, environment, devices.CUDAVisibleDevices(text), devices.CDI(text),
			devices.Node(text), devices.Allow(text), devices.CgroupRule(text),
		} {
			if s.Via == "" || s.Devices == nil {
				t.Errorf("%q: incomplete selection %#v", text, s)
			}
			for _, d := range s.Devices {
				if d.Kind == "" {
					t.Errorf("%q: reference without a kind: %#v", text, s)
				}
			}
		}
		if diff := cmp.Diff(visible, environment, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Utility" }, cmp.Ignore())); diff != "" {
			t.Errorf("%q: the variable and its value disagree: %s", text, diff)
		}
	})
}
