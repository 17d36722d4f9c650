package waivers

import (
	"os"
	"strings"
	"testing"
)

// The example of the documentation is read as it stands, and every key is
// explained.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/waivers.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("docs/waivers.md has no example")
	}
	if _, err := Decode("docs/waivers.md", []byte(example)); err != nil {
		t.Error(err)
	}
	f, err := loadFormat()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range f.Keys()["Entry"] {
		if !strings.Contains(string(page), "| `waivers[]."+key+"` |") || !strings.Contains(example, key+":") {
			t.Errorf("docs/waivers.md does not explain %s", key)
		}
	}
	for _, notice := range []string{"expired", "expiring", "unmatched", "broad", "unknown-not-covered"} {
		if !strings.Contains(string(page), "| `"+notice+"` |") {
			t.Errorf("docs/waivers.md does not explain the notice %s", notice)
		}
	}
}
