package host

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// ownAddress gives an address its one form. Loopback and link-local ones are
// every host's and tell nothing.
func ownAddress(a netip.Addr) (string, bool) {
	a = a.Unmap().WithZone("")
	return a.String(), a.IsValid() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && !a.IsUnspecified()
}

// parseAddresses reads hostname -I, or one address a line. Words that are no
// addresses are passed over, so that ip -o address will do as well; a file
// without any address is an error.
func parseAddresses(file, text string) ([]string, error) {
	var list []string
	any := false
	for word := range strings.FieldsSeq(text) {
		word, _, _ = strings.Cut(word, "/")
		a, err := netip.ParseAddr(word)
		if err != nil {
			continue
		}
		any = true
		if s, ok := ownAddress(a); ok {
			list = append(list, s)
		}
	}
	if !any {
		return nil, fmt.Errorf("%s holds no IP address", file)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// setAddresses is the section of the addresses.
func setAddresses(list []string, gaps []facts.Gap) part {
	return part{set: func(h *facts.Host) { h.Addresses = list }, gaps: gaps}
}
