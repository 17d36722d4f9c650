package facts

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"
)

// schemaID is where the schema is published.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/collector/facts/schema.json"

//go:generate go test -run TestSchemaIsCurrent -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of the facts document.
func Schema() []byte { return schema }

// GenerateSchema derives the JSON Schema of the facts document from its types.
// The result is committed as schema.json; a test fails when they differ.
func GenerateSchema() ([]byte, error) {
	return ReflectSchema(&Document{}, schemaID, "gpugate facts document")
}

// ReflectSchema derives the JSON Schema of a type, as all published schemas are
// derived: closed (no unknown members), with the given id and title.
func ReflectSchema(of any, id, title string) ([]byte, error) {
	r := jsonschema.Reflector{}
	s := r.Reflect(of)
	s.ID = jsonschema.ID(id)
	s.Title = title
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("deriving the schema of %T: %w", of, err)
	}
	return append(b, '\n'), nil
}
