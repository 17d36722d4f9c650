package evaluator

import (
	_ "embed"

	"github.com/gpugate/gpugate/collector/facts"
)

// schemaID is where the schema is published.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/evaluator/schema.json"

//go:generate go test -run TestSchemaIsCurrent -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of an assessment.
func Schema() []byte { return schema }

// GenerateSchema derives the JSON Schema of an assessment from its types and
// their comments, which it reads from the working directory: that of this
// package. The result is committed as schema.json; a test fails when they
// differ.
func GenerateSchema() ([]byte, error) {
	return facts.ReflectSchema(&Assessment{}, schemaID, "gpugate assessment",
		"github.com/gpugate/gpugate/evaluator", ".", "../collector/facts")
}
