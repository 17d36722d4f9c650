package host

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// addListener notes a socket. Several sockets of one address and port
// (SO_REUSEPORT) are one listener with all their processes.
func addListener(all []facts.Listener, address string, port int, processes []facts.ListenerProcess) []facts.Listener {
	i := slices.IndexFunc(all, func(l facts.Listener) bool { return l.Port == port && l.Address == address })
	if i < 0 {
		i = len(all)
		all = append(all, facts.Listener{Address: address, Port: port})
	}
	for _, p := range processes {
		if !slices.Contains(all[i].Processes, p) {
			all[i].Processes = append(all[i].Processes, p)
		}
	}
	return all
}

// parseSS reads ss -H -ltnp.
func parseSS(file, text string) ([]facts.Listener, []facts.Gap) {
	var listeners []facts.Listener
	var gaps []facts.Gap
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "State" {
			continue
		}
		address, port, err := ssListener(fields)
		if err != nil {
			gaps = append(gaps, facts.Gap{Path: "host.listeners", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: not a line of ss -H -ltnp: %v: %q", file, i+1, err, short(line))})
			continue
		}
		listeners = addListener(listeners, address, port, ssProcesses(line))
	}
	return listeners, gaps
}

func ssListener(fields []string) (string, int, error) {
	if fields[0] != "LISTEN" || len(fields) < 5 {
		return "", 0, fmt.Errorf("expected LISTEN and its addresses")
	}
	local := fields[3]
	colon := strings.LastIndexByte(local, ':')
	if colon < 0 {
		return "", 0, fmt.Errorf("the local address has no port")
	}
	port, err := strconv.ParseUint(local[colon+1:], 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("the port is no number")
	}
	host, _, _ := strings.Cut(local[:colon], "%")
	host = strings.Trim(host, "[]")
	if host == "*" {
		// A socket of both families, which the kernel lists as [::].
		return "::", int(port), nil
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "", 0, fmt.Errorf("the local address is none")
	}
	return address.Unmap().String(), int(port), nil
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
