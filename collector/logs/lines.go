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
	p := pieces{add: add}
	limited := &io.LimitedReader{R: r, N: maxLog + 1}
	chunk := make([]byte, 64<<10)
	for {
		n, err := limited.Read(chunk)
		for _, c := range chunk[:n] {
			p.next(c)
		}
		switch {
		case limited.N <= 0:
			p.end()
			return errLong
		case errors.Is(err, io.EOF):
			p.end()
			return nil
		case err != nil:
			p.end()
			return fmt.Errorf("reading to the end: %w", err)
		}
	}
}

// pieces cuts a text into its pieces.
type pieces struct {
	add  func(piece string, again bool)
	held []byte
	// any says that the present line has bytes that were not handed over, again
	// that a piece of it was.
	any, again bool
	returned   bool
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
	if len(p.held) < maxLine {
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
	var last time.Time
	return eachPiece(r, func(piece string, again bool) {
		at, text := stamped(piece)
		if again {
			at, text = last, piece
		}
		last = at
		m.add(at, text, again)
	})
}
