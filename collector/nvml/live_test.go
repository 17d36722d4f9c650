package nvml

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// host is a made-up sysfs and /dev, and a made-up nvidia-smi.
type host struct {
	t       *testing.T
	options Options
}

func newHost(t *testing.T) *host {
	root := t.TempDir()
	h := &host{t, Options{
		Libraries: []string{filepath.Join(root, "no-such-library.so.1")}, Command: filepath.Join(root, "nvidia-smi"),
		PCIRoot: filepath.Join(root, "pci"), DevRoot: filepath.Join(root, "dev"), Unprivileged: new(false),
	}}
	h.write("dev/null", "", 0o644)
	h.device("0000:00:01.0", "0x8086", "0x060100", "")
	return h
}

// drivenHost is a host on which the driver has made its device nodes.
func drivenHost(t *testing.T) *host {
	h := newHost(t)
	h.write("dev/nvidiactl", "", 0o644)
	return h
}

func (h *host) write(name, text string, mode os.FileMode) {
	h.t.Helper()
	file := filepath.Join(filepath.Dir(h.options.PCIRoot), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) read(name string) string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(h.options.PCIRoot), name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

func (h *host) device(id, vendor, class, driver string) {
	h.t.Helper()
	h.write("pci/devices/"+id+"/vendor", vendor+"\n", 0o644)
	h.write("pci/devices/"+id+"/class", class+"\n", 0o644)
	if driver != "" {
		if err := os.Symlink("../../drivers/"+driver, filepath.Join(h.options.PCIRoot, "devices", id, "driver")); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *host) gpu(id string) { h.device(id, "0x10de", "0x030200", "nvidia") }

// prints makes an nvidia-smi that prints a file of testdata.
func (h *host) prints(file string, then string) {
	text, err := filepath.Abs("testdata/" + file + ".xml")
	if err != nil {
		h.t.Fatal(err)
	}
	h.write("dev/nvidiactl", "", 0o644)
	h.write("nvidia-smi", "#!/bin/sh\n[ \"$*\" = '-q -x' ] || exit 2\ncat "+text+"\n"+then+"\n", 0o755)
}

func (h *host) collect() section {
	ctx, cancel := context.WithTimeout(h.t.Context(), 10*time.Second)
	defer cancel()
	return h.collectWithin(ctx)
}

func (h *host) collectWithin(ctx context.Context) section {
	return sectionOf(Live(h.options).Collect(ctx))
}

func TestAbsenceIsProven(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*host)
		want   facts.Status
		detail string
	}{
		"nothing anywhere":  {func(*host) {}, facts.StatusAbsent, "no NVIDIA device node is there"},
		"a GPU on the bus":  {func(h *host) { h.gpu("0000:17:00.0") }, facts.StatusFailed, "not installed or not loaded"},
		"an NVSwitch only":  {func(h *host) { h.device("0000:05:00.0", "0x10de", "0x068000", "") }, facts.StatusAbsent, ""},
		"a device node":     {func(h *host) { h.write("dev/nvidiactl", "", 0o644) }, facts.StatusFailed, "nvidiactl"},
		"a Jetson":          {func(h *host) { h.write("dev/nvhost-ctrl", "", 0o644) }, facts.StatusFailed, "nvhost"},
		"no bus to look at": {func(h *host) { h.options.PCIRoot += "-not" }, facts.StatusAbsent, "cannot be read"},
		"an empty bus": {func(h *host) {
			if err := os.RemoveAll(filepath.Join(h.options.PCIRoot, "devices", "0000:00:01.0")); err != nil {
				h.t.Fatal(err)
			}
		}, facts.StatusAbsent, "proves nothing"},
		"no /dev to look at": {func(h *host) { h.options.DevRoot += "-not" }, facts.StatusAbsent, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			c.change(h)
			s := h.collect()
			proven := len(s.Source.Gaps) == 0
			text := s.Source.Detail
			if !proven {
				text = s.Source.Gaps[0].Detail
			}
			if s.Source.Status != c.want || !strings.Contains(text, c.detail) {
				t.Errorf("%+v", s.Source)
			}
			if wantProven := name == "nothing anywhere" || name == "an NVSwitch only"; proven != wantProven {
				t.Errorf("proven: %v: %+v", proven, s.Source)
			}
		})
	}
}

func TestNvidiaSMIWhenThereIsNoLibrary(t *testing.T) {
	h := newHost(t)
	h.gpu("0000:27:00.0")
	h.gpu("0000:a8:00.0")
	h.prints("l20-pair", "")
	s := h.collect()
	wantGaps(t, s)
	if len(s.NVML.GPUs) != 2 || len(s.NVML.Processes) != 2 || !strings.HasSuffix(s.Source.Via, "nvidia-smi -q -x") {
		t.Errorf("%+v", s)
	}
	h.prints("l20-pair", "exit 14")
	wantGaps(t, h.collect())
	h.prints("l20-pair", "exit 3")
	wantGaps(t, h.collect(), "nvml.gpus  failed", "nvml.processes  failed")
	h.gpu("0000:d1:00.0")
	h.prints("l20-pair", "")
	wantGaps(t, h.collect(), "nvml.gpus PCI-00000000:d1:00.0 failed", "nvml.processes PCI-00000000:d1:00.0 failed")
}

