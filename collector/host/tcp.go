package host

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// socket is one listening socket of /proc/net/tcp or tcp6.
type socket struct {
	address netip.AddrPort
	// inode is how the open files of processes name it.
	inode uint64
}

// tcpListen is the state of a listening socket.
const tcpListen = "0A"

// parseTCP reads the listening sockets of /proc/net/tcp or tcp6. (procfs has
// given its own reader of these files up.)
func parseTCP(file, text string) ([]socket, error) {
	var sockets []socket
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if i == 0 || len(fields) == 0 {
			continue
		}
		if len(fields) < 10 {
			return nil, fmt.Errorf("%s:%d:1: a socket has at least 10 columns, this has %d", file, i+1, len(fields))
		}
		if fields[3] != tcpListen {
			continue
		}
		address, err := hexAddress(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d:1: %w", file, i+1, err)
		}
		inode, err := strconv.ParseUint(fields[9], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d:1: the inode %q is no number", file, i+1, short(fields[9]))
		}
		sockets = append(sockets, socket{address, inode})
	}
	return sockets, nil
}

// hexAddress reads "0100007F:1F90": words of four bytes in the order of the
// machine, which is little-endian on every architecture supported here.
func hexAddress(s string) (netip.AddrPort, error) {
	host, service, _ := strings.Cut(s, ":")
	port, err := strconv.ParseUint(service, 16, 16)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("the address %q has no port", short(s))
	}
	raw, err := hex.DecodeString(host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("the address %q is not hexadecimal", short(s))
	}
	for word := range slices.Chunk(raw, 4) {
		slices.Reverse(word)
	}
	address, ok := netip.AddrFromSlice(raw)
	if !ok {
		return netip.AddrPort{}, fmt.Errorf("the address %q is neither of IPv4 nor IPv6", short(s))
	}
	return netip.AddrPortFrom(address.Unmap(), uint16(port)), nil
}
