package facts

import "testing"

func TestDescribePath(t *testing.T) {
	for path, want := range map[string]string{
		"nvml":                      "NVML",
		"nvml.gpus":                 "GPU",
		"nvml.gpus.index":           "GPU",
		"docker.daemons.containers": "Container",
	} {
		doc, ok, err := DescribePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || doc.Type != want {
			t.Errorf("%s: got %v %v, want type %s", path, doc, ok, want)
		}
	}
	if _, ok, err := DescribePath("nvml.gpu"); ok || err != nil {
		t.Errorf("a path there is not: got %v, %v", ok, err)
	}
	if doc, _, _ := DescribePath("docker.daemons"); doc.Description != "Daemons are sorted by endpoint." {
		t.Errorf("got description %q", doc.Description)
	}
}
