package mutants

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Policies are parsed policies with their tests.
type Policies struct {
	modules map[string]*ast.Module
	// needs are the modules that each module refers to, itself included.
	needs  map[string][]string
	lines  map[string][]string
	schema *ast.SchemaSet
}

// Read parses all .rego files of a file system. The schema is that of the facts,
// which the policies know as schema.facts.
func Read(files fs.FS, schema []byte) (*Policies, error) {
	p := &Policies{modules: map[string]*ast.Module{}, needs: map[string][]string{}, lines: map[string][]string{}, schema: ast.NewSchemaSet()}
	var s any
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("reading the facts schema: %w", err)
	}
	p.schema.Put(ast.MustParseRef("schema.facts"), s)
	var errs []error
	err := fs.WalkDir(files, ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".rego") {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		m, err := ast.ParseModuleWithOpts(file, string(text), ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		p.modules[file], p.lines[file] = m, strings.Split(string(text), "\n")
		return nil
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("reading the policies: %w", err)
	}
	for file := range p.modules {
		p.needs[file] = p.referred(file)
	}
	return p, nil
}

// Files are the policies that are no tests, sorted.
func (p *Policies) Files() []string {
	return slices.DeleteFunc(sortedKeys(p.modules), isTest)
}

// ID is the id of the rule in a file, empty where it is a library.
func (p *Policies) ID(file string) string {
	for _, a := range p.modules[file].Annotations {
		if id, ok := a.Custom["id"].(string); ok && a.Scope == "package" {
			return id
		}
	}
	return ""
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.rego") }

// referred are the modules whose packages a module imports or names, and those of
// its own package.
func (p *Policies) referred(file string) []string {
	var refs []ast.Ref
	m := p.modules[file]
	for _, i := range m.Imports {
		if r, ok := i.Path.Value.(ast.Ref); ok {
			refs = append(refs, r)
		}
	}
	ast.WalkRefs(m, func(r ast.Ref) bool {
		refs = append(refs, r)
		return false
	})
	var found []string
	for other, o := range p.modules {
		named := func(r ast.Ref) bool { return r.HasPrefix(o.Package.Path) || o.Package.Path.HasPrefix(r) && len(r) > 1 }
		if o.Package.Path.Equal(m.Package.Path) || slices.ContainsFunc(refs, named) {
			found = append(found, other)
		}
	}
	return found
}

// closure are all modules that a module needs, directly or not.
func (p *Policies) closure(file string) map[string]*ast.Module {
	all := map[string]*ast.Module{}
	waiting := []string{file}
	for len(waiting) > 0 {
		next := waiting[0]
		waiting = waiting[1:]
		if all[next] == nil {
			all[next] = p.modules[next]
			waiting = append(waiting, p.needs[next]...)
		}
	}
	return all
}

// compiler compiles as the evaluator does, without the types: those are checked
// for the changed module alone.
func (p *Policies) compiler(types bool) *ast.Compiler {
	c := ast.NewCompiler().WithStrict(true).WithSchemas(p.schema).WithUseTypeCheckAnnotations(true)
	if !types {
		c = c.WithSkipStages(ast.StageCheckTypes)
	}
	c.SetErrorLimit(1)
	return c
}

// equivalent are the reasons of people why a change at a line changes nothing, by
// line: `# equivalent mutant: REASON` at its end, or alone on the line above.
func (p *Policies) equivalent(file string) map[int]string {
	reasons := map[int]string{}
	for _, c := range p.modules[file].Comments {
		reason, ok := strings.CutPrefix(strings.TrimSpace(string(c.Text)), "equivalent mutant:")
		if !ok || strings.TrimSpace(reason) == "" {
			continue
		}
		row := c.Location.Row
		if strings.HasPrefix(strings.TrimSpace(p.lines[file][row-1]), "#") {
			row++
		}
		reasons[row] = strings.TrimSpace(reason)
	}
	return reasons
}
