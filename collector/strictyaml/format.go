// Package strictyaml reads the files that people write. A key that is not known
// and a value of the wrong kind are problems with their line and column and, where
// one is near, the key that was meant; all are reported at once. YAML's traps
// (numbers that mean different things to different readers, tags, endless
// aliases) are refused.
package strictyaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Format is a kind of file with its schema.
type Format struct {
	Kind
	// Says puts a difference from the schema into words that only this format
	// knows; empty leaves it to the general ones. May be nil.
	Says func(k jsonschema.ErrorKind, location []string) string

	schema *jsonschema.Schema
	// keys are the known keys of each object, by its name in the schema.
	keys map[string][]string
}

// LoadFormat compiles a schema that is published under the id.
func LoadFormat(k Kind, id string, schema []byte) (*Format, error) {
	fault := func(err error) error {
		return fmt.Errorf("the embedded schema of a %s: %w", k.Name, err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fault(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(id, parsed); err != nil {
		return nil, fault(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		return nil, fault(err)
	}
	var defs struct {
		Defs map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &defs); err != nil {
		return nil, fault(err)
	}
	f := &Format{Kind: k, schema: s, keys: map[string][]string{}}
	for name, d := range defs.Defs {
		for key := range d.Properties {
			f.keys[name] = append(f.keys[name], key)
		}
		slices.Sort(f.keys[name])
	}
	return f, nil
}

// Keys are the known keys of each object, by its name in the schema.
func (f *Format) Keys() map[string][]string { return f.keys }

// Parsed is a file that holds what its schema allows.
type Parsed struct {
	*Tree
	// Value is what encoding/json would decode to, with json.Number for numbers.
	Value any
}

// Parse reads a text and checks it against the schema. What is wrong with it is
// a [Problems].
func (f *Format) Parse(file string, text []byte) (*Parsed, error) {
	value, t := parse(f.Kind, file, text)
	if len(t.Problems) == 0 || value != nil {
		if err := t.checkSchema(f, value); err != nil {
			return nil, err
		}
	}
	if len(t.Problems) > 0 {
		return nil, t.Problems.Sorted()
	}
	return &Parsed{Tree: t, Value: value}, nil
}
