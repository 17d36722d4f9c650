// Package reports writes assessments in the formats people and programs read,
// one file a format. It knows no source and judges nothing.
package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
)

// Options that formats may use.
type Options struct {
	// Width is that of the terminal, in columns; 0 means 80.
	Width int
	// Color allows ANSI colours in text.
	Color bool
}

// Writer writes an assessment in one format.
type Writer func(io.Writer, *evaluator.Assessment, Options) error

// formats by name.
var formats = map[string]Writer{
	"text":  WriteText,
	"json":  WriteJSON,
	"sarif": WriteSARIF,
}

// Formats lists the names of all formats.
func Formats() []string {
	names := make([]string, 0, len(formats))
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ForFormat returns the writer of a format.
func ForFormat(name string) (Writer, error) {
	w, ok := formats[name]
	if !ok {
		return nil, fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(Formats(), ", "))
	}
	return w, nil
}
