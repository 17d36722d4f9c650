package collector

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/capture"
)

// Identity is what this host calls itself: what a source that speaks of many
// hosts is searched by.
type Identity struct {
	// Names are host names, with or without a domain.
	Names []string
	// Addresses are the IP addresses of the host's own interfaces. None means
	// not known.
	Addresses []string
}

// LocalIdentity asks the running system.
func LocalIdentity() (Identity, error) {
	var id Identity
	name, err := os.Hostname()
	if err != nil {
		return id, fmt.Errorf("reading the host name: %w", err)
	}
	id.Names = []string{name}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return id, fmt.Errorf("reading the addresses of the host's interfaces: %w", err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok {
			id.Addresses = append(id.Addresses, n.IP.String())
		}
	}
	return id, nil
}

// addressesFile of a capture holds the host's addresses in any form that has
// them as words: hostname -I, ip -o address.
const addressesFile = "host/addresses"

// CaptureIdentity is the identity of the host a capture was taken on: its host
// name, and its addresses where the capture tells them.
func CaptureIdentity(dir *capture.Dir) Identity {
	var id Identity
	if dir.Meta.Hostname != "" {
		id.Names = []string{dir.Meta.Hostname}
	}
	text, err := dir.Read(addressesFile)
	if err != nil {
		return id
	}
	for word := range strings.FieldsSeq(string(text)) {
		word, _, _ = strings.Cut(word, "/")
		if a, err := netip.ParseAddr(word); err == nil && !slices.Contains(id.Addresses, a.String()) {
			id.Addresses = append(id.Addresses, a.String())
		}
	}
	return id
}

// KnowsAddresses reports whether any address is known by which this host could
// be told from others.
func (id Identity) KnowsAddresses() bool {
	return slices.ContainsFunc(id.Addresses, func(a string) bool { _, ok := telling(a); return ok })
}

// HasAddress reports whether the address is one of this host's.
func (id Identity) HasAddress(address string) bool {
	wanted, ok := telling(address)
	return ok && slices.ContainsFunc(id.Addresses, func(a string) bool {
		own, ok := telling(a)
		return ok && own == wanted
	})
}

// HasName reports whether the name is one of this host's. Letter case does not
// matter, nor does a domain that only one of the two names carries.
func (id Identity) HasName(name string) bool {
	return slices.ContainsFunc(id.Names, func(own string) bool { return sameName(own, name) })
}

func sameName(a, b string) bool {
	if a == "" || b == "" || strings.EqualFold(a, "localhost") {
		return false
	}
	shortA, _, domainA := strings.Cut(a, ".")
	shortB, _, domainB := strings.Cut(b, ".")
	if domainA != domainB && shortA != "" && !isAddress(a) && !isAddress(b) {
		return strings.EqualFold(shortA, shortB)
	}
	return strings.EqualFold(a, b)
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// telling parses an address that tells hosts apart: not a loopback or
// link-local one, which every host has.
func telling(address string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.TrimSpace(address))
	if err != nil {
		return a, false
	}
	a = a.Unmap().WithZone("")
	return a, a.IsValid() && !a.IsUnspecified() && !a.IsLoopback() && !a.IsLinkLocalUnicast()
}
