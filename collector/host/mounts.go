package host

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// Mounts of no interest: kernel interfaces, other people's desktop mounts, and
// the layers of running containers, which come and go.
var pseudoFileSystems = []string{
	"autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "efivarfs",
	"fuse.gvfsd-fuse", "fuse.portal", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore",
	"rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
}

func isOfInterest(m facts.Mount) bool {
	if slices.Contains(pseudoFileSystems, m.FileSystem) {
		return false
	}
	return m.FileSystem != "overlay" || m.Path == "/" || !strings.Contains(m.Path, "overlay")
}

// lastMounted keeps the last mount of each path, which hides the others.
func lastMounted(mounts []facts.Mount) []facts.Mount {
	at := map[string]int{}
	var kept []facts.Mount
	for _, m := range mounts {
		if !isOfInterest(m) {
			continue
		}
		if i, ok := at[m.Path]; ok {
			kept[i] = m
			continue
		}
		at[m.Path] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

// Lines of df -PkT. Device and path may hold blanks, so the numbers in the
// middle give the columns. Without -T there is no type.
var (
	dfLine     = regexp.MustCompile(`^(\S.*?)\s+([A-Za-z][\w.+-]*|-)\s+(\d+|-)\s+(-?\d+|-)\s+(-?\d+|-)\s+(?:\d+%|-)\s+(/.*)$`)
	dfUntyped  = regexp.MustCompile(`^(\S.*?)()\s+(\d+|-)\s+(-?\d+|-)\s+(-?\d+|-)\s+(?:\d+%|-)\s+(/.*)$`)
	dfBlocks   = regexp.MustCompile(`\s(\d+[KMGTkmgt]?)-\S`)
	dfNumbers  = regexp.MustCompile(`\s\d+\s+\d+\s`)
	dfComplain = regexp.MustCompile(`^\S*df: ['‘"]?(/.*?)['’"]?: (.+)$`)
)

// parseDF reads df -PkT. A header in any language is skipped; a line that old
// versions break after a long device name is joined again.
func parseDF(file, text string) ([]facts.Mount, []facts.Gap) {
	var mounts []facts.Mount
	var gaps []facts.Gap
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line, number := strings.TrimRight(lines[i], "\r"), i+1
		if strings.TrimSpace(line) == "" {
			continue
		}
		if i == 0 && !dfNumbers.MatchString(line) && dfFields(line) == nil {
			if m := dfBlocks.FindStringSubmatch(line); m != nil && m[1] != "1024" && !strings.EqualFold(m[1], "1k") {
				return nil, []facts.Gap{{Path: "host.mounts", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:1:1: sizes are in blocks of %s; expected those of 1024 bytes that df -PkT prints", file, m[1])}}
			}
			if len(strings.Fields(line)) > 1 {
				continue
			}
		}
		fields := dfFields(line)
		if fields == nil && i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
			if fields = dfFields(line + strings.TrimRight(lines[i+1], "\r")); fields != nil {
				i++
			}
		}
		if fields == nil {
			gaps = append(gaps, facts.Gap{Path: "host.mounts", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: not a line of df -PkT: %q", file, number, short(line))})
			continue
		}
		m := facts.Mount{Device: fields[1], FileSystem: strings.TrimPrefix(fields[2], "-"), Path: fields[6]}
		if !isOfInterest(m) {
			continue
		}
		size, ok1 := kilobytes(fields[3])
		available, ok2 := kilobytes(fields[5])
		if !ok1 || !ok2 {
			gaps = append(gaps, facts.Gap{Path: "host.mounts", Item: m.Path, Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: df tells no size of %s", file, number, m.Path)})
			continue
		}
		m.SizeBytes, m.AvailableBytes = size, available
		mounts = append(mounts, m)
	}
	if len(mounts) == 0 && len(gaps) == 0 {
		gaps = append(gaps, facts.Gap{Path: "host.mounts", Reason: facts.ReasonFailed, Detail: file + ":1:1: df lists no file system at all"})
	}
	return lastMounted(mounts), gaps
}

func dfFields(line string) []string {
	if m := dfLine.FindStringSubmatch(line); m != nil {
		return m
	}
	return dfUntyped.FindStringSubmatch(line)
}

// kilobytes reads a number of 1024-byte blocks. A file system filled beyond its
// reserve has less than nothing available.
func kilobytes(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > math.MaxInt64/1024 {
		return 0, false
	}
	return max(n, 0) * 1024, true
}

// parseComplaints turns what df said on its error output into gaps, one for
// each mount it names ("df: /mnt/nas: Stale file handle").
func parseComplaints(file, text string, classify func(string) facts.Reason) []facts.Gap {
	var gaps []facts.Gap
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		g := facts.Gap{Path: "host.mounts", Reason: classify(line), Detail: file + ": " + short(line)}
		if m := dfComplain.FindStringSubmatch(line); m != nil {
			g.Item = m[1]
		}
		gaps = append(gaps, g)
	}
	return gaps
}

// unescapeMount decodes the octal escapes of mountinfo (\040 is a blank).
func unescapeMount(s string) string {
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
