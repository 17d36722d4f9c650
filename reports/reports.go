// Package reports writes assessments in the formats people and programs read,
// one file a format. It knows no source and judges nothing.
package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/checkout"
	"github.com/gpugate/gpugate/reports/words"
)

// Options that formats may use.
type Options struct {
	// Width is that of the terminal, in columns; 0 means 80.
	Width int
	// Color allows ANSI colours in text.
	Color bool
	// Language is that of what the report says itself. What the rules say is in
	// the assessment already.
	Language words.Language

	// Checkout is the folder that paths in code-scanning views are relative to.
	// Nil means that relative paths are taken as they are.
	Checkout *checkout.Checkout
	// Text gives the text of a file that the assessment points into; nil, or an
	// answer of nil, where it is not at hand.
	Text func(file string) *Text
	// Anchor is the file that findings point at which stand in no file of the
	// checkout; empty for none.
	Anchor string
	// SARIF are the options of that format.
	SARIF SARIFOptions
}

// Text is the text of a file.
type Text struct {
	// SHA256 is the digest of the file, in hexadecimal.
	SHA256 string
	// Changed is true for a file that has changed since it was judged: its lines
	// are others now.
	Changed bool
	// Lines are as they may be shown; Mark is what stands in them where a secret
	// stood, and empty where none did.
	Lines []string
	Mark  string
}

// Writer writes an assessment in one format.
type Writer func(io.Writer, *evaluator.Assessment, Options) error

// formats by name.
var formats = map[string]Writer{
	"text":        WriteText,
	"json":        WriteJSON,
	"sarif":       WriteSARIF,
	"junit":       WriteJUnit,
	"markdown":    WriteMarkdown,
	"csv":         WriteCSV,
	"html":        WriteHTML,
	"prometheus":  WritePrometheus,
	"codequality": WriteCodeQuality,
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
