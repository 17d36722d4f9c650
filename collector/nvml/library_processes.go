//go:build cgo

package nvml

import (
	"fmt"
	"strings"

	nvmlapi "github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpugate/gpugate/collector/facts"
)

// list is one of the three lists of processes of a card.
type list struct {
	function function
	kind     string
	ask      func(nvmlapi.Device) ([]nvmlapi.ProcessInfo, nvmlapi.Return)
}

func lists() []list {
	return []list{
		{function{"nvmlDeviceGetComputeRunningProcesses", 3}, "C", nvmlapi.Device.GetComputeRunningProcesses},
		{function{"nvmlDeviceGetGraphicsRunningProcesses", 3}, "G", nvmlapi.Device.GetGraphicsRunningProcesses},
		{function{"nvmlDeviceGetMPSComputeRunningProcesses", 3}, "M", nvmlapi.Device.GetMPSComputeRunningProcesses},
	}
}

// processes reads the lists of the card; those of MIG instances were read with
// them.
func (q question) processes() {
	q.listsOf(q.dev, nil)
	q.c.nameProcesses(q.s)
	if !q.s.can(lists()[2].function) && q.c.mayUseMPS() {
		q.blind(lists()[2].function, nvmlapi.ERROR_FUNCTION_NOT_FOUND)
	}
}

// listsOf reads all lists of the card, or of one of its MIG instances.
func (q question) listsOf(dev nvmlapi.Device, m *migDevice) {
	for _, l := range lists() {
		rows, ret := ask(q.s, l.function, func() ([]nvmlapi.ProcessInfo, nvmlapi.Return) { return l.ask(dev) })
		if ret != nvmlapi.SUCCESS {
			q.missingList(l, m, ret)
			continue
		}
		for _, row := range rows {
			p := process{
				pid: uint64(row.Pid), kinds: l.kind, usedMemoryBytes: new(row.UsedGpuMemory),
				gpuInstanceID: new(uint64(row.GpuInstanceId)), computeInstanceID: new(uint64(row.ComputeInstanceId)),
			}
			if m != nil {
				p.gpuInstanceID, p.computeInstanceID = m.gpuInstanceID, m.computeInstanceID
			}
			q.c.processes = append(q.c.processes, p)
		}
	}
}

// missingList decides what it means that a list is not told. A card may know
// no graphics and no Multi-Process Service; but one that does not tell who
// computes on it has not said that nobody does. Drivers older than the list of
// MPS clients have none; see [card.mayUseMPS].
func (q question) missingList(l list, m *migDevice, ret nvmlapi.Return) {
	switch {
	case isLost(ret):
		q.note(l.function, optional, ret)
	case isNone(ret) && m != nil:
		// The card's own lists cover its instances.
	case ret == nvmlapi.ERROR_FUNCTION_NOT_FOUND && l.kind == "M":
	case ret == nvmlapi.ERROR_NOT_SUPPORTED && l.kind != "C":
	default:
		q.blind(l.function, ret)
	}
}

func (q question) blind(f function, ret nvmlapi.Return) {
	q.c.blind = append(q.c.blind, fault{what: f.name, words: codeName(ret), reason: reasonOfCode(ret)})
}

// mayUseMPS reports whether clients of the Multi-Process Service may use the
// card: its server does, or a process whose name is not known may be it.
func (c *card) mayUseMPS() bool {
	for _, p := range c.processes {
		if p.name == "" || isExcuse(p.name) || strings.Contains(p.name, "nvidia-cuda-mps") {
			return true
		}
	}
	return false
}

// nameProcesses asks for the name of each process once. In the place of one
// that is not told stand the words nvidia-smi would print.
func (c *card) nameProcesses(s *session) {
	names := map[uint64]string{}
	for i := range c.processes {
		p := &c.processes[i]
		name, asked := names[p.pid]
		if !asked && p.pid != 0 {
			var ret nvmlapi.Return
			name, ret = ask(s, function{"nvmlSystemGetProcessName", 1}, func() (string, nvmlapi.Return) {
				return s.api.SystemGetProcessName(int(p.pid))
			})
			switch ret {
			case nvmlapi.SUCCESS:
			case nvmlapi.ERROR_NOT_FOUND:
				name = "[Not Found]"
			case nvmlapi.ERROR_NO_PERMISSION:
				name = "[Insufficient Permissions]"
			case nvmlapi.ERROR_FUNCTION_NOT_FOUND, nvmlapi.ERROR_NOT_SUPPORTED:
				name = ""
			default:
				name = "[Unknown Error]"
			}
			names[p.pid] = name
		}
		p.name = name
	}
}

