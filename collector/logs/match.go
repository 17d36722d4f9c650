package logs

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// matcher goes through the lines of one log and keeps what they say.
type matcher struct {
	// started is when the present run began; zero where that is not known.
	started time.Time
	stream  facts.LogStream
	signals map[string]*facts.LogSignal
	// reached says that a line is as old as the start of the present run.
	reached bool
}

func newMatcher(kind, name string, started *time.Time) *matcher {
	m := &matcher{stream: facts.LogStream{Kind: kind, Name: name}, signals: map[string]*facts.LogSignal{}}
	if started != nil {
		m.started = *started
	}
	return m
}

// escapes are what terminals take as colour and movement, and other control
// characters but the tab.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\x40-\x5a\x5c-\x5f]|[\x00-\x08\x0b-\x1f\x7f]`)

// quotes are where a line begins to quote what a client sent. A client may write
// what it likes there, also the words of a signal.
var quotes = []string{"prompt: ", "prompt=", "\"prompt\"", "'prompt'", "\"content\"", "'content'", "generatereqinput(", "messages=", "input_text", "\"messages\"", "'messages'"}

// add takes one piece of a log: a line, or what a progress bar wrote over the
// piece before (again), which belongs to the same line.
func (m *matcher) add(at time.Time, text string, again bool) {
	if !again || m.stream.Lines == 0 {
		m.stream.Lines++
	}
	m.note(at)
	line := strings.ToValidUTF8(escapes.ReplaceAllString(text, ""), "")
	lower := lowered(line)
	for _, q := range quotes {
		if i := strings.Index(lower, q); i >= 0 {
			line, lower = line[:i], lower[:i]
		}
	}
	earlier := !at.IsZero() && !m.started.IsZero() && at.Before(m.started)
	for i := range signals {
		s := &signals[i]
		if s.ofRun && earlier {
			continue
		}
		if value, found := s.find(line, lower); found {
			m.count(s.name, at, value)
		}
	}
}

// lowered turns capital letters of ASCII into small ones, byte for byte.
func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}

// note keeps the time of a line, where it has one.
func (m *matcher) note(at time.Time) {
	if at.IsZero() {
		return
	}
	if !m.started.IsZero() && !at.After(m.started) {
		m.reached = true
	}
	if f := m.stream.First; f == nil || at.Before(*f) {
		m.stream.First = second(at)
	}
	if l := m.stream.Last; l == nil || at.After(*l) {
		m.stream.Last = second(at)
	}
}

func (m *matcher) count(name string, at time.Time, value *int64) {
	s := m.signals[name]
	if s == nil {
		s = &facts.LogSignal{Name: name}
		m.signals[name] = s
	}
	if s.LastLine != m.stream.Lines {
		s.Count++
	}
	s.LastLine = m.stream.Lines
	s.Value = nil
	if value != nil {
		v := *value
		s.Value = &v
	}
	if at.IsZero() {
		return
	}
	if s.First == nil {
		s.First = second(at)
	}
	s.Last = second(at)
}

// result is the stream with its signals.
func (m *matcher) result() facts.LogStream {
	s := m.stream
	s.Signals = []facts.LogSignal{}
	for _, name := range slices.Sorted(maps.Keys(m.signals)) {
		s.Signals = append(s.Signals, *m.signals[name])
	}
	return s
}

// second is the time as the document writes it.
func second(t time.Time) *time.Time {
	t = t.UTC().Truncate(time.Second)
	return &t
}
