package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is a person's terminal.
func isTerminal(w io.Writer) (fd int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile {
		return 0, false
	}
	fd = int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// colorful follows the NO_COLOR convention.
func colorful(w io.Writer) bool {
	_, terminal := isTerminal(w)
	return terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// columns is the width of the terminal, 0 when it is none.
func columns(w io.Writer) int {
	if fd, ok := isTerminal(w); ok {
		if width, _, err := term.GetSize(fd); err == nil {
			return width
		}
	}
	return 0
}
