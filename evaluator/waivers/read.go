package waivers

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/gpugate/gpugate/collector/redact"
	"github.com/gpugate/gpugate/collector/strictyaml"
	"github.com/gpugate/gpugate/evaluator"
)

// schemaID is where the schema is published. Editors that speak YAML take it
// from a first line: # yaml-language-server: $schema=<this>.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/evaluator/waivers/schema.json"

//go:generate go test -run TestSchemaIsCurrent -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of waivers.yaml.
func Schema() []byte { return schema }

// loadFormat compiles the embedded schema once.
var loadFormat = sync.OnceValues(func() (*strictyaml.Format, error) {
	return strictyaml.LoadFormat(strictyaml.Kind{Name: "waivers file", Doc: "docs/waivers.md"}, schemaID, schema)
})

// Read reads a file of waivers.
func Read(file string) (*evaluator.WaiverSet, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return Decode(file, text)
}

// Decode reads the text of a file of waivers. What is wrong with it is a
// [strictyaml.Problems].
func Decode(file string, text []byte) (*evaluator.WaiverSet, error) {
	entries, t, err := decode(file, text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	set := &evaluator.WaiverSet{File: file, SHA256: hex.EncodeToString(sum[:])}
	for i, e := range entries {
		pointer := fmt.Sprintf("/waivers/%d", i)
		at := t.NearestPlace(pointer)
		w, err := evaluator.NewWaiver(evaluator.WaiverTerms{
			Rule: e.Rule, Subject: e.Subject, Host: e.Host, Reason: redact.Text(strings.TrimSpace(e.Reason)),
			Approver: redact.Text(strings.TrimSpace(e.Approver)), Expires: e.Expires, Unknown: e.Unknown,
			File: file, Line: at.Line, Column: at.Column,
		})
		if err != nil {
			t.Note(at, pointer, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		set.Waivers = append(set.Waivers, w)
	}
	if len(t.Problems) > 0 {
		return nil, t.Problems.Sorted()
	}
	return set, nil
}

// decode reads the entries with the places of their values.
func decode(file string, text []byte) ([]Entry, *strictyaml.Parsed, error) {
	format, err := loadFormat()
	if err != nil {
		return nil, nil, err
	}
	parsed, err := format.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	b, err := json.Marshal(parsed.Value)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	var f File
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return f.Waivers, parsed, nil
}

// readFile reads a file, but not more of it than one can have.
func readFile(file string) (text []byte, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading the waivers: %s is not a file (%s)", file, info.Mode().Type())
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, strictyaml.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	return text, nil
}
