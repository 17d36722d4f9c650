package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// decode reads a manifest. Every fault is reported, not only the first; the
// places of all values come along.
func decode(file string, text []byte) (*facts.Manifest, *tree, error) {
	value, t := parse(file, text)
	if len(t.problems) == 0 || value != nil {
		if err := t.checkSchema(value); err != nil {
			return nil, nil, err
		}
	}
	if len(t.problems) > 0 {
		return nil, nil, t.problems.sorted()
	}
	gpusAsText(value)
	b, err := json.Marshal(value)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	var m facts.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	t.checkRules(&m)
	if len(t.problems) > 0 {
		return nil, nil, t.problems.sorted()
	}
	return &m, t, nil
}

// checkSchema notes everything in which the values differ from the schema.
func (t *tree) checkSchema(value any) error {
	f, err := loadFormat()
	if err != nil {
		return err
	}
	err = f.schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	if invalid != nil {
		t.explain(f, invalid)
	}
	return nil
}

func (t *tree) explain(f *format, e *jsonschema.ValidationError) {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			t.explain(f, c)
		}
		return
	}
	var pointer strings.Builder
	for _, token := range e.InstanceLocation {
		pointer.WriteString("/" + escape(token))
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		known := f.keys[e.SchemaURL[strings.LastIndexByte(e.SchemaURL, '/')+1:]]
		for _, key := range k.Properties {
			p := pointer.String() + "/" + escape(key)
			t.problem(t.nearestPlace(p), p, "unknown key %q%s", key, orKnown(key, known))
		}
	case *kind.Required:
		for _, key := range k.Missing {
			t.problem(t.nearestPlace(pointer.String()), pointer.String()+"/"+escape(key), "%q is missing", key)
		}
	default:
		at := t.nearestPlace(pointer.String())
		t.problem(at, pointer.String(), "%s", says(k, at, e.InstanceLocation))
	}
}

// orKnown is the known key that was meant or, where none is near, all of them.
func orKnown(key string, known []string) string {
	if hint := didYouMean(key, known); hint != "" {
		return hint
	}
	return "; known here: " + strings.Join(known, ", ")
}

// says puts a difference from the schema into words that say what to write.
func says(k jsonschema.ErrorKind, at place, location []string) string {
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
		return fmt.Sprintf("%q is not one of %s%s", got, strings.Join(words, ", "), didYouMean(got, words))
	case *kind.Format:
		return fmt.Sprintf("%q is not a date: write it as 2026-11-30", redact.Text(fmt.Sprint(k.Got)))
	case *kind.Pattern:
		if len(location) > 0 && location[len(location)-1] == "sha256" {
			return "a digest is 64 hexadecimal digits, as sha256sum prints them"
		}
		return "a GPU is its index in nvidia-smi's order, such as 0, or a UUID, such as GPU-… or MIG-…"
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + k.Want.RatString()
	case *kind.MinLength:
		return "is empty; give it a value"
	case *kind.MinProperties, *kind.MaxProperties:
		return "a service has exactly one runtime: docker, systemd or kubernetes"
	case *kind.UniqueItems:
		return fmt.Sprintf("the same GPU stands here twice (items %d and %d)", k.Duplicates[0]+1, k.Duplicates[1]+1)
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

func typeSays(k *kind.Type, at place) string {
	wantsText := slices.Contains(k.Want, "string")
	switch {
	case k.Got == "null":
		return "is empty; give it a value, or leave the key out"
	case wantsText && at.raw != "" && (k.Got == "number" || k.Got == "integer" || k.Got == "boolean"):
		return fmt.Sprintf("%s is a %s to YAML: write it in quotes, %q", at.raw, words[k.Got], at.raw)
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

// wholeNumber is a number the manifest may write for a GPU's index.
var wholeNumber = regexp.MustCompile(`^[0-9]+$`)

// gpusAsText turns the numbers in services[].gpus into text, which is what the
// document holds.
func gpusAsText(value any) {
	manifest, _ := value.(map[string]any)
	services, _ := manifest["services"].([]any)
	for _, s := range services {
		service, _ := s.(map[string]any)
		gpus, _ := service["gpus"].([]any)
		for i, g := range gpus {
			if n, ok := g.(json.Number); ok && wholeNumber.MatchString(n.String()) {
				gpus[i] = n.String()
			} else if s, ok := g.(string); ok && wholeNumber.MatchString(s) {
				if index, err := strconv.Atoi(s); err == nil {
					gpus[i] = strconv.Itoa(index)
				}
			}
		}
	}
}