// maxMIGDevices bounds the count of a library that tells nonsense.
const maxMIGDevices = 64

// mig reads the mode and the devices with the processes of their instances: the
// card's own lists hold them only for privileged callers.
func (q question) mig() {
	f := function{"nvmlDeviceGetMigMode", 1}
	mode, ret := ask2(q.s, f, q.dev.GetMigMode)
	if ret != nvmlapi.SUCCESS {
		q.note(f, optional, ret)
		return
	}
	if mode.a != nvmlapi.DEVICE_MIG_ENABLE {
		q.c.mig = "disabled"
		return
	}
	q.c.mig = "enabled"
	byIndex := function{"nvmlDeviceGetMigDeviceHandleByIndex", 1}
	count, ok := get(q, function{"nvmlDeviceGetMaxMigDeviceCount", 1}, optional, q.dev.GetMaxMigDeviceCount)
	if !ok || !q.s.can(byIndex) {
		q.c.faults = append(q.c.faults, fault{what: "MIG", words: "the card is in MIG mode and its MIG devices are not told", reason: facts.ReasonFailed})
		return
	}
	for i := range min(count, maxMIGDevices) {
		handle, ret := ask(q.s, byIndex, func() (nvmlapi.Device, nvmlapi.Return) { return q.dev.GetMigDeviceHandleByIndex(i) })
		switch ret {
		case nvmlapi.SUCCESS:
			q.migDevice(i, handle)
		case nvmlapi.ERROR_NOT_FOUND, nvmlapi.ERROR_INVALID_ARGUMENT:
			// No device at this place.
		default:
			q.note(byIndex, optional, ret)
			q.blind(byIndex, ret)
		}
	}
}

func (q question) migDevice(index int, dev nvmlapi.Device) {
	m := migDevice{index: index}
	m.uuid, _ = get(q, function{"nvmlDeviceGetUUID", 1}, optional, dev.GetUUID)
	if id, ok := get(q, function{"nvmlDeviceGetGpuInstanceId", 1}, optional, dev.GetGpuInstanceId); ok && id >= 0 {
		m.gpuInstanceID = new(uint64(id))
	}
	if id, ok := get(q, function{"nvmlDeviceGetComputeInstanceId", 1}, optional, dev.GetComputeInstanceId); ok && id >= 0 {
		m.computeInstanceID = new(uint64(id))
	}
	if name, ok := get(q, function{"nvmlDeviceGetName", 1}, optional, dev.GetName); ok {
		_, m.profile, _ = strings.Cut(name, " MIG ")
	}
	if mem, ok := get(q, function{"nvmlDeviceGetMemoryInfo", 1}, optional, dev.GetMemoryInfo); ok {
		m.memoryTotalBytes, m.memoryUsedBytes = &mem.Total, &mem.Used
	}
	if m.profile == "" {
		q.profileByAttributes(&m, dev)
	}
	q.c.migDevices = append(q.c.migDevices, m)
	q.listsOf(dev, &q.c.migDevices[len(q.c.migDevices)-1])
}

// profileByAttributes names the profile by the size of the device, as older
// drivers do not name it.
func (q question) profileByAttributes(m *migDevice, dev nvmlapi.Device) {
	a, ok := get(q, function{"nvmlDeviceGetAttributes", 2}, optional, dev.GetAttributes)
	if !ok || a.GpuInstanceSliceCount == 0 {
		return
	}
	gib := (a.MemorySizeMB + 1023) / 1024
	m.profile = fmt.Sprintf("%dg.%dgb", a.GpuInstanceSliceCount, gib)
	if a.ComputeInstanceSliceCount < a.GpuInstanceSliceCount {
		m.profile = fmt.Sprintf("%dc.%s", a.ComputeInstanceSliceCount, m.profile)
	}
}
