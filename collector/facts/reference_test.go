package facts

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const referenceFile = "../../docs/facts.md"

// TestReferenceIsCurrent compares docs/facts.md with what the types and their
// comments say; with -update it writes the page.
func TestReferenceIsCurrent(t *testing.T) {
	want := newReference(t).page()
	if *update {
		if err := os.WriteFile(referenceFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/facts.md is not what the types say; run make generate (-want +got):\n%s", diff)
	}
}

// TestEveryTypeIsExplained wants a comment on each type of the document: the
// reference has nothing else to say about it.
func TestEveryTypeIsExplained(t *testing.T) {
	r := newReference(t)
	for _, typ := range r.types {
		if r.comments[typ.Name()] == "" {
			t.Errorf("type %s has no comment", typ.Name())
		}
	}
}

// reference is the page on the document: one table a type, in the order in
// which the document holds them.
type reference struct {
	comments map[string]string // by Type or Type.Field
	types    []reflect.Type
	// places are the paths at which a type stands, as rules write them.
	places map[reflect.Type][]string
}

func newReference(t *testing.T) *reference {
	t.Helper()
	r := &reference{comments: readComments(t), places: map[reflect.Type][]string{}}
	r.visit(reflect.TypeFor[Document](), "input")
	return r
}

// readComments reads the comments of this package's types and their fields.
func readComments(t *testing.T) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(set, files, packagePath, doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for _, typ := range p.Types {
		comments[typ.Name] = prose(typ.Doc)
		for _, spec := range typ.Decl.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			fields, ok := s.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					comments[typ.Name+"."+name.Name] = prose(f.Doc.Text())
				}
			}
		}
	}
	return comments
}

var docLink = regexp.MustCompile(`\[([A-Z]\w*)\]`)

// prose is a comment as one line of Markdown.
func prose(comment string) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(comment), " "), "$1")
}

// visit notes a type, where it stands, and the types of its fields.
func (r *reference) visit(t reflect.Type, place string) {
	t, place = element(t, place)
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return
	}
	if !slices.Contains(r.types, t) {
		r.types = append(r.types, t)
	}
	if slices.Contains(r.places[t], place) {
		return
	}
	r.places[t] = append(r.places[t], place)
	for f := range fieldsOf(t) {
		r.visit(f.Type, place+"."+f.name)
	}
}

// element goes through pointers and lists to what they hold.
func element(t reflect.Type, place string) (reflect.Type, string) {
	for {
		switch t.Kind() {
		case reflect.Pointer:
			t = t.Elem()
		case reflect.Slice:
			t, place = t.Elem(), place+"[_]"
		default:
			return t, place
		}
	}
}

type field struct {
	reflect.StructField
	name     string
	optional bool
}

// fieldsOf yields the fields that the JSON has.
func fieldsOf(t reflect.Type) func(func(field) bool) {
	return func(yield func(field) bool) {
		for f := range t.Fields() {
			name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			if !yield(field{f, name, strings.Contains(rest, "omit")}) {
				return
			}
		}
	}
}

func (r *reference) page() string {
	var b strings.Builder
	b.WriteString("<!-- Written by `make generate` from the types in collector/facts; change their comments instead. -->\n\n" +
		"# The facts document\n\n" +
		"What `gpugate collect` writes and what every rule reads as `input`. Its JSON Schema is\n" +
		"[collector/facts/schema.json](../collector/facts/schema.json).\n\n" +
		"* A field marked *optional* is left out where its value is not known; a gap in `sources` then says why.\n" +
		"  Nothing that was not read looks like a measured zero.\n" +
		"* Units stand in the names. Moments are RFC 3339 in UTC.\n" +
		"* Collections are lists in a stable order. An empty one proves that there is nothing only where no gap touches its path.\n\n")
	for _, t := range r.types {
		fmt.Fprintf(&b, "## %s\n\n%s\n\nAt %s.\n\n", t.Name(), r.comments[t.Name()], r.placesOf(t))
		b.WriteString("| name | type | meaning |\n|---|---|---|\n")
		for f := range fieldsOf(t) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, describe(f), cell(r.meaning(t, f)))
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// meaning is the field's comment, or the description in its tag.
func (r *reference) meaning(t reflect.Type, f field) string {
	if comment := r.comments[t.Name()+"."+f.Name]; comment != "" {
		return comment
	}
	return f.Tag.Get("jsonschema_description")
}

// placesOf names where a type stands; a type that is used everywhere is named
// by a few places only.
func (r *reference) placesOf(t reflect.Type) string {
	const most = 4
	places := r.places[t]
	text := "`" + strings.Join(places[:min(most, len(places))], "`, `") + "`"
	if len(places) > most {
		text += " and elsewhere"
	}
	return text
}

// describe is the JSON type of a field, with its constraints.
func describe(f field) string {
	text := typeName(f.Type)
	var values []string
	for part := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		if v, ok := strings.CutPrefix(part, "enum="); ok {
			values = append(values, "`"+v+"`")
		}
	}
	if len(values) > 0 {
		text = strings.Join(values, ", ")
	}
	if f.optional {
		text += ", *optional*"
	}
	return text
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "moment"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + typeName(t.Elem())
	case t.Kind() == reflect.Struct:
		return fmt.Sprintf("[%s](#%s)", t.Name(), strings.ToLower(t.Name()))
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.Interface:
		return "any"
	}
	return "integer"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
