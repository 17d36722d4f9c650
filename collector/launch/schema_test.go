package launch

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/gpugate/gpugate/collector/facts"
)

var update = flag.Bool("update", false, "rewrite the committed files that are generated")

func TestSchemaIsCurrent(t *testing.T) {
	want := generateSchema(t)
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("schema.json is not what the types say; run go generate ./collector/launch (-want +got):\n%s", diff)
	}
}

// generateSchema derives the schema of launch.yaml from facts.Manifest: the
// members of the one are the keys of the other.
func generateSchema(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{}
	if err := r.AddGoComments("github.com/gpugate/gpugate/collector/launch", "../facts"); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(&facts.Manifest{})
	s.ID = schemaID
	s.Title = "gpugate launch manifest (launch.yaml)"

	// A GPU is an index, which people write as a number, or a UUID.
	for _, of := range []string{"Service", "Training"} {
		gpus, ok := s.Definitions[of].Properties.Get("gpus")
		if !ok {
			t.Fatalf("%s has no gpus", of)
		}
		gpus.UniqueItems = true
		gpus.Items = &jsonschema.Schema{
			Minimum: json.Number("0"),
			Pattern: `^([0-9]+|GPU-[0-9A-Fa-f-]+|MIG-[0-9A-Za-z/-]+)$`,
			Extras:  map[string]any{"type": []string{"integer", "string"}},
		}
	}
	one := uint64(1)
	s.Definitions["Runtime"].MinProperties = &one
	s.Definitions["Runtime"].MaxProperties = &one
	for _, d := range s.Definitions {
		d.AdditionalProperties = jsonschema.FalseSchema
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}
