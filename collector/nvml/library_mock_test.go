//go:build cgo

package nvml

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	nvmlapi "github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

const ok = nvmlapi.SUCCESS

// driver is a mock of the library with the given cards. Functions named in
// lacks are not in it; being called then ends the test as it would the process.
type driver struct {
	version string
	cards   []*mock.Device
	lacks   []string
	names   func(pid int) (string, nvmlapi.Return)
}

func (d *driver) api() *mock.Interface {
	return &mock.Interface{
		InitFunc:                          func() nvmlapi.Return { return ok },
		ShutdownFunc:                      func() nvmlapi.Return { return ok },
		SystemGetDriverVersionFunc:        func() (string, nvmlapi.Return) { return d.version, ok },
		SystemGetNVMLVersionFunc:          func() (string, nvmlapi.Return) { return "13." + d.version, ok },
		SystemGetCudaDriverVersion_v2Func: func() (int, nvmlapi.Return) { return 12080, ok },
		SystemGetProcessNameFunc:          d.names,
		DeviceGetCountFunc:                func() (int, nvmlapi.Return) { return len(d.cards), ok },
		DeviceGetHandleByIndexFunc: func(i int) (nvmlapi.Device, nvmlapi.Return) {
			if d.cards[i] == nil {
				return nil, nvmlapi.ERROR_UNKNOWN
			}
			return d.cards[i], ok
		},
		ExtensionsFunc: func() nvmlapi.ExtendedInterface {
			return &mock.ExtendedInterface{LookupSymbolFunc: func(name string) error {
				if slices.Contains(d.lacks, name) {
					return errors.New("no such symbol")
				}
				return nil
			}}
		},
	}
}

// healthy is a card that answers everything it is asked here.
func healthy(uuid, bus string) *mock.Device {
	none := func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) { return nil, ok }
	pci := nvmlapi.PciInfo{}
	for i, c := range []byte(bus) {
		pci.BusId[i] = int8(c)
	}
	return &mock.Device{
		GetUUIDFunc:                  func() (string, nvmlapi.Return) { return uuid, ok },
		GetPciInfoFunc:               func() (nvmlapi.PciInfo, nvmlapi.Return) { return pci, ok },
		GetNameFunc:                  func() (string, nvmlapi.Return) { return "NVIDIA A30", ok },
		GetMinorNumberFunc:           func() (int, nvmlapi.Return) { return 0, ok },
		GetArchitectureFunc:          func() (nvmlapi.DeviceArchitecture, nvmlapi.Return) { return nvmlapi.DEVICE_ARCH_AMPERE, ok },
		GetCudaComputeCapabilityFunc: func() (int, int, nvmlapi.Return) { return 8, 0, ok },
		GetMemoryInfo_v2Func: func() (nvmlapi.Memory_v2, nvmlapi.Return) {
			return nvmlapi.Memory_v2{Total: 24 << 30, Free: 24 << 30}, ok
		},
		GetMemoryInfoFunc:      func() (nvmlapi.Memory, nvmlapi.Return) { return nvmlapi.Memory{Total: 24 << 30, Free: 24 << 30}, ok },
		GetComputeModeFunc:     func() (nvmlapi.ComputeMode, nvmlapi.Return) { return nvmlapi.COMPUTEMODE_PROHIBITED, ok },
		GetPersistenceModeFunc: func() (nvmlapi.EnableState, nvmlapi.Return) { return nvmlapi.FEATURE_ENABLED, ok },
		GetEccModeFunc: func() (nvmlapi.EnableState, nvmlapi.EnableState, nvmlapi.Return) {
			return 0, 0, nvmlapi.ERROR_NOT_SUPPORTED
		},
		GetMigModeFunc:                    func() (int, int, nvmlapi.Return) { return 0, 0, nvmlapi.ERROR_NOT_SUPPORTED },
		GetUtilizationRatesFunc:           func() (nvmlapi.Utilization, nvmlapi.Return) { return nvmlapi.Utilization{}, ok },
		GetNvLinkStateFunc:                func(int) (nvmlapi.EnableState, nvmlapi.Return) { return 0, nvmlapi.ERROR_NOT_SUPPORTED },
		GetComputeRunningProcessesFunc:    none,
		GetGraphicsRunningProcessesFunc:   none,
		GetMPSComputeRunningProcessesFunc: none,
	}
}

