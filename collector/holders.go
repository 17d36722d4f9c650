package collector

import (
	"context"
	"slices"

	"github.com/gpugate/gpugate/collector/facts"
)

// HolderReader reads the processes that hold a GPU. It runs after the sources,
// since only the driver knows which they are.
type HolderReader interface {
	// Processes reads the processes with these PIDs; one that cannot be read
	// is listed with what is known and a gap at host.processes.
	Processes(ctx context.Context, pids []int) ([]facts.Process, []facts.Gap)
	// DeviceHolders finds the processes that have an NVIDIA device node open;
	// what could not be looked at is a gap at host.deviceHolders.
	DeviceHolders(ctx context.Context) ([]facts.DeviceHolder, []facts.Gap)
}

// addHolders reads the processes the driver names and, where the driver does
// not explain the use of every card, those with an open device node.
func addHolders(ctx context.Context, d *facts.Document, r HolderReader, o Options) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	host := d.Source(facts.SourceHost)
	pids := map[int]bool{}
	for _, p := range d.NVML.Processes {
		pids[p.PID] = true
	}
	if needsDeviceHolders(d) {
		holders, gaps := r.DeviceHolders(ctx)
		d.Host.DeviceHolders = holders
		for _, g := range gaps {
			host.AddGap(g)
		}
		for _, h := range holders {
			for _, pid := range h.PIDs {
				pids[pid] = true
			}
		}
	}
	processes, gaps := r.Processes(ctx, sortedKeys(pids))
	d.Host.Processes = processes
	for _, g := range gaps {
		host.AddGap(g)
	}
	d.SetSource(host)
}

// needsDeviceHolders reports whether some card may be used by a process the
// driver does not list.
func needsDeviceHolders(d *facts.Document) bool {
	if report := d.Source(facts.SourceNVML); report.Status == facts.StatusAbsent && len(report.Gaps) == 0 {
		return false
	}
	if len(d.NVML.GPUs) == 0 {
		return true
	}
	return slices.ContainsFunc(d.NVML.GPUs, func(g facts.GPU) bool {
		return !slices.ContainsFunc(d.NVML.Processes, func(p facts.GPUProcess) bool { return p.GPU == g.UUID })
	})
}

func sortedKeys(m map[int]bool) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
