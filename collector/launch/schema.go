package launch

import (
	_ "embed"
	"sync"

	"github.com/gpugate/gpugate/collector/strictyaml"
)

// schemaID is where the schema is published. Editors that speak YAML take it
// from a first line: # yaml-language-server: $schema=<this>.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/collector/launch/schema.json"

//go:generate go test -run TestSchemaIsCurrent -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of launch.yaml.
func Schema() []byte { return schema }

// loadFormat compiles the embedded schema once.
var loadFormat = sync.OnceValues(func() (*strictyaml.Format, error) {
	f, err := strictyaml.LoadFormat(strictyaml.Kind{Name: "manifest", Doc: "docs/launch.md"}, schemaID, schema)
	if err == nil {
		f.Says = says
	}
	return f, err
})
