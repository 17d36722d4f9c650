package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// journal reads the journal by journalctl, with fixed arguments that only read.
// The library for it, sdjournal of go-systemd, needs cgo and a libsystemd as new
// as the files; journalctl of the host always fits them, and prints JSON.
type journal struct {
	// prefix is what journalctl and systemctl are run by, for tests.
	prefix []string
	// suppressed are the records of lines that journald dropped.
	suppressed []record
}

// record is one entry of the journal.
type record struct {
	at        time.Time
	text      string
	transport string
	message   string
	// lost says that its text could not be read.
	lost bool
}

const (
	// maxRecord bounds one entry as JSON: journald itself cuts lines at 48 KiB.
	maxRecord = 512 << 10
	// Ids of systemd's own messages.
	messageStarting, messageStarted = "7d4958e842da4a758f6c1cdc7b36dcc5", "39f53479d3a045ac8e11786248231fbf"
	messageSuppressed               = "a596d6fe7bfa4994828e72309e95d61e"
)

// unitNames are names that journalctl does not take for a pattern or a flag.
var unitNames = regexp.MustCompile(`^[A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]*$`)

// unit reads the journal of a unit. It is whole where systemd's word that the
// run began is among the lines, all output goes to the journal, and nothing of it
// was dropped.
func (j journal) unit(ctx context.Context, m *matcher, name string) *facts.Gap {
	if !unitNames.MatchString(name) {
		return &facts.Gap{Reason: facts.ReasonFailed, Detail: "the unit's name cannot be given to journalctl"}
	}
	began, own, lost := false, false, false
	failed := j.read(ctx, []string{"--unit=" + name}, MaxLines, func(r record) {
		m.message(r)
		lost = lost || r.lost
		own = own || r.transport == "stdout" || r.transport == "syslog" || r.transport == "journal" && r.message == ""
		if r.message == messageStarting || r.message == messageStarted {
			began = began || !m.started.IsZero() && !r.at.Before(m.started.Truncate(time.Second))
		}
	})
	if failed != nil {
		return failed
	}
	for _, r := range j.suppressed {
		if strings.HasSuffix(r.text, " messages from "+name) && (m.started.IsZero() || !r.at.Before(m.started)) {
			lost = true
		}
	}
	m.stream.Whole = (began || m.reached) && own && !lost && j.allToJournal(ctx, name)
	return nil
}

// message adds an entry, which may have several lines.
func (m *matcher) message(r record) {
	for line := range strings.SplitSeq(strings.TrimSuffix(r.text, "\n"), "\n") {
		for i, piece := range strings.Split(strings.TrimSuffix(line, "\r"), "\r") {
			m.add(r.at, piece[:min(len(piece), maxLine)], i > 0)
		}
	}
}

// allToJournal asks where a unit's output goes. Where it goes to a file, the
// journal of the unit says nothing of what the service said.
func (j journal) allToJournal(ctx context.Context, name string) bool {
	printed, _, err := j.run(ctx, nil, "systemctl", "show", "--property=StandardOutput,StandardError", "--", name)
	if err != nil {
		return false
	}
	seen := 0
	for line := range strings.Lines(printed) {
		_, to, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok {
			continue
		}
		if to != "journal" && to != "journal+console" && to != "inherit" {
			return false
		}
		seen++
	}
	return seen == 2
}

// readSuppressed looks up of which units journald dropped lines because they
// wrote too many. Where that cannot be read, the journal of the units cannot
// either, and says so.
func (j journal) readSuppressed(ctx context.Context) (dropped []record) {
	_ = j.read(ctx, []string{"MESSAGE_ID=" + messageSuppressed}, MaxLines, func(r record) { dropped = append(dropped, r) })
	return dropped
}

// kernel reads the kernel's messages since boot: from the journal, which keeps
// more, else from the kernel itself.
func (j journal) kernel(ctx context.Context, m *matcher, ring string) *facts.Gap {
	first, lost := true, false
	failed := j.read(ctx, []string{"--dmesg"}, MaxLines, func(r record) {
		if first {
			m.stream.Whole = strings.HasPrefix(r.text, "Linux version ")
			first = false
		}
		lost = lost || r.lost
		m.message(r)
	})
	m.stream.Whole = m.stream.Whole && !lost
	if failed == nil && !first {
		return nil
	}
	if err := m.readRing(ring); err != nil {
		detail := fmt.Sprintf("%s: %v", ring, err)
		if failed != nil {
			detail = failed.Detail + "; " + detail
		}
		reason := facts.ReasonFailed
		if errors.Is(err, os.ErrPermission) {
			reason = facts.ReasonDenied
		} else if errors.Is(err, os.ErrNotExist) {
			reason = facts.ReasonAbsent
		}
		return &facts.Gap{Reason: reason, Detail: detail + " (run gpugate as root on the host)"}
	}
	return nil
}

