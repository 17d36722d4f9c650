package evaluator

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

	"github.com/gpugate/gpugate/collector/facts"
)

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("reading the embedded schema of assessments: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaID, parsed); err != nil {
		return nil, fmt.Errorf("loading the embedded schema of assessments: %w", err)
	}
	return c.Compile(schemaID)
})

// DecodeAssessment reads an assessment strictly, as -o json wrote it. Errors
// name file, line, column and path. What it says of itself is not taken for
// true: only judging the facts again tells that.
func DecodeAssessment(file string, text []byte) (*Assessment, error) {
	places, err := facts.LocateJSON(file, text)
	if err != nil {
		return nil, err
	}
	fault := func(pointer, format string, args ...any) error {
		at := places.Position(pointer)
		return &facts.SyntaxError{File: file, Line: at.Line, Column: at.Column, Pointer: pointer, Message: fmt.Sprintf(format, args...)}
	}
	var version struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(text, &version); err != nil || version.SchemaVersion == "" {
		return nil, fault("", "this is not an assessment: it has no schemaVersion (want %q, as -o json writes it)", AssessmentVersion)
	}
	if version.SchemaVersion != AssessmentVersion {
		return nil, fault("/schemaVersion", "want an assessment, %q, but the file is %q", AssessmentVersion, version.SchemaVersion)
	}
	s, err := compiledSchema()
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fault("", "%v", err)
	}
	var invalid *jsonschema.ValidationError
	if err := s.Validate(value); errors.As(err, &invalid) {
		leaf := invalid
		for len(leaf.Causes) > 0 {
			leaf = leaf.Causes[0]
		}
		return nil, fault(pointerTo(leaf.InstanceLocation), "%s", leaf.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
	} else if err != nil {
		return nil, err
	}
	var a Assessment
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fault("", "%v", err)
	}
	return &a, nil
}

// pointerTo joins path segments to a JSON pointer.
func pointerTo(segments []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range segments {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}
