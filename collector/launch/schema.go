package launch

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaID is where the schema is published. Editors that speak YAML take it
// from a first line: # yaml-language-server: $schema=<this>.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/collector/launch/schema.json"

//go:generate go test -run TestSchemaIsCurrent -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of launch.yaml.
func Schema() []byte { return schema }

// format is the schema in the two forms reading needs.
type format struct {
	schema *jsonschema.Schema
	// keys are the known keys of each object, by its name in the schema.
	keys map[string][]string
}

// loadFormat compiles the embedded schema once.
var loadFormat = sync.OnceValues(func() (*format, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("reading the embedded schema of launch.yaml: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaID, parsed); err != nil {
		return nil, fmt.Errorf("loading the embedded schema of launch.yaml: %w", err)
	}
	s, err := c.Compile(schemaID)
	if err != nil {
		return nil, fmt.Errorf("compiling the embedded schema of launch.yaml: %w", err)
	}
	var defs struct {
		Defs map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &defs); err != nil {
		return nil, fmt.Errorf("reading the embedded schema of launch.yaml: %w", err)
	}
	f := &format{schema: s, keys: map[string][]string{}}
	for name, d := range defs.Defs {
		for key := range d.Properties {
			f.keys[name] = append(f.keys[name], key)
		}
		slices.Sort(f.keys[name])
	}
	return f, nil
})
