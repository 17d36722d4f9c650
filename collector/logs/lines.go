package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

const (
	// maxLine is how much of a line is looked at: messages say what they are at
	// the beginning, and what is longer quotes something.
	maxLine = 8 << 10
	// maxLog bounds what is read of one log.
	maxLog = 32 << 20
	// MaxLines is how many lines are read of one log: the last ones.
	MaxLines = 5000
)

// errLong says that a log has more bytes than are read.
var errLong = errors.New("it has more bytes than are read")

// eachPiece hands the pieces of a text to add: lines, and within them what
// carriage returns part. Nothing but the beginning of a piece is held.
func eachPiece(r io.Reader, add func(piece string, again bool)) error {
	p := newPieces(maxLine, add)
	defer p.end()
	if _, err := io.Copy(p, r); err != nil {
		return fmt.Errorf("reading to the end: %w", err)
	}
	return nil
}

// pieces cuts a text into its pieces.
type pieces struct {
	add  func(piece string, again bool)
	held []byte
	// longest is how much of a piece is held, left how much may yet be read.
	longest, left int
	// any says that the present line has bytes that were not handed over, again
	// that a piece of it was.
	any, again bool
	returned   bool
}

func newPieces(longest int, add func(piece string, again bool)) *pieces {
	return &pieces{add: add, longest: longest, left: maxLog}
}

// Write takes the next part of the text.
func (p *pieces) Write(text []byte) (int, error) {
	for i, c := range text {
		if p.left == 0 {
			return i, errLong
		}
		p.left--
		p.next(c)
	}
	return len(text), nil
}

func (p *pieces) next(c byte) {
	if c == '\n' {
		p.returned = false
		p.endLine()
		return
	}
	if p.returned {
		// A carriage return that no line feed follows: a progress bar.
		p.returned = false
		p.hand()
		p.again = true
	}
	if c == '\r' {
		p.returned = true
		return
	}
	p.any = true
	if len(p.held) < p.longest {
		p.held = append(p.held, c)
	}
}

func (p *pieces) hand() {
	p.add(string(p.held), p.again)
	p.held, p.any = p.held[:0], false
}

func (p *pieces) endLine() {
	p.hand()
	p.again = false
}

func (p *pieces) end() {
	if p.any {
		p.endLine()
	}
}

// stamped reads the time that Docker, Kubernetes and others put before a line.
func stamped(piece string) (at time.Time, text string) {
	stamp, rest, ok := bytes.Cut([]byte(piece), []byte(" "))
	if !ok || len(stamp) < len("2006-01-02T15:04:05Z") || len(stamp) > len("2006-01-02T15:04:05.000000000+00:00") {
		return time.Time{}, piece
	}
	at, err := time.Parse(time.RFC3339Nano, string(stamp))
	if err != nil {
		return time.Time{}, piece
	}
	return at, string(rest)
}

// readText reads a log whose lines may begin with their time.
func (m *matcher) readText(r io.Reader) error {
	return eachPiece(r, m.piece())
}

// piece adds the pieces of one stream of text; what writes over a line has the
// line's time.
func (m *matcher) piece() func(piece string, again bool) {
	var last time.Time
	return func(piece string, again bool) {
		at, text := stamped(piece)
		if again {
			at, text = last, piece
		}
		last = at
		m.add(at, text, again)
	}
}
