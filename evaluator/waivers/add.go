package waivers

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/gpugate/gpugate/collector/strictyaml"
)

// header begins a new file.
const header = `# yaml-language-server: $schema=` + schemaID + `
# What may be as it is for a while: docs/waivers.md tells more.
apiVersion: gpugate/v1
kind: Waivers
waivers:
`

// Addition is a file of waivers with one more.
type Addition struct {
	// Text is the whole file; Entry is what was added to it.
	Text, Entry []byte
	// Line is where the new waiver stands.
	Line int
}

// Add adds a waiver to the end of the list in a file, which need not exist, and
// returns the new text. All else in the file stays byte by byte as it is.
func Add(file string, e Entry) (*Addition, error) {
	text, err := readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return add(file, []byte(header), nil, len(header), "  ", e)
	}
	if err != nil {
		return nil, err
	}
	old, t, err := decode(file, text)
	if err != nil {
		return nil, err
	}
	for i, o := range old {
		if strings.EqualFold(o.Rule, e.Rule) && o.Subject == e.Subject && o.Host == e.Host {
			return nil, fmt.Errorf("%s:%d: there is a waiver for %s on %s already, until %s; change that one", file, t.NearestPlace(fmt.Sprintf("/waivers/%d", i)).Line, o.Rule, o.Subject, o.Expires)
		}
	}
	text, at, indent, err := placeFor(text, t, len(old))
	if err != nil {
		return nil, byHand(file, e, err)
	}
	return add(file, text, old, at, indent, e)
}

// add puts the entry into the text and makes sure that the file then says what
// it said before, and the new waiver.
func add(file string, text []byte, old []Entry, at int, indent string, e Entry) (*Addition, error) {
	entry, err := render(e, indent)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(text[:at])
	if at > 0 && text[at-1] != '\n' {
		b.WriteByte('\n')
	}
	line := bytes.Count(b.Bytes(), []byte("\n")) + 1
	b.Write(entry)
	b.Write(text[at:])
	entries, _, err := decode(file, b.Bytes())
	if err == nil && !slices.Equal(entries, append(slices.Clone(old), e)) {
		err = errors.New("the list would not hold it as its last")
	}
	if err != nil {
		return nil, byHand(file, e, err)
	}
	if _, err := Decode(file, b.Bytes()); err != nil {
		return nil, err
	}
	return &Addition{Text: b.Bytes(), Entry: entry, Line: line}, nil
}

func byHand(file string, e Entry, cause error) error {
	entry, err := render(e, "  ")
	return errors.Join(err, fmt.Errorf("%s: the waiver cannot be added without changing the rest of the file (%w); add it by hand:\n%s", file, cause, entry))
}

// placeFor finds the byte at which the next waiver is to stand, and how far the
// list is indented. An empty list in brackets becomes an open one.
func placeFor(text []byte, t *strictyaml.Parsed, count int) ([]byte, int, string, error) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	key := t.NearestPlace("/waivers").Line - 1
	indent := "  "
	if count == 0 {
		before, after, ok := bytes.Cut(lines[key], []byte("[]"))
		if !ok {
			return nil, 0, "", errors.New("the list is written in a way of its own")
		}
		lines[key] = append(bytes.TrimRight(before, " "), after...)
	} else {
		first := lines[t.NearestPlace("/waivers/0").Line-1]
		item := bytes.TrimLeft(first, " ")
		if !bytes.HasPrefix(item, []byte("- ")) {
			return nil, 0, "", errors.New("its waivers do not begin with a dash each")
		}
		indent = string(first[:len(first)-len(item)])
	}
	end := len(lines)
	for pointer, at := range t.Places() {
		if strings.Count(pointer, "/") == 1 && at.Line-1 > key {
			end = min(end, at.Line-1)
		}
	}
	// Comments and blank lines above the next key belong to it; those at the
	// end of the file stay above the new waiver.
	for last := end == len(lines); end > key+1; end-- {
		line := bytes.TrimSpace(lines[end-1])
		if len(line) > 0 && (last || line[0] != '#') {
			break
		}
	}
	return bytes.Join(lines, nil), len(bytes.Join(lines[:end], nil)), indent, nil
}

// render writes one entry as an item of a list.
func render(e Entry, indent string) ([]byte, error) {
	members := yaml.MapSlice{{Key: "rule", Value: e.Rule}, {Key: "subject", Value: e.Subject}}
	if e.Host != "" {
		members = append(members, yaml.MapItem{Key: "host", Value: e.Host})
	}
	members = append(members, yaml.MapItem{Key: "reason", Value: e.Reason},
		yaml.MapItem{Key: "approver", Value: e.Approver}, yaml.MapItem{Key: "expires", Value: e.Expires})
	if e.Unknown {
		members = append(members, yaml.MapItem{Key: "unknown", Value: true})
	}
	text, err := yaml.Marshal(members)
	if err != nil {
		return nil, fmt.Errorf("writing the waiver: %w", err)
	}
	var b bytes.Buffer
	lead := indent + "- "
	for line := range bytes.Lines(text) {
		b.WriteString(lead)
		b.Write(line)
		lead = indent + "  "
	}
	return b.Bytes(), nil
}
