package host

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// rawProcess is what /proc/PID or a capture of it holds. A nil text was not
// read.
type rawProcess struct {
	cgroup, cmdline, status []byte
	// cgroupReason says why there is no cgroup text.
	cgroupReason string
	environ      []byte
	startedAt    *time.Time
	// relative: control group paths do not start at the host's root.
	relative bool
}

// describe turns the raw texts into facts, the same for live and captured ones.
func describe(pid int, raw rawProcess) facts.Process {
	p := facts.Process{PID: pid, StartedAt: raw.startedAt}
	if raw.status != nil {
		s := parseStatus(raw.status)
		p.Name, p.State, p.ParentPID, p.UID = s.name, s.state, s.parent, s.uid
	}
	if args := parseCmdline(raw.cmdline); len(args) > 0 {
		p.Args = redact.Args(args)
	}
	for _, v := range redact.Environment(splitNUL(raw.environ)) {
		if v.Value != nil {
			p.Environment = append(p.Environment, v)
		}
	}
	if raw.cgroup == nil {
		p.Owner = facts.Owner{Manager: "unknown", Reason: raw.cgroupReason}
	} else {
		p.Owner = parseCgroup(string(raw.cgroup), raw.relative)
	}
	if p.State == "Z" && p.Owner.Manager == "unknown" {
		p.Owner.Reason = "it is a zombie: it has ended, and its control group is no longer told"
	}
	return p
}

// unknownProcess is a process that could not be looked at.
func unknownProcess(pid int, reason string) facts.Process {
	return facts.Process{PID: pid, Owner: facts.Owner{Manager: "unknown", Reason: reason}}
}

// goneProcess is a process that no longer exists, though the driver names it.
func goneProcess(pid int) facts.Process {
	p := unknownProcess(pid, "the process no longer exists, yet the driver still names it")
	p.State = "gone"
	return p
}

// status is what is used of /proc/PID/status.
type status struct {
	name, state string
	parent      int
	uid         *int
}

func parseStatus(text []byte) status {
	var s status
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		word, _, _ := strings.Cut(value, "\t")
		switch key {
		case "Name":
			s.name = strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(value)
		case "State":
			if value != "" {
				s.state = strings.ToValidUTF8(value[:1], "")
			}
		case "PPid":
			if n, ok := smallNumber(word); ok {
				s.parent = n
			}
		case "Uid":
			word, _, _ = strings.Cut(word, " ")
			if n, ok := smallNumber(word); ok {
				s.uid = &n
			}
		}
	}
	return s
}

// smallNumber reads a PID or a user id.
func smallNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return int(n), err == nil
}

// parseCmdline reads /proc/PID/cmdline. Arguments end with NUL. A process that
// renamed itself leaves one text with blanks, and so does a capture written
// from ps: that is split at blanks, or a secret after its flag would hide in it.
func parseCmdline(text []byte) []string {
	args := splitNUL(bytes.TrimRight(text, "\n"))
	if len(args) == 1 {
		return strings.Fields(args[0])
	}
	return args
}

// splitNUL splits a NUL-separated list; trailing NULs, which a renamed process
// leaves in numbers, are no arguments.
func splitNUL(text []byte) []string {
	s := strings.ToValidUTF8(strings.TrimRight(string(text), "\x00"), "\ufffd")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// ticks is the unit of starttime in /proc/PID/stat; the kernel's interface
// fixes it at 100 a second on every architecture supported here.
const ticks = 100

// startTime adds the start of a process to the start of the system, in whole
// seconds.
func startTime(stat []byte, boot int64) *time.Time {
	// The name, in brackets, may itself hold brackets and blanks.
	_, rest, ok := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	fields := strings.Fields(rest)
	if !ok || boot <= 0 || len(fields) < 20 {
		return nil
	}
	// starttime is field 22; the state, first after the name, is field 3.
	started, err := strconv.ParseInt(fields[19], 10, 64)
	if err != nil || started < 0 || started > math.MaxInt32*ticks {
		return nil
	}
	t := time.Unix(boot+started/ticks, 0).UTC()
	return &t
}

// bootTime reads btime of /proc/stat, in seconds since 1970.
func bootTime(text []byte) int64 {
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "btime "); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil && n < math.MaxUint32*2 {
				return n
			}
		}
	}
	return 0
}
