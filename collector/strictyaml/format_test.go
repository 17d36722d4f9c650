package strictyaml

import (
	"strings"
	"testing"
)

const demoSchema = `{
  "$ref": "#/$defs/File",
  "$defs": {
    "File": {
      "type": "object", "additionalProperties": false, "required": ["name"],
      "properties": {
        "name": {"type": "string", "minLength": 1},
        "level": {"type": "string", "enum": ["low", "high"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "on": {"type": "string", "format": "date"}
      }
    }
  }
}`

func demoFormat(t *testing.T) *Format {
	t.Helper()
	f, err := LoadFormat(Kind{Name: "demo", Doc: "docs/demo.md"}, "https://example.invalid/demo.json", []byte(demoSchema))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParse(t *testing.T) {
	p, err := demoFormat(t).Parse("d.yaml", []byte("name: x\ncount: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if at := p.NearestPlace("/count"); at.Line != 2 || at.Column != 1 || at.Raw != "3" || p.File() != "d.yaml" {
		t.Errorf("%+v", at)
	}
	if at := p.NearestPlace("/count/deeper"); at.Line != 2 {
		t.Errorf("the nearest value is not found: %+v", at)
	}
}

func TestParseReportsEveryFault(t *testing.T) {
	_, err := demoFormat(t).Parse("d.yaml", []byte("nme: x\nlevel: hig\ncount: 10\non: soon\n"))
	if err == nil {
		t.Fatal("a broken file is taken")
	}
	for _, want := range []string{
		`d.yaml:1:1: nme: unknown key "nme": did you mean "name"?`,
		`d.yaml:1:1: name: "name" is missing`,
		`d.yaml:2:1: level: "hig" is not one of low, high: did you mean "high"?`,
		`d.yaml:3:1: count: must be at most 9`,
		`d.yaml:4:1: on: "soon" is not a date`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in:\n%v", want, err)
		}
	}
}

func TestParseNamesTheKindOfFile(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "the file is empty; docs/demo.md holds a demo to start from",
		"name: a\n---\nname: b":  "a file holds one demo",
		strings.Repeat("x", 1e6): "a demo is far smaller",
		"name: \x00":             "NUL byte",
		"\xff\xfen":              "UTF-16",
		"name: {a: *b}":          "nothing before it is marked &b",
	} {
		if _, err := demoFormat(t).Parse("d.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %.300v", want, err)
		}
	}
}

func TestBrokenSchemaIsAnError(t *testing.T) {
	for _, schema := range []string{"{", `{"type": 1}`} {
		if _, err := LoadFormat(Kind{Name: "demo"}, "https://example.invalid/demo.json", []byte(schema)); err == nil || !strings.Contains(err.Error(), "the embedded schema of a demo") {
			t.Error(err)
		}
	}
}
