package main

import (
	"errors"
	"io"
	"os"
)

// standardOutput is where the program writes to. The runtime opens /dev/null in the place
// of a standard output that was closed before the start (>&-), and a report would
// get lost without a word: writing to it is an error instead.
func standardOutput() io.Writer {
	if closedAtStart() {
		return closedOutput{}
	}
	return os.Stdout
}

var errClosed = errors.New("standard output is closed; write to a file (-o FORMAT=FILE), or redirect it to /dev/null if nobody wants what it says")

type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) {
	return 0, errClosed
}
