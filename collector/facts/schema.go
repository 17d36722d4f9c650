package facts

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"
)

// schemaID is where the schema is published.
const schemaID = "https://raw.githubusercontent.com/gpugate/gpugate/main/collector/facts/schema.json"

//go:generate go test -run "TestSchemaIsCurrent|TestReferenceIsCurrent" -update .

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of the facts document.
func Schema() []byte { return schema }

// GenerateSchema derives the JSON Schema of the facts document from its types
// and their comments, which it reads from the working directory: that of this
// package. The result is committed as schema.json; a test fails when they
// differ.
func GenerateSchema() ([]byte, error) {
	return ReflectSchema(&Document{}, schemaID, "gpugate facts document", packagePath, ".")
}

// packagePath is what this package is imported by.
const packagePath = "github.com/gpugate/gpugate/collector/facts"

// ReflectSchema derives the JSON Schema of a type, as all published schemas are
// derived: closed (no unknown members), with the given id and title. The
// comments in the source folders, relative to the working directory, which is
// that of the package imported by the path, become descriptions.
func ReflectSchema(of any, id, title, importPath string, folders ...string) ([]byte, error) {
	r := jsonschema.Reflector{}
	for _, folder := range folders {
		if err := r.AddGoComments(importPath, folder); err != nil {
			return nil, fmt.Errorf("reading the comments of %s: %w", importPath, err)
		}
	}
	for name, comment := range r.CommentMap {
		r.CommentMap[name] = strings.Join(strings.Fields(comment), " ")
	}
	s := r.Reflect(of)
	s.ID = jsonschema.ID(id)
	s.Title = title
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("deriving the schema of %T: %w", of, err)
	}
	return append(b, '\n'), nil
}