// readRing reads the kernel's ring buffer, as dmesg does. Each read gives one
// record, and none waits for the next.
func (m *matcher) readRing(file string) error {
	fd, err := syscall.Open(file, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()
	buffer := make([]byte, maxLine)
	for m.stream.Lines < maxRing {
		n, err := syscall.Read(fd, buffer)
		switch {
		case errors.Is(err, syscall.EAGAIN) || err == nil && n == 0:
			return nil
		case errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.EINTR):
			m.stream.Whole = false // overwritten while it was read
		case err != nil:
			return err
		default:
			m.ringRecord(string(buffer[:n]))
		}
	}
	return nil
}

// maxRing bounds the records of the ring buffer, which has some ten thousand.
const maxRing = 200_000

// ringRecord takes one record: "6,339,5140900,-;text" and lines of details.
func (m *matcher) ringRecord(text string) {
	head, rest, ok := strings.Cut(text, ";")
	if !ok {
		return
	}
	if fields := strings.Split(head, ","); m.stream.Lines == 0 && len(fields) > 1 {
		m.stream.Whole = fields[1] == "0"
	}
	line, _, _ := strings.Cut(rest, "\n")
	m.add(time.Time{}, line, false)
}

// read runs journalctl and hands its entries on, oldest first.
func (j journal) read(ctx context.Context, match []string, lines int, each func(record)) *facts.Gap {
	args := append([]string{"--no-pager", "--output=json", "--output-fields=MESSAGE,MESSAGE_ID,_TRANSPORT", "--lines=" + strconv.Itoa(lines)}, match...)
	seen := 0
	entries := newPieces(maxRecord, func(piece string, _ bool) {
		if seen++; seen <= lines && strings.TrimSpace(piece) != "" && !strings.HasPrefix(piece, "-- ") {
			each(parseRecord(piece))
		}
	})
	_, complaint, err := j.run(ctx, entries, "journalctl", args...)
	entries.end()
	lower := strings.ToLower(complaint)
	switch {
	case ctx.Err() != nil:
		return &facts.Gap{Reason: facts.ReasonTimeout, Detail: "journalctl did not end within the deadline (raise it with --timeout)"}
	case errors.Is(err, exec.ErrNotFound):
		return &facts.Gap{Reason: facts.ReasonAbsent, Detail: "there is no journalctl to read the journal with"}
	case strings.Contains(lower, "insufficient permissions"), strings.Contains(lower, "not seeing messages from other users"), errors.Is(err, os.ErrPermission):
		return &facts.Gap{Reason: facts.ReasonDenied, Detail: "the journal may not be read by this account: run as root, or as a member of the group systemd-journal"}
	case strings.Contains(lower, "no journal files were found"):
		return &facts.Gap{Reason: facts.ReasonAbsent, Detail: "journalctl finds no journal on this host"}
	case err != nil:
		return &facts.Gap{Reason: facts.ReasonFailed, Detail: fmt.Sprintf("journalctl: %v", err)}
	}
	return nil
}

// parseRecord reads one entry. A text that is not all printable comes as a list
// of bytes, one that is too long as null.
func parseRecord(line string) record {
	var e struct {
		At        string          `json:"__REALTIME_TIMESTAMP"`
		Message   json.RawMessage `json:"MESSAGE"`
		ID        string          `json:"MESSAGE_ID"`
		Transport string          `json:"_TRANSPORT"`
	}
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		return record{lost: true}
	}
	r := record{transport: e.Transport, message: e.ID}
	if micros, err := strconv.ParseInt(e.At, 10, 64); err == nil && micros > 0 && micros < maxMicros {
		r.at = time.UnixMicro(micros).UTC()
	}
	var list []int
	switch {
	case json.Unmarshal(e.Message, &r.text) == nil && !bytes.Equal(e.Message, []byte("null")):
	case json.Unmarshal(e.Message, &list) == nil && list != nil:
		text := make([]byte, 0, len(list))
		for _, b := range list {
			text = append(text, byte(b&0xff))
		}
		r.text = string(text)
	default:
		r.lost = true
	}
	return r
}

// maxMicros is the end of the year 9999.
const maxMicros = 253402300799_000_000

// run runs a program with no shell. What it prints goes to stdout, or is
// returned where that is nil; its words are for telling reasons apart alone.
func (j journal) run(ctx context.Context, stdout *pieces, program string, args ...string) (printed, complaint string, err error) {
	line := append(append(append([]string{}, j.prefix...), program), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=")
	cmd.WaitDelay = time.Second
	var out, said words
	cmd.Stderr = &said
	cmd.Stdout = &out
	if stdout != nil {
		cmd.Stdout = stdout
	}
	err = cmd.Run()
	return out.String(), said.String(), err
}

// words keeps the beginning of what a program says.
type words struct{ bytes.Buffer }

func (w *words) Write(p []byte) (int, error) {
	if room := maxWords - w.Len(); room > 0 {
		w.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

const maxWords = 64 << 10
