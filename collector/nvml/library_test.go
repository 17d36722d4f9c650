//go:build cgo

package nvml

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	nvmlstandin "github.com/gpugate/gpugate/fixtures/nvml"
)

// The tests here load a stand-in for the driver's library with dlopen, each in
// a process of its own.

// collectFrom reads through the library, on a host that shows no card else.
func collectFrom(t *testing.T, library string, timeout time.Duration) section {
	t.Helper()
	h := drivenHost(t)
	h.options.Libraries = []string{"/nowhere/libnvidia-ml.so.1", library}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	return h.collectWithin(ctx)
}

// TestStandins compares the facts of the scenarios that answer with
// testdata/library/NAME.json.
func TestStandins(t *testing.T) {
	for _, scenario := range []nvmlstandin.Scenario{
		nvmlstandin.TwoL20, nvmlstandin.MIGH100, nvmlstandin.MPS, nvmlstandin.GPULost, nvmlstandin.MemoryWithoutProcess,
		nvmlstandin.ProcessesDenied, nvmlstandin.MissingSymbols, nvmlstandin.Old,
	} {
		t.Run(string(scenario), func(t *testing.T) {
			nvmlstandin.Run(t, scenario, func(t *testing.T, library string) {
				s := collectFrom(t, library, 20*time.Second)
				s.Source.Via = filepath.Base(s.Source.Via)
				got, err := json.MarshalIndent(s, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				golden := "testdata/library/" + string(scenario) + ".json"
				if os.Getenv("GPUGATE_UPDATE") != "" {
					if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(strings.TrimSpace(readFile(t, golden)), string(got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestStandinsThatFail: each way of failing has its status and its words.
func TestStandinsThatFail(t *testing.T) {
	for scenario, want := range map[nvmlstandin.Scenario]struct {
		status facts.Status
		words  string
	}{
		nvmlstandin.Mismatch:        {facts.StatusFailed, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"},
		nvmlstandin.NoPermission:    {facts.StatusDenied, "NVML_ERROR_NO_PERMISSION"},
		nvmlstandin.DriverNotLoaded: {facts.StatusFailed, "NVML_ERROR_DRIVER_NOT_LOADED"},
	} {
		t.Run(string(scenario), func(t *testing.T) {
			nvmlstandin.Run(t, scenario, func(t *testing.T, library string) {
				s := collectFrom(t, library, 20*time.Second)
				if s.Source.Status != want.status || len(s.Source.Gaps) != 1 || !strings.Contains(s.Source.Gaps[0].Detail, want.words) {
					t.Errorf("%+v", s.Source)
				}
			})
		})
	}
}

func TestStandinWithoutGPUs(t *testing.T) {
	nvmlstandin.Run(t, nvmlstandin.NoGPUs, func(t *testing.T, library string) {
		h := drivenHost(t)
		h.options.Libraries = []string{library}
		if s := h.collect(); s.Source.Status != facts.StatusAbsent || len(s.Source.Gaps) != 0 {
			t.Errorf("driver and bus agree that there is no card: %+v", s.Source)
		}
		h.gpu("0000:17:00.0")
		if s := h.collect(); s.Source.Status != facts.StatusFailed || len(s.Source.Gaps) != 1 {
			t.Errorf("the bus shows a card: %+v", s.Source)
		}
		h.options.PCIRoot += "-not"
		if s := h.collect(); s.Source.Status != facts.StatusFailed || len(s.Source.Gaps) != 1 {
			t.Errorf("the bus cannot be read: %+v", s.Source)
		}
	})
}

func TestStandinsThatHang(t *testing.T) {
	for scenario, want := range map[nvmlstandin.Scenario]string{
		nvmlstandin.Hang:      "nvmlInit did not return",
		nvmlstandin.HangCount: "nvmlDeviceGetCount did not return",
	} {
		t.Run(string(scenario), func(t *testing.T) {
			nvmlstandin.Run(t, scenario, func(t *testing.T, library string) {
				h := drivenHost(t)
				h.gpu("0000:17:00.0")
				h.options.Libraries = []string{library}
				source := Live(h.options)
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				began := time.Now()
				s := sectionOf(source.Collect(ctx))
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("took %s", took)
				}
				wantGaps(t, s, "nvml.gpus  timeout", "nvml.processes  timeout")
				if !strings.Contains(s.Source.Gaps[0].Detail, want) {
					t.Errorf("%s", s.Source.Gaps[0].Detail)
				}
				// The next scan loses no further thread to the driver.
				s = sectionOf(source.Collect(t.Context()))
				if s.Source.Status != facts.StatusTimeout || !strings.Contains(s.Source.Gaps[0].Detail, "earlier scan") {
					t.Errorf("%+v", s.Source)
				}
			})
		})
	}
}

// TestUnusableLibraries: a library that cannot be loaded, or is no NVML, leads
// to nvidia-smi, and to a clear failure when there is none.
func TestUnusableLibraries(t *testing.T) {
	foreign := build(t, `int nvmlInit_v2(void) { return 0; } int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1; return 0; }`)
	garbled := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	if err := os.WriteFile(garbled, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ library, words string }{
		"too old": {foreign, "it lacks nvmlDeviceGetHandleByIndex"},
		"garbled": {garbled, "cannot be loaded"},
	} {
		t.Run(name, func(t *testing.T) {
			h := drivenHost(t)
			h.options.Libraries = []string{c.library}
			s := h.collect()
			if s.Source.Status != facts.StatusFailed || len(s.Source.Gaps) != 1 || !strings.Contains(s.Source.Gaps[0].Detail, c.words) {
				t.Errorf("%+v", s.Source)
			}
			h.prints("l20-pair", "")
			wantGaps(t, h.collect())
		})
	}
}

// build compiles a library of the test's own.
func build(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "library.c"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", "-shared", "-fPIC", "library.c", "-o", "libnvidia-ml.so.1")
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: %s", err, output)
		}
		t.Skipf("needs a C compiler: %v", err)
	}
	return filepath.Join(dir, "libnvidia-ml.so.1")
}
