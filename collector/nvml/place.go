package nvml

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// busPattern finds a PCI bus id in any of its spellings: 0000:C1:00.0,
// GPU0000:A1:00.0, PCI:0000:a1:00, 00000000:c1:00.0, c1:00.0.
const busPattern = `(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}(?:\.[0-7])?`

var busRegexp = regexp.MustCompile(`^(?:GPU|PCI|gpu|pci)?[:-]?\s*(?:([0-9A-Fa-f]{4,8}):)?([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})(?:\.([0-7]))?$`)

// busID brings a PCI bus id into one form, the one of nvidia-smi in lower case
// and with a domain of eight digits: 00000000:c1:00.0. Anything else is
// returned cleaned and in lower case, so that it still is one name.
func busID(s string) string {
	m := busRegexp.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return strings.ToLower(clean(s))
	}
	function := m[4]
	if function == "" {
		function = "0"
	}
	return strings.ToLower(fmt.Sprintf("%08s:%s:%s.%s", m[1], m[2], m[3], function))
}

// numberCards gives each card its index where nvidia-smi tells none: it lists
// the cards in the order of their index, and a lost card takes a place too.
// It reports false when the places cannot be known; then no card has an index,
// for a wrong one would make a reference mean another card.
func numberCards(listed, lost []card) bool {
	all := make([]*card, 0, len(listed)+len(lost))
	for i := range listed {
		all = append(all, &listed[i])
	}
	told := map[int]bool{}
	nameless := false
	for i := range lost {
		all = append(all, &lost[i])
		if lost[i].index == nil {
			nameless = true
			continue
		}
		told[*lost[i].index] = true
	}
	if nameless {
		return numberByBus(all, len(listed))
	}
	next := 0
	for i := range listed {
		for told[next] {
			next++
		}
		listed[i].index = new(next)
		next++
	}
	return true
}

// numberByBus numbers the cards by their place on the bus, which is NVML's
// order, if the listed ones are indeed in that order.
func numberByBus(all []*card, listed int) bool {
	byBus := func(a, b *card) int { return cmp.Compare(busID(a.pci), busID(b.pci)) }
	ok := slices.IsSortedFunc(all[:listed], byBus) && !slices.ContainsFunc(all, func(c *card) bool { return c.pci == "" })
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, byBus)
	for i, c := range sorted {
		ok = ok && (c.index == nil || *c.index == i)
	}
	if !ok {
		return false
	}
	for i, c := range sorted {
		c.index = new(i)
	}
	return true
}

// placeOnBus completes the cards with what the PCI bus shows: the place of
// cards that did not tell theirs, and cards the driver does not list at all.
// Those may be lost, given to a virtual machine, or hidden from a container:
// in any case nobody here can say who uses them.
func (s *snapshot) placeOnBus(bus []pciDevice) {
	free := slices.DeleteFunc(slices.Clone(bus), func(d pciDevice) bool {
		return slices.ContainsFunc(s.cards, func(c card) bool { return c.pci != "" && busID(c.pci) == busID(d.id) })
	})
	var placeless []*card
	for i := range s.cards {
		if s.cards[i].pci == "" {
			placeless = append(placeless, &s.cards[i])
		}
	}
	if len(placeless) > 0 && len(placeless) == len(free) {
		for i, c := range placeless {
			c.pci = free[i].id
		}
		return
	}
	if len(placeless) > 0 {
		// Which of them stands where is not known, so none is listed twice.
		return
	}
	for _, d := range free {
		words := "the PCI bus shows this card, the NVIDIA driver does not list it"
		if d.driver != "" && d.driver != "nvidia" {
			words += "; it is bound to " + d.driver
		}
		s.cards = append(s.cards, card{pci: d.id, faults: []fault{{words: words, reason: facts.ReasonFailed, fatal: true}}})
	}
}
