package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/redact"
)

// Form says what a command prints, and so how secrets are kept out of it.
type Form string

// The forms.
const (
	// Plain holds no secret by its nature and is kept byte for byte.
	Plain Form = "plain"
	// Text is any text.
	Text Form = "text"
	// Arguments are a command line, each argument closed by NUL.
	Arguments Form = "arguments"
	// Units is the output of systemctl show.
	Units Form = "units"
	// Object is one JSON object.
	Object Form = "object"
	// Objects are containers or images, one JSON object a line; kept as a
	// list.
	Objects Form = "objects"
	// Cluster is what kubectl prints as JSON.
	Cluster Form = "cluster"
)

// clean removes secrets from what a command printed. Where it cannot, nothing
// of it may be kept.
func clean(f Form, text []byte) ([]byte, error) {
	switch f {
	case Plain:
		return text, nil
	case Text:
		return []byte(redact.Text(string(text))), nil
	case Arguments:
		return []byte(strings.Join(redact.Args(strings.Split(string(text), "\x00")), "\x00")), nil
	case Units:
		return []byte(cleanUnits(string(text))), nil
	case Object:
		return cleanJSON(text, "")
	case Objects:
		return cleanObjects(text)
	case Cluster:
		return cleanJSON(text, "    ")
	}
	return nil, fmt.Errorf("unknown form %q", f)
}

func cleanObjects(text []byte) ([]byte, error) {
	list := [][]byte{}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 || string(bytes.TrimSpace(line)) == "[]" {
			continue
		}
		object, err := cleanJSON(line, "")
		if err != nil {
			return nil, err
		}
		list = append(list, bytes.TrimSpace(object))
	}
	return slices.Concat([]byte("["), bytes.Join(list, []byte(",\n")), []byte("]\n")), nil
}

func cleanJSON(text []byte, indent string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("this is not JSON: %w", err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(cleanValue("", v)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// verbatim are members that name images and paths, where a colon is no
// assignment.
var verbatim = []string{"Binds", "Source", "Destination", "Image", "RepoTags", "RepoDigests", "image", "imageID", "names"}

func cleanValue(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cleanMembers(key, v)
	case []any:
		words := make([]string, 0, len(v))
		for _, item := range v {
			if s, ok := item.(string); ok {
				words = append(words, s)
			}
		}
		if len(words) == len(v) && slices.Contains([]string{"Args", "args", "command"}, key) {
			for i, w := range redact.Args(words) {
				v[i] = w
			}
			return v
		}
		for i := range v {
			v[i] = cleanValue(key, v[i])
		}
	case string:
		if !slices.Contains(verbatim, key) {
			return redact.Text(v)
		}
	}
	return v
}

func cleanMembers(key string, object map[string]any) any {
	name, named := object["name"].(string)
	value, valued := object["value"].(string)
	if named && valued && redact.Environment([]string{name + "=" + value})[0].Value == nil {
		object["value"] = redact.Mark
	}
	for k, v := range object {
		_, isText := v.(string)
		switch {
		case isText && key == "volumeAttributes", isText && key == "annotations" && !isKeptAnnotation(k):
			object[k] = redact.Mark
		default:
			object[k] = cleanValue(k, v)
		}
	}
	return object
}

func isKeptAnnotation(key string) bool {
	return slices.ContainsFunc(keptAnnotations, func(k string) bool { return strings.HasPrefix(key, k) })
}

// cleanUnits goes through properties line by line. A line that is no property
// belongs to the one before it.
func cleanUnits(text string) string {
	var b strings.Builder
	last := ""
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, "=")
		isProperty := ok && slices.Contains(unitProperties, key)
		switch {
		case isProperty && key == "Environment":
			b.WriteString("Environment=" + strings.Join(environmentNames(value), " ") + "\n")
		case isProperty || strings.TrimSpace(line) == "":
			b.WriteString(cleanWords(line))
		case last != "Environment":
			b.WriteString(cleanWords(line))
		}
		if isProperty {
			last = key
		}
	}
	return b.String()
}

var (
	word = regexp.MustCompile(`\s+|[^\s]+`)
	// assignmentWords are the parts of an Environment= line: quoted or not.
	assignmentWords = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|$)|\S+`)
)

// cleanWords redacts the command line that a property may hold, and keeps its
// white space.
func cleanWords(line string) string {
	parts := word.FindAllString(line, -1)
	var args []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			args = append(args, p)
		}
	}
	args = redact.Args(args)
	var b strings.Builder
	for _, p := range parts {
		if strings.TrimSpace(p) == "" {
			b.WriteString(p)
			continue
		}
		b.WriteString(args[0])
		args = args[1:]
	}
	return redact.Text(b.String())
}

// environmentNames keeps of each assignment the name, and the value only where
// its name is allowlisted.
func environmentNames(value string) []string {
	var kept []string
	for _, w := range assignmentWords.FindAllString(strings.TrimSpace(value), -1) {
		v := redact.Environment([]string{strings.Trim(w, `"`)})[0]
		switch {
		case !strings.Contains(w, "="):
			// A piece of something else; whatever it is, it is no name.
		case v.Value == nil:
			kept = append(kept, v.Name)
		case strings.HasPrefix(w, `"`):
			kept = append(kept, `"`+v.Name+"="+*v.Value+`"`)
		default:
			kept = append(kept, v.Name+"="+*v.Value)
		}
	}
	return kept
}
