package waivers

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

var update = flag.Bool("update", false, "rewrite the committed files that are generated")

func TestSchemaIsCurrent(t *testing.T) {
	want, err := facts.ReflectSchema(&File{}, schemaID, "gpugate waivers (waivers.yaml)", "github.com/gpugate/gpugate/evaluator/waivers", ".")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("schema.json is not what the types say; run go generate ./evaluator/waivers (-want +got):\n%s", diff)
	}
}
