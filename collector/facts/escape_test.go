package facts

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestEscapeControls(t *testing.T) {
	for name, tc := range map[string]struct{ value, want string }{
		"plain":            {"lima 리마 🙂", `"lima 리마 🙂"`},
		"C0 is escaped":    {"a\x1bb", `"a\u001bb"`},
		"delete":           {"a\x7fb", `"a\u007fb"`},
		"C1":               {"a\u0085\u009bb", `"a\u0085\u009bb"`},
		"direction":        {"a\u202eb", `"a\u202eb"`},
		"beyond the plane": {"a\U000e0041b", `"a\udb40\udc41b"`},
		"a line end":       {"a\nb\tc", `"a\nb\tc"`},
	} {
		t.Run(name, func(t *testing.T) {
			plain, err := json.Marshal(tc.value)
			if err != nil {
				t.Fatal(err)
			}
			escaped := EscapeControls(plain)
			if string(escaped) != tc.want {
				t.Errorf("got %s, want %s", escaped, tc.want)
			}
			var back string
			if err := json.Unmarshal(escaped, &back); err != nil || back != tc.value {
				t.Errorf("read back as %q, %v", back, err)
			}
		})
	}
}

// What is written holds none, and reads as what it was.
func TestDocumentsHoldNoRawControls(t *testing.T) {
	var d Document
	d.Host.Name = "lima\u009b31m\u202e"
	text, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsFunc(text, unseen) {
		t.Error("the document holds raw control characters")
	}
	var back Document
	if err := json.Unmarshal(text, &back); err != nil || back.Host.Name != d.Host.Name {
		t.Errorf("read back as %q, %v", back.Host.Name, err)
	}
}