func (d *driver) read(ctx context.Context) section {
	p := &progress{calling: "the library"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		(&session{ctx: ctx, api: d.api(), progress: p}).read()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	r := p.result()
	return sectionOf(r.result())
}

func rows(pids ...uint32) func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) {
	return func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) {
		var infos []nvmlapi.ProcessInfo
		for _, pid := range pids {
			infos = append(infos, nvmlapi.ProcessInfo{Pid: pid, UsedGpuMemory: notAvailable, GpuInstanceId: noInstance, ComputeInstanceId: noInstance})
		}
		return infos, ok
	}
}

func noRows(ret nvmlapi.Return) func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) {
	return func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) { return nil, ret }
}

func TestWhatACardDoesNotTell(t *testing.T) {
	named := func(name string, ret nvmlapi.Return) func(int) (string, nvmlapi.Return) {
		return func(int) (string, nvmlapi.Return) { return name, ret }
	}
	for name, c := range map[string]struct {
		change func(*driver, *mock.Device)
		gaps   []string
		check  func(facts.NVML) bool
	}{
		"healthy": {func(*driver, *mock.Device) {}, nil, func(n facts.NVML) bool {
			g := n.GPUs[0]
			return g.ComputeMode == "prohibited" && g.ECC == nil && g.MIGMode == "" && g.NVLinksKnown && n.CUDAVersion == "12.8"
		}},
		"no memory is told": {func(_ *driver, d *mock.Device) {
			d.GetMemoryInfo_v2Func = func() (nvmlapi.Memory_v2, nvmlapi.Return) {
				return nvmlapi.Memory_v2{Total: notAvailable, Used: notAvailable, Free: notAvailable}, ok
			}
		}, nil, func(n facts.NVML) bool { return n.GPUs[0].Memory == nil }},
		"memory in the first form": {func(_ *driver, d *mock.Device) {
			d.GetMemoryInfo_v2Func = func() (nvmlapi.Memory_v2, nvmlapi.Return) {
				return nvmlapi.Memory_v2{}, nvmlapi.ERROR_ARGUMENT_VERSION_MISMATCH
			}
		}, nil, func(n facts.NVML) bool { return n.GPUs[0].Memory.TotalBytes == 24<<30 }},
		"memory fails": {func(_ *driver, d *mock.Device) {
			d.GetMemoryInfo_v2Func = func() (nvmlapi.Memory_v2, nvmlapi.Return) { return nvmlapi.Memory_v2{}, nvmlapi.ERROR_UNKNOWN }
			d.GetMemoryInfoFunc = func() (nvmlapi.Memory, nvmlapi.Return) { return nvmlapi.Memory{}, nvmlapi.ERROR_UNKNOWN }
		}, []string{"nvml.gpus GPU-a failed", "nvml.processes GPU-a failed"}, func(n facts.NVML) bool { return n.GPUs[0].State == "unreadable" }},
		"a mode is denied": {func(_ *driver, d *mock.Device) {
			d.GetComputeModeFunc = func() (nvmlapi.ComputeMode, nvmlapi.Return) { return 0, nvmlapi.ERROR_NO_PERMISSION }
		}, []string{"nvml.gpus GPU-a denied"}, func(n facts.NVML) bool { return n.GPUs[0].State == "ok" && n.GPUs[0].ComputeMode == "" }},
		"no compute list": {func(_ *driver, d *mock.Device) {
			d.GetComputeRunningProcessesFunc = noRows(nvmlapi.ERROR_NOT_SUPPORTED)
		}, []string{"nvml.processes GPU-a failed"}, nil},
		"no graphics, no MPS": {func(_ *driver, d *mock.Device) {
			d.GetGraphicsRunningProcessesFunc = noRows(nvmlapi.ERROR_NOT_SUPPORTED)
			d.GetMPSComputeRunningProcessesFunc = noRows(nvmlapi.ERROR_NOT_SUPPORTED)
		}, nil, nil},
		"lost while the processes are read": {func(_ *driver, d *mock.Device) {
			d.GetGraphicsRunningProcessesFunc = noRows(nvmlapi.ERROR_GPU_IS_LOST)
		}, []string{"nvml.gpus GPU-a failed", "nvml.processes GPU-a failed"}, func(n facts.NVML) bool { return n.GPUs[0].State == "unreadable" }},
		"a process of another namespace": {func(_ *driver, d *mock.Device) {
			d.GetComputeRunningProcessesFunc = rows(0, 41)
		}, []string{"nvml.processes GPU-a failed"}, func(n facts.NVML) bool { return len(n.Processes) == 1 }},
		"a zombie": {func(drv *driver, d *mock.Device) {
			drv.names = named("", nvmlapi.ERROR_NOT_FOUND)
			d.GetComputeRunningProcessesFunc = rows(41)
		}, nil, func(n facts.NVML) bool {
			return n.Processes[0].Name == "[Not Found]" && n.Processes[0].UsedMemoryBytes == nil
		}},
		"a driver older than the list of MPS clients": {func(drv *driver, d *mock.Device) {
			drv.lacks = []string{"nvmlDeviceGetMPSComputeRunningProcesses", "nvmlDeviceGetMPSComputeRunningProcesses_v2", "nvmlDeviceGetMPSComputeRunningProcesses_v3"}
			d.GetMPSComputeRunningProcessesFunc = nil
			d.GetComputeRunningProcessesFunc = rows(41)
		}, nil, nil},
		"such a driver with an MPS server": {func(drv *driver, d *mock.Device) {
			drv.lacks = []string{"nvmlDeviceGetMPSComputeRunningProcesses", "nvmlDeviceGetMPSComputeRunningProcesses_v2", "nvmlDeviceGetMPSComputeRunningProcesses_v3"}
			d.GetMPSComputeRunningProcessesFunc = nil
			drv.names = named("nvidia-cuda-mps-server", ok)
			d.GetComputeRunningProcessesFunc = rows(41)
		}, []string{"nvml.processes GPU-a failed"}, nil},
		"MIG whose processes are denied": {func(_ *driver, d *mock.Device) {
			d.GetMigModeFunc = func() (int, int, nvmlapi.Return) { return nvmlapi.DEVICE_MIG_ENABLE, 1, ok }
			d.GetMaxMigDeviceCountFunc = func() (int, nvmlapi.Return) { return 2, ok }
			d.GetMigDeviceHandleByIndexFunc = func(i int) (nvmlapi.Device, nvmlapi.Return) {
				if i > 0 {
					return nil, nvmlapi.ERROR_NOT_FOUND
				}
				m := healthy("MIG-a", "")
				m.GetNameFunc = func() (string, nvmlapi.Return) { return "NVIDIA A30", ok }
				m.GetGpuInstanceIdFunc = func() (int, nvmlapi.Return) { return 3, ok }
				m.GetComputeInstanceIdFunc = func() (int, nvmlapi.Return) { return 0, ok }
				m.GetAttributesFunc = func() (nvmlapi.DeviceAttributes, nvmlapi.Return) {
					return nvmlapi.DeviceAttributes{GpuInstanceSliceCount: 2, ComputeInstanceSliceCount: 1, MemorySizeMB: 11968}, ok
				}
				m.GetComputeRunningProcessesFunc = noRows(nvmlapi.ERROR_NO_PERMISSION)
				return m, ok
			}
		}, []string{"nvml.processes GPU-a denied"}, func(n facts.NVML) bool {
			m := n.GPUs[0].MIGDevices
			return len(m) == 1 && m[0].Profile == "1c.2g.12gb" && m[0].GPUInstanceID == 3 && n.GPUs[0].Utilization == nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			card := healthy("GPU-a", "00000000:31:00.0")
			d := &driver{version: "570.86.10", cards: []*mock.Device{card}, names: named("python3", ok)}
			c.change(d, card)
			s := d.read(t.Context())
			wantGaps(t, s, c.gaps...)
			if c.check != nil && !c.check(s.NVML) {
				t.Errorf("%+v", s.NVML)
			}
		})
	}
}

