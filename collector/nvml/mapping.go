package nvml

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/gpugate/gpugate/collector/facts"
)

// Paths of the parts of the document this source fills.
const (
	pathAll       = facts.SourceNVML
	pathGPUs      = "nvml.gpus"
	pathProcesses = "nvml.processes"
)

// maxTextRunes bounds the names a driver (or a hostile process) tells.
const maxTextRunes = 512

// facts turns what the driver said into the section and the gaps it leaves.
func (s *snapshot) facts() (facts.NVML, []facts.Gap) {
	n := facts.NVML{
		DriverVersion: clean(s.driverVersion),
		NVMLVersion:   clean(s.nvmlVersion),
		CUDAVersion:   clean(s.cudaVersion),
		GPUs:          []facts.GPU{},
		Processes:     []facts.GPUProcess{},
	}
	gaps := append([]facts.Gap{}, s.gaps...)
	taken := map[string]bool{}
	for i := range s.cards {
		c := s.cards[i]
		id := c.id(i)
		if taken[id] {
			c.faults = append(c.faults, fault{what: "uuid", words: fmt.Sprintf("another card has the same one, %s", id), reason: facts.ReasonFailed})
			c.uuid = ""
			if id = c.id(i); taken[id] {
				id = fmt.Sprintf("%s-%d", id, i)
			}
		}
		taken[id] = true
		if _, lost := c.fatalFault(); clean(c.uuid) == "" && !lost {
			c.faults = append(c.faults, fault{what: "uuid", words: "the card tells none, so no workload that names its GPU by UUID can be matched to it", reason: facts.ReasonFailed})
		}
		processes, blind := c.mapProcesses(id)
		c.blind = append(c.blind, blind...)
		n.GPUs = append(n.GPUs, c.fact(id))
		n.Processes = append(n.Processes, processes...)
		gaps = append(gaps, c.gaps(id)...)
	}
	return n, gaps
}

// id is the stable name of the card at the given place of the list.
func (c *card) id(place int) string {
	switch uuid := clean(c.uuid); {
	case uuid != "":
		return uuid
	case c.pci != "":
		return "PCI-" + busID(c.pci)
	case c.index != nil:
		return fmt.Sprintf("index-%d", *c.index)
	}
	return fmt.Sprintf("unknown-%d", place)
}

func (c *card) fact(id string) facts.GPU {
	g := facts.GPU{
		UUID:              id,
		Index:             c.index,
		PCIBusID:          busID(c.pci),
		MinorNumber:       c.minor,
		Name:              clean(c.name),
		State:             "ok",
		Architecture:      clean(c.architecture),
		ComputeCapability: clean(c.capability),
		Memory:            c.memory.fact(),
		ComputeMode:       c.computeMode,
		PersistenceMode:   c.persistence,
		MIGMode:           c.mig,
		MIGDevices:        []facts.MIGDevice{},
		ECC:               c.ecc,
		NVLinks:           []facts.NVLink{},
		NVLinksKnown:      c.nvLinksKnown,
	}
	if f, is := c.fatalFault(); is {
		g.State, g.Error = "unreadable", clean(f.words)
	}
	// In MIG mode the card has no load of its own; a 0 there says nothing.
	if c.mig != "enabled" && isPercent(c.gpuPercent) && isPercent(c.memoryPercent) {
		g.Utilization = &facts.GPUUtilization{GPUPercent: int(*c.gpuPercent), MemoryPercent: int(*c.memoryPercent)}
	}
	for _, m := range c.migDevices {
		if d, ok := m.fact(); ok {
			g.MIGDevices = append(g.MIGDevices, d)
		}
	}
	for _, l := range c.nvLinks {
		l.RemotePCIID = busID(l.RemotePCIID)
		g.NVLinks = append(g.NVLinks, l)
	}
	return g
}

