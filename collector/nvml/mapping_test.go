package nvml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestBusID(t *testing.T) {
	for in, want := range map[string]string{
		"0000:C1:00.0":     "00000000:c1:00.0",
		"GPU0000:A1:00.0":  "00000000:a1:00.0",
		"GPU 0000:A1:00.0": "00000000:a1:00.0",
		"PCI:0000:a1:00":   "00000000:a1:00.0",
		"00000000:C1:00.0": "00000000:c1:00.0",
		"0001ABCD:C1:1F.7": "0001abcd:c1:1f.7",
		"c1:00.0":          "00000000:c1:00.0",
		"":                 "",
		" Somewhere ":      "somewhere",
	} {
		if got := busID(in); got != want {
			t.Errorf("busID(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestProcesses(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	none := n(noInstance)
	for name, c := range map[string]struct {
		rows []process
		want []facts.GPUProcess
	}{
		"the same process in two lists is one": {
			[]process{{pid: 7, kinds: "C", name: "blender", usedMemoryBytes: n(100)}, {pid: 7, kinds: "G", usedMemoryBytes: n(120)}},
			[]facts.GPUProcess{{GPU: "g", PID: 7, Type: "compute+graphics", Name: "blender", UsedMemoryBytes: new(int64(120))}},
		},
		"an MPS client is one, whatever else it is": {
			[]process{{pid: 7, kinds: "C"}, {pid: 7, kinds: "M"}, {pid: 7, kinds: "G"}},
			[]facts.GPUProcess{{GPU: "g", PID: 7, Type: "mps"}},
		},
		"the card's list and the instance's tell of one process": {
			[]process{
				{pid: 7, kinds: "C", usedMemoryBytes: n(100), gpuInstanceID: n(3), computeInstanceID: n(0)},
				{pid: 7, kinds: "C", usedMemoryBytes: n(300), gpuInstanceID: none, computeInstanceID: none},
				{pid: 7, kinds: "C", usedMemoryBytes: n(200), gpuInstanceID: n(4), computeInstanceID: n(1)},
				{pid: 7, kinds: "C", usedMemoryBytes: n(100), gpuInstanceID: n(3), computeInstanceID: none},
			},
			[]facts.GPUProcess{
				{GPU: "g", PID: 7, Type: "compute", UsedMemoryBytes: new(int64(100)), GPUInstanceID: new(3), ComputeInstanceID: new(0)},
				{GPU: "g", PID: 7, Type: "compute", UsedMemoryBytes: new(int64(200)), GPUInstanceID: new(4), ComputeInstanceID: new(1)},
			},
		},
		"memory that is not told is no number": {
			[]process{{pid: 7, kinds: "C", usedMemoryBytes: n(notAvailable), gpuInstanceID: none, computeInstanceID: none}},
			[]facts.GPUProcess{{GPU: "g", PID: 7, Type: "compute"}},
		},
		"a better name replaces an excuse, and secrets go": {
			[]process{{pid: 7, kinds: "C", name: "[Not Found]"}, {pid: 7, kinds: "G", name: "python serve.py --token abcdef --port 1"}},
			[]facts.GPUProcess{{GPU: "g", PID: 7, Type: "compute+graphics", Name: "python serve.py --token [redacted] --port 1"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			card := card{processes: c.rows}
			got, blind := card.mapProcesses("g")
			if diff := cmp.Diff(c.want, got); diff != "" || len(blind) > 0 {
				t.Errorf("(-want +got):\n%s %v", diff, blind)
			}
		})
	}
	card := card{processes: []process{{pid: 0, kinds: "C"}}}
	if got, blind := card.mapProcesses("g"); len(got) != 0 || len(blind) != 1 {
		t.Errorf("a process without a PID: %v %v", got, blind)
	}
}

func TestIDs(t *testing.T) {
	s := snapshot{cards: []card{
		{uuid: "GPU-1", pci: "0000:01:00.0", index: new(0)},
		{uuid: "GPU-1", pci: "0000:02:00.0", index: new(1)},
		{index: new(2), faults: []fault{{words: "NVML_ERROR_GPU_IS_LOST", reason: facts.ReasonFailed, fatal: true}}},
		{},
	}}
	n, gaps := s.facts()
	var ids []string
	for _, g := range n.GPUs {
		ids = append(ids, g.UUID+" "+g.State)
	}
	if diff := cmp.Diff([]string{"GPU-1 ok", "PCI-00000000:02:00.0 ok", "index-2 unreadable", "unknown-3 ok"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(gaps) != 4 {
		t.Errorf("%d gaps: %+v", len(gaps), gaps)
	}
}

func TestPlaceOnBus(t *testing.T) {
	bus := []pciDevice{{"0000:01:00.0", "nvidia"}, {"0000:02:00.0", "nvidia"}, {"0000:41:00.0", "vfio-pci"}}
	lost := []fault{{words: "NVML_ERROR_GPU_IS_LOST", reason: facts.ReasonFailed, fatal: true}}
	t.Run("a lost card stands where the others do not", func(t *testing.T) {
		s := snapshot{cards: []card{{pci: "00000000:01:00.0"}, {index: new(1), faults: lost}}}
		s.placeOnBus(bus[:2])
		if len(s.cards) != 2 || s.cards[1].pci != "0000:02:00.0" {
			t.Errorf("%+v", s.cards)
		}
	})
	t.Run("a card the driver does not list is listed as unreadable", func(t *testing.T) {
		s := snapshot{cards: []card{{uuid: "a", pci: "00000000:01:00.0"}, {uuid: "b", pci: "00000000:02:00.0"}}}
		s.placeOnBus(bus)
		n, gaps := s.facts()
		if len(n.GPUs) != 3 || n.GPUs[2].State != "unreadable" || n.GPUs[2].Index != nil || !strings.Contains(n.GPUs[2].Error, "vfio-pci") {
			t.Errorf("%+v", n.GPUs)
		}
		if len(gaps) != 2 || gaps[0].Item != "PCI-00000000:41:00.0" {
			t.Errorf("%+v", gaps)
		}
	})
	t.Run("of two candidates none is chosen", func(t *testing.T) {
		s := snapshot{cards: []card{{pci: "00000000:01:00.0"}, {index: new(1), faults: lost}}}
		s.placeOnBus(bus)
		if len(s.cards) != 2 || s.cards[1].pci != "" {
			t.Errorf("%+v", s.cards)
		}
	})
}

func TestNumberCards(t *testing.T) {
	at := func(ids ...string) []card {
		var cards []card
		for _, id := range ids {
			cards = append(cards, card{pci: id})
		}
		return cards
	}
	for name, c := range map[string]struct {
		listed, lost []card
		want         []int
	}{
		"in order":                   {at("0000:01:00.0", "0000:02:00.0"), nil, []int{0, 1}},
		"a told index is left out":   {at("0000:01:00.0", "0000:03:00.0"), []card{{index: new(1)}}, []int{0, 2}},
		"by the bus":                 {at("0000:01:00.0", "0000:03:00.0"), at("0000:02:00.0"), []int{0, 2}},
		"not if others are shuffled": {at("0000:03:00.0", "0000:01:00.0"), at("0000:02:00.0"), nil},
		"not without a place":        {at("0000:01:00.0"), []card{{}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			ok := numberCards(c.listed, c.lost)
			var got []int
			for _, card := range c.listed {
				if card.index != nil {
					got = append(got, *card.index)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" || ok != (c.want != nil) {
				t.Errorf("%v (-want +got):\n%s", ok, diff)
			}
		})
	}
}