func TestACardWithoutHandle(t *testing.T) {
	d := &driver{version: "570.86.10", cards: []*mock.Device{nil, healthy("GPU-b", "00000000:32:00.0")}}
	s := d.read(t.Context())
	wantGaps(t, s, "nvml.gpus index-0 failed", "nvml.processes index-0 failed")
	if g := s.NVML.GPUs[1]; g.State != "unreadable" || g.Error != "NVML_ERROR_UNKNOWN" {
		t.Errorf("%+v", g)
	}
}

func TestTheSecondCardHangs(t *testing.T) {
	hanging := healthy("GPU-b", "00000000:32:00.0")
	hanging.GetNameFunc = func() (string, nvmlapi.Return) { select {} }
	d := &driver{version: "570.86.10", cards: []*mock.Device{healthy("GPU-a", "00000000:31:00.0"), hanging}}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s := d.read(ctx)
	wantGaps(t, s, "nvml.gpus  timeout", "nvml.processes  timeout")
	if len(s.NVML.GPUs) != 1 || s.NVML.GPUs[0].UUID != "GPU-a" || !strings.HasPrefix(s.Source.Gaps[0].Detail, "nvmlDeviceGetName of GPU 1 did not return") {
		t.Errorf("%+v", s)
	}
}

// TestDeadlineNeverLooksComplete ends the deadline at every call in turn.
func TestDeadlineNeverLooksComplete(t *testing.T) {
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		card := healthy("GPU-a", "00000000:31:00.0")
		d := &driver{version: "570.86.10", cards: []*mock.Device{card}}
		p := &progress{}
		api := d.api()
		s := &session{ctx: ctx, api: api, progress: p}
		looked := api.ExtensionsFunc
		api.ExtensionsFunc = func() nvmlapi.ExtendedInterface {
			if calls++; calls == n {
				cancel()
			}
			return looked()
		}
		s.read()
		r := p.result()
		if ctx.Err() == nil {
			cancel()
			if n < 10 {
				t.Fatalf("only %d calls were made", n)
			}
			return
		}
		// The last look-up is that of nvmlShutdown, when all has been read.
		got := sectionOf(r.result())
		if got.Source.Status == facts.StatusComplete && s.progress.call() != "nvmlShutdown" {
			t.Errorf("complete although the deadline came at look-up %d, after %s", n, s.progress.call())
		}
		cancel()
	}
}

