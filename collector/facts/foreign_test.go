package facts

import "testing"

func TestUnmarshalJSONNamesThePlace(t *testing.T) {
	type record struct {
		Count *int64 `json:"Count"`
		Names []string
	}
	for name, c := range map[string]struct{ text, want string }{
		"fine":           {`{"Count": 3, "Other": {}}`, ""},
		"byte order":     {"\ufeff{\"Count\": null}", ""},
		"wrong type":     {"{\n  \"Count\": \"3\"\n}", `f.json:2:12: /Count: a string cannot stand here`},
		"fraction":       {`{"Count": 1.5}`, `f.json:1:11: /Count: the number 1.5 does not fit here`},
		"trailing data":  {"{}\n{}", "f.json:2:1: unexpected data after the end of the JSON value"},
		"duplicate name": {`{"Count":1,"Count":2}`, `f.json:1:12: /Count: duplicate object member name`},
		"truncated":      {`{"Names":["a"`, "f.json:1:14: the file ends in the middle of the JSON value"},
		"empty":          {" \n", "f.json:2:1: the file is empty; expected a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			var r record
			got := ""
			if err := UnmarshalJSON("f.json", []byte(c.text), &r); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
