package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// parseUname reads the one line of uname -srm.
func parseUname(file, text string) (facts.Kernel, error) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return facts.Kernel{}, fmt.Errorf("%s:1:1: expected the three words of uname -srm (name, release, machine), found %d", file, len(fields))
	}
	return facts.Kernel{Name: fields[0], Release: fields[1], Machine: fields[2]}, nil
}

// parseMeminfo reads /proc/meminfo, whose "kB" are units of 1024 bytes. All of
// the numbers must be there: half a memory would have zeros that look measured.
func parseMeminfo(file, text string) (*facts.Memory, error) {
	var m facts.Memory
	wanted := []struct {
		name string
		to   *int64
	}{
		{"MemTotal", &m.TotalBytes},
		{"MemAvailable", &m.AvailableBytes},
		{"Mlocked", &m.MlockedBytes},
		{"SwapTotal", &m.SwapTotalBytes},
		{"SwapFree", &m.SwapFreeBytes},
	}
	found := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		name, rest, _ := strings.Cut(line, ":")
		for _, w := range wanted {
			if name != w.name {
				continue
			}
			number, unit, _ := strings.Cut(strings.TrimSpace(rest), " ")
			kilobytes, err := strconv.ParseInt(number, 10, 64)
			if err != nil || kilobytes < 0 || kilobytes > math.MaxInt64/1024 || strings.TrimSpace(unit) != "kB" {
				return nil, fmt.Errorf("%s:%d:1: expected %q, found %q", file, i+1, name+": NUMBER kB", short(line))
			}
			*w.to, found[name] = kilobytes*1024, true
		}
	}
	for _, w := range wanted {
		if !found[w.name] {
			return nil, fmt.Errorf("%s has no %s", file, w.name)
		}
	}
	return &m, nil
}

// short keeps a quoted line of a garbled file readable in a message.
func short(line string) string {
	const most = 80
	line = strings.TrimSpace(line)
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