func (m memory) fact() *facts.GPUMemory {
	total := bytesOf(m.total)
	if total == nil {
		return nil
	}
	f := &facts.GPUMemory{TotalBytes: *total, UsedBytes: bytesOf(m.used), FreeBytes: bytesOf(m.free)}
	if r := bytesOf(m.reserved); r != nil {
		f.ReservedBytes = *r
	}
	return f
}

func (m migDevice) fact() (facts.MIGDevice, bool) {
	gi, ci := instanceOf(m.gpuInstanceID), instanceOf(m.computeInstanceID)
	if gi == nil || ci == nil {
		return facts.MIGDevice{}, false
	}
	f := facts.MIGDevice{
		UUID: clean(m.uuid), Index: m.index, GPUInstanceID: *gi, ComputeInstanceID: *ci,
		Profile: clean(m.profile), MemoryUsedBytes: bytesOf(m.memoryUsedBytes),
	}
	if total := bytesOf(m.memoryTotalBytes); total != nil {
		f.MemoryTotalBytes = *total
	}
	return f, true
}

// gaps are what is not known of the card: one a part and reason.
func (c *card) gaps(id string) []facts.Gap {
	faults, blind := c.faults, c.blind
	for _, m := range c.migDevices {
		if _, ok := m.fact(); !ok {
			faults = append(faults, fault{what: fmt.Sprintf("MIG device %d", m.index), words: "its instance ids are not told", reason: facts.ReasonFailed})
		}
	}
	if f, is := c.fatalFault(); is {
		blind = append([]fault{{what: "the card does not answer", words: f.words, reason: f.reason}}, blind...)
	}
	return append(c.group(pathGPUs, id, faults), c.group(pathProcesses, id, blind)...)
}

// maxFaultsTold bounds the faults one gap lists; the first ones say enough.
const maxFaultsTold = 4

// group makes one gap of all faults with the same reason, in their order.
func (c *card) group(path, id string, faults []fault) []facts.Gap {
	var gaps []facts.Gap
	told := map[facts.Reason]int{}
	for _, f := range faults {
		said := clean(f.String())
		told[f.reason]++
		if told[f.reason] == 1 {
			gaps = append(gaps, facts.Gap{Path: path, Item: id, Reason: f.reason, Detail: fmt.Sprintf("%s: %s", c.place(), said)})
			continue
		}
		for i := range gaps {
			if gaps[i].Reason != f.reason || strings.Contains(gaps[i].Detail, said) {
				continue
			}
			switch {
			case told[f.reason] <= maxFaultsTold:
				gaps[i].Detail += "; " + said
			case told[f.reason] == maxFaultsTold+1:
				gaps[i].Detail += "; and more"
			}
		}
	}
	return gaps
}

// place names the card for people.
func (c *card) place() string {
	switch {
	case c.index != nil && c.pci != "":
		return fmt.Sprintf("GPU %d at %s", *c.index, busID(c.pci))
	case c.index != nil:
		return fmt.Sprintf("GPU %d", *c.index)
	case c.pci != "":
		return "the GPU at " + busID(c.pci)
	case c.uuid != "":
		return clean(c.uuid)
	}
	return "a GPU that tells neither index nor place"
}

// bytesOf returns an amount the document can hold.
func bytesOf(v *uint64) *int64 {
	if v == nil || *v == notAvailable || *v > math.MaxInt64 {
		return nil
	}
	b := int64(*v)
	return &b
}

// instanceOf returns the id of a MIG instance, nil where there is none.
func instanceOf(v *uint64) *int {
	if v == nil || *v >= noInstance {
		return nil
	}
	id := int(*v)
	return &id
}

func isPercent(v *uint64) bool { return v != nil && *v <= 100 }

// clean makes a text of the driver fit to stand in the document.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.TrimSpace(s)
	if runes := []rune(s); len(runes) > maxTextRunes {
		s = string(runes[:maxTextRunes]) + "…"
	}
	return s
}
