package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Decode reads a facts document strictly: it must be one JSON value of the
// current schema version that holds nothing the schema does not know. Errors
// name file, line, column and path. What the document says against itself
// becomes a gap, see [Document.Reconcile]. The places of all values are returned too,
// for reports that point into the file.
func Decode(file string, text []byte) (*Document, *Places, error) {
	places, err := LocateJSON(file, text)
	if err != nil {
		return nil, nil, err
	}
	var version struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(text, &version); err != nil || version.SchemaVersion == "" {
		return nil, nil, at(places, file, "", fmt.Sprintf("this is not a facts document: it has no schemaVersion (want %q)", SchemaVersion))
	}
	if version.SchemaVersion != SchemaVersion {
		return nil, nil, at(places, file, "/schemaVersion", fmt.Sprintf("this program reads %q, the file is %q", SchemaVersion, version.SchemaVersion))
	}
	if err := validate(places, file, text); err != nil {
		return nil, nil, err
	}
	var d Document
	if err := UnmarshalJSON(file, text, &d); err != nil {
		return nil, nil, err
	}
	d.Reconcile()
	return &d, places, nil
}

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("reading the embedded facts schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaID, parsed); err != nil {
		return nil, fmt.Errorf("loading the embedded facts schema: %w", err)
	}
	return c.Compile(schemaID)
})

// validate checks the text against the schema and returns the first error by
// place in the file.
func validate(places *Places, file string, text []byte) error {
	s, err := compiled()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return at(places, file, "", err.Error())
	}
	err = s.Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var first *SyntaxError
	for _, leaf := range leaves(invalid) {
		pointer := toPointer(leaf.InstanceLocation)
		e := at(places, file, pointer, leaf.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
		if first == nil || e.Line < first.Line || e.Line == first.Line && e.Column < first.Column {
			first = e
		}
	}
	return first
}

// leaves returns the errors that have no finer cause.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, c := range e.Causes {
		all = append(all, leaves(c)...)
	}
	return all
}

// toPointer joins path segments to a JSON pointer.
func toPointer(segments []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range segments {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}

func at(places *Places, file, pointer, message string) *SyntaxError {
	p := places.Position(pointer)
	return &SyntaxError{File: file, Line: p.Line, Column: p.Column, Pointer: pointer, Message: message}
}
