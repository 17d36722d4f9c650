package nvml

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// mapProcesses turns the rows of a card into facts. A process that stands in
// several lists of the card is one process; what cannot be a process is told
// as a fault.
func (c *card) mapProcesses(gpu string) ([]facts.GPUProcess, []fault) {
	var blind []fault
	var rows []process
	for _, p := range c.processes {
		if p.pid == 0 || p.pid > math.MaxInt32 {
			blind = append(blind, fault{what: "processes", words: fmt.Sprintf("a process uses the card whose PID cannot be seen from here (%d)", p.pid), reason: facts.ReasonFailed})
			continue
		}
		rows = append(rows, p)
	}
	var found []facts.GPUProcess
	for _, p := range mergeRows(rows) {
		found = append(found, facts.GPUProcess{
			GPU: gpu, PID: int(p.pid), Type: processType(p.kinds), Name: processName(p.name),
			UsedMemoryBytes: bytesOf(p.usedMemoryBytes),
			GPUInstanceID:   instanceOf(p.gpuInstanceID), ComputeInstanceID: instanceOf(p.computeInstanceID),
		})
	}
	return found, blind
}

// mergeRows makes one row of each process and MIG instance. A row that does not
// name its instance belongs to the rows of the same process that do: the card's own
// list and those of its instances tell of the same process.
func mergeRows(rows []process) []process {
	type key struct{ pid, gi, ci uint64 }
	merged := map[key]process{}
	place := func(p process) key {
		k := key{p.pid, noInstance, noInstance}
		if id := instanceOf(p.gpuInstanceID); id != nil {
			k.gi = uint64(*id)
		}
		if id := instanceOf(p.computeInstanceID); id != nil {
			k.ci = uint64(*id)
		}
		return k
	}
	add := func(k key, p process) {
		if m, ok := merged[k]; ok {
			p = join(m, p)
		}
		merged[k] = p
	}
	isWhole := func(k key) bool { return k.gi != noInstance && k.ci != noInstance }
	var homeless []process
	for _, p := range rows {
		if k := place(p); isWhole(k) {
			add(k, p)
		} else {
			homeless = append(homeless, p)
		}
	}
	for _, p := range homeless {
		of, placed := place(p), false
		for k, m := range merged {
			if k.pid == of.pid && isWhole(k) && (of.gi == noInstance || of.gi == k.gi) {
				p.usedMemoryBytes = nil // a sum over instances, not this one's
				merged[k], placed = join(m, p), true
			}
		}
		if !placed {
			add(of, p)
		}
	}
	out := make([]process, 0, len(merged))
	for _, p := range merged {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b process) int {
		ka, kb := place(a), place(b)
		return cmp.Or(cmp.Compare(ka.pid, kb.pid), cmp.Compare(ka.gi, kb.gi), cmp.Compare(ka.ci, kb.ci))
	})
	return out
}

// join makes one row of two about the same process. Both tell the memory of
// the whole process, so it is the larger one and not the sum.
func join(a, b process) process {
	a.kinds += b.kinds
	if a.name == "" || isExcuse(a.name) && b.name != "" {
		a.name = b.name
	}
	switch am, bm := bytesOf(a.usedMemoryBytes), bytesOf(b.usedMemoryBytes); {
	case am == nil, bm != nil && *bm > *am:
		a.usedMemoryBytes = b.usedMemoryBytes
	}
	return a
}

// processType names the use. A client or server of the Multi-Process Service
// is "mps" whatever else it does: who the use belongs to is decided by that.
// Letters nobody knows yet count as compute, so that no user is overlooked.
func processType(kinds string) string {
	switch {
	case strings.Contains(kinds, "M"):
		return "mps"
	case strings.Contains(kinds, "G") && strings.Contains(kinds, "C"):
		return "compute+graphics"
	case strings.Contains(kinds, "G"):
		return "graphics"
	}
	return "compute"
}

// processName removes the secrets: newer drivers tell the whole command line.
func processName(name string) string {
	return clean(strings.Join(redact.Args(strings.Fields(name)), " "))
}

// isExcuse reports whether the driver gave words in the place of a name.
func isExcuse(name string) bool {
	return slices.Contains([]string{"Unknown Error", "Not Found", "N/A", "Insufficient Permissions"}, strings.Trim(name, "[] "))
}
