package host

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// listenerSet collects listening sockets. Several of one address and port
// (SO_REUSEPORT) are one listener with all their processes.
type listenerSet struct {
	all []facts.Listener
	at  map[netip.AddrPort]int
}

func (s *listenerSet) add(address netip.AddrPort, processes []facts.ListenerProcess) {
	i, known := s.at[address]
	if !known {
		if s.at == nil {
			s.at = map[netip.AddrPort]int{}
		}
		i = len(s.all)
		s.at[address] = i
		s.all = append(s.all, facts.Listener{Address: address.Addr().String(), Port: int(address.Port())})
	}
	for _, p := range processes {
		if !slices.Contains(s.all[i].Processes, p) {
			s.all[i].Processes = append(s.all[i].Processes, p)
		}
	}
}

// parseSS reads ss -H -ltnp.
func parseSS(file, text string) ([]facts.Listener, []facts.Gap) {
	var set listenerSet
	var gaps []facts.Gap
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "State" {
			continue
		}
		address, err := ssListener(fields)
		if err != nil {
			gaps = append(gaps, facts.Gap{Path: "host.listeners", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: not a line of ss -H -ltnp: %v: %q", file, i+1, err, short(line))})
			continue
		}
		set.add(address, ssProcesses(line))
	}
	return set.all, gaps
}

func ssListener(fields []string) (netip.AddrPort, error) {
	none := netip.AddrPort{}
	if fields[0] != "LISTEN" || len(fields) < 5 {
		return none, errors.New("expected LISTEN and its addresses")
	}
	local := fields[3]
	colon := strings.LastIndexByte(local, ':')
	if colon < 0 {
		return none, errors.New("the local address has no port")
	}
	port, err := strconv.ParseUint(local[colon+1:], 10, 16)
	if err != nil {
		return none, errors.New("the port is no number")
	}
	host, _, _ := strings.Cut(local[:colon], "%")
	host = strings.Trim(host, "[]")
	if host == "*" {
		// A socket of both families, which the kernel lists as [::].
		host = "::"
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return none, errors.New("the local address is none")
	}
	return netip.AddrPortFrom(address.Unmap(), uint16(port)), nil
}

// ssUser is one entry of users:(("name",pid=1,fd=3),…); old versions leave out
// the words pid and fd. A name may hold quotes and brackets, so an entry ends
// only where another begins or the list ends.
var ssUser = regexp.MustCompile(`^\("(.*?)",(?:pid=)?(\d+),(?:fd=)?\d+\)(,\(|\)(?:\s|$))`)

func ssProcesses(line string) []facts.ListenerProcess {
	_, rest, ok := strings.Cut(line, "users:(")
	if !ok {
		return nil
	}
	rest = strings.TrimRight(rest, "\r")
	var processes []facts.ListenerProcess
	for {
		m := ssUser.FindStringSubmatch(rest)
		if m == nil {
			return processes
		}
		pid, err := strconv.ParseInt(m[2], 10, 32)
		if err == nil && pid > 0 {
			if p := (facts.ListenerProcess{PID: int(pid), Name: m[1]}); !slices.Contains(processes, p) {
				processes = append(processes, p)
			}
		}
		if m[3] != ",(" {
			return processes
		}
		rest = rest[len(m[0])-1:]
	}
}
