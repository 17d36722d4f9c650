package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/gpugate/gpugate/collector/redact"
)

// checkSchema notes everything in which the values differ from the schema.
func (t *Tree) checkSchema(f *Format, value any) error {
	err := f.schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	if invalid != nil {
		t.explain(f, invalid)
	}
	return nil
}

func (t *Tree) explain(f *Format, e *jsonschema.ValidationError) {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			t.explain(f, c)
		}
		return
	}
	var pointer strings.Builder
	for _, token := range e.InstanceLocation {
		pointer.WriteString("/" + Escape(token))
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		known := f.keys[e.SchemaURL[strings.LastIndexByte(e.SchemaURL, '/')+1:]]
		for _, key := range k.Properties {
			p := pointer.String() + "/" + Escape(key)
			t.Note(t.NearestPlace(p), p, "unknown key %q%s", key, orKnown(key, known))
		}
	case *kind.Required:
		for _, key := range k.Missing {
			t.Note(t.NearestPlace(pointer.String()), pointer.String()+"/"+Escape(key), "%q is missing", key)
		}
	default:
		at := t.NearestPlace(pointer.String())
		words := ""
		if f.Says != nil {
			words = f.Says(k, e.InstanceLocation)
		}
		t.Note(at, pointer.String(), "%s", cmp.Or(words, says(k, at)))
	}
}

// orKnown is the known key that was meant or, where none is near, all of them.
func orKnown(key string, known []string) string {
	if hint := DidYouMean(key, known); hint != "" {
		return hint
	}
	return "; known here: " + strings.Join(known, ", ")
}

// says puts a difference from the schema into words that say what to write.
func says(k jsonschema.ErrorKind, at Place) string {
	switch k := k.(type) {
	case *kind.Type:
		return typeSays(k, at)
	case *kind.Enum:
		words := make([]string, len(k.Want))
		for i, w := range k.Want {
			words[i] = fmt.Sprint(w)
		}
		got := redact.Text(fmt.Sprint(k.Got))
		if len(words) == 1 {
			return fmt.Sprintf("%q is not %q", got, words[0])
		}
		return fmt.Sprintf("%q is not one of %s%s", got, strings.Join(words, ", "), DidYouMean(got, words))
	case *kind.Format:
		return fmt.Sprintf("%q is not a date: write it as 2026-11-30", redact.Text(fmt.Sprint(k.Got)))
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.MinLength:
		return "is empty; give it a value"
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

func typeSays(k *kind.Type, at Place) string {
	wantsText := slices.Contains(k.Want, "string")
	switch {
	case k.Got == "null":
		return "is empty; give it a value, or leave the key out"
	case wantsText && at.Raw != "" && (k.Got == "number" || k.Got == "integer" || k.Got == "boolean"):
		return fmt.Sprintf("%s is a %s to YAML: write it in quotes, %q", at.Raw, words[k.Got], at.Raw)
	}
	want := make([]string, len(k.Want))
	for i, w := range k.Want {
		want[i] = "a " + words[w]
	}
	return fmt.Sprintf("must be %s, not a %s", strings.Join(want, " or "), words[k.Got])
}

// words are the names of JSON's types as people who write YAML say them.
var words = map[string]string{
	"array": "list", "object": "mapping", "string": "text", "integer": "whole number",
	"number": "number", "boolean": "truth value (true or false)", "null": "nothing",
}