func TestNvidiaSMIFails(t *testing.T) {
	h := newHost(t)
	h.prints("no-driver", "exit 9")
	if s := h.collect(); s.Source.Status != facts.StatusFailed || !strings.Contains(s.Source.Gaps[0].Detail, "couldn't communicate") {
		t.Errorf("%+v", s.Source)
	}
	h.prints("no-devices", "exit 6")
	if s := h.collect(); s.Source.Status != facts.StatusAbsent || len(s.Source.Gaps) != 0 {
		t.Errorf("driver and bus agree that there is no card: %+v", s.Source)
	}
	h.gpu("0000:17:00.0")
	if s := h.collect(); s.Source.Status != facts.StatusFailed || !strings.Contains(s.Source.Gaps[0].Detail, "1 NVIDIA GPU") {
		t.Errorf("the bus shows a card: %+v", s.Source)
	}
	h.write("nvidia-smi", "not a program", 0o755)
	if s := h.collect(); s.Source.Status != facts.StatusFailed {
		t.Errorf("%+v", s.Source)
	}
}

func TestNvidiaSMIHangs(t *testing.T) {
	h := newHost(t)
	h.prints("l20-pair", "exec sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	s := h.collectWithin(ctx)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	wantGaps(t, s, "nvml.gpus  timeout", "nvml.processes  timeout")
	if len(s.NVML.GPUs) != 2 {
		t.Errorf("what was printed before is lost: %+v", s.NVML)
	}
}

func TestUnprivilegedCannotSeeMIGProcesses(t *testing.T) {
	h := newHost(t)
	h.options.Unprivileged = new(true)
	h.prints("mig-h100", "")
	wantGaps(t, h.collect(), "nvml.processes GPU-7d1c0020-52ab-4e10-9f3d-0c1e2a3b4c5d denied")
	h.prints("l20-pair", "")
	wantGaps(t, h.collect())
}

func TestFromCapture(t *testing.T) {
	const meta = `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-11-30T09:15:00Z","hostname":"gpu-17"}`
	for name, c := range map[string]struct {
		files map[string]string
		want  facts.Status
		gaps  []string
	}{
		"whole":                  {map[string]string{"smi.xml": readFile(t, "testdata/l20-pair.xml")}, facts.StatusComplete, nil},
		"whole and nothing said": {map[string]string{"smi.xml": readFile(t, "testdata/l20-pair.xml"), "smi.xml.err": " \n"}, facts.StatusComplete, nil},
		"not taken":              {nil, facts.StatusSkipped, []string{"nvml  skipped"}},
		"no nvidia-smi":          {map[string]string{"smi.xml.err": "sh: 1: nvidia-smi: command not found\n"}, facts.StatusAbsent, []string{"nvml  absent"}},
		"no nvidia-smi, and an empty file": {map[string]string{"smi.xml": "", "smi.xml.err": "sh: 1: nvidia-smi: not found\n"},
			facts.StatusAbsent, []string{"nvml  absent"}},
		"denied":                  {map[string]string{"smi.xml.err": "nvidia-smi: Permission denied\n"}, facts.StatusDenied, []string{"nvml  denied"}},
		"no devices":              {map[string]string{"smi.xml.err": "No devices were found\n"}, facts.StatusFailed, []string{"nvml  failed"}},
		"failed and said nothing": {map[string]string{"smi.xml.err": ""}, facts.StatusFailed, []string{"nvml  failed"}},
		"lost card told on the error stream": {map[string]string{
			"smi.xml":     strings.SplitN(readFile(t, "testdata/lost-card.xml"), "\n", 2)[1],
			"smi.xml.err": strings.SplitN(readFile(t, "testdata/lost-card.xml"), "\n", 2)[0],
		}, facts.StatusPartial, []string{"nvml.gpus PCI-00000000:5b:00.0 failed", "nvml.processes PCI-00000000:5b:00.0 failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range c.files {
				if err := os.MkdirAll(filepath.Join(root, "nvidia"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(root, "nvidia", file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(root, "capture.json"), []byte(meta), 0o644); err != nil {
				t.Fatal(err)
			}
			dir, err := capture.Open(root)
			if err != nil {
				t.Fatal(err)
			}
			s := sectionOf(FromCapture(dir).Collect(t.Context()))
			if s.Source.Status != c.want {
				t.Errorf("status %s, want %s", s.Source.Status, c.want)
			}
			wantGaps(t, s, c.gaps...)
		})
	}
}

// TestSleepingDriverIsNotStarted: asking a driver that is not loaded would load
// it and make its device nodes, and so change the host.
func TestSleepingDriverIsNotStarted(t *testing.T) {
	h := newHost(t)
	h.gpu("0000:17:00.0")
	asked := filepath.Join(t.TempDir(), "asked")
	h.write("nvidia-smi", "#!/bin/sh\ntouch "+asked+"\n", 0o755)
	if s := h.collect(); s.Source.Status != facts.StatusFailed || !strings.Contains(s.Source.Gaps[0].Detail, "not started to be asked") {
		t.Errorf("%+v", s.Source)
	}
	if _, err := os.Stat(asked); err == nil {
		t.Error("nvidia-smi was run")
	}
}