func TestDriversWithOtherProcessRows(t *testing.T) {
	for version, bad := range map[string]bool{"535.54.03": true, "535.86.10": true, "535.98": false, "535.183.01": false, "535": false, "5350.1": false, "": false} {
		if got := unreliable(version) != nil; got != bad {
			t.Errorf("unreliable(%q) = %v", version, got)
		}
	}
	d := &driver{version: "535.54.03", cards: []*mock.Device{healthy("GPU-a", "00000000:31:00.0")}}
	if s := d.read(t.Context()); s.Source.Status != facts.StatusFailed || len(s.NVML.GPUs) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEveryCallIsLookedUp has a library that has nothing: nothing may be
// called but Init, whose presence is looked up before.
func TestEveryCallIsLookedUp(t *testing.T) {
	api := &mock.Interface{
		InitFunc: func() nvmlapi.Return { return ok },
		ExtensionsFunc: func() nvmlapi.ExtendedInterface {
			return &mock.ExtendedInterface{LookupSymbolFunc: func(string) error { return errors.New("no such symbol") }}
		},
	}
	p := &progress{}
	(&session{ctx: t.Context(), api: api, progress: p}).read()
	r := p.result()
	if r.trouble == nil || r.trouble.reason != facts.ReasonFailed {
		t.Errorf("%+v", r)
	}
	// And with what a card is found by alone, the card is asked nothing.
	found := []string{"nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2"}
	d := &driver{cards: []*mock.Device{{}}}
	api = d.api()
	api.ExtensionsFunc = func() nvmlapi.ExtendedInterface {
		return &mock.ExtendedInterface{LookupSymbolFunc: func(name string) error {
			if slices.Contains(found, name) {
				return nil
			}
			return errors.New("no such symbol")
		}}
	}
	p = &progress{}
	(&session{ctx: t.Context(), api: api, progress: p}).read()
	r = p.result()
	s := sectionOf(r.result())
	wantGaps(t, s, "nvml.gpus index-0 failed", "nvml.processes index-0 failed")
	if diff := cmp.Diff(1, len(s.NVML.GPUs)); diff != "" {
		t.Error(diff)
	}
}
