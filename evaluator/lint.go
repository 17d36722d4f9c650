package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/gpugate/gpugate/collector/facts"
)

// lint covers what OPA's type checker does not see: a package without schema
// annotation, bodies of every, function arguments and object.get, a rule that
// reads more than it says, and one that says a message there is not.
func lint(read *readers, modules []module, parsed map[string]*ast.Module, rules []*Rule) error {
	words, err := vocabulary(parsed)
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range modules {
		errs = append(errs, lintSchema(parsed[m.File]), lintWords(parsed[m.File], words), lintWholes(read.compiler.Modules[m.File]))
	}
	said := newMessages(read.compiler)
	for _, r := range rules {
		errs = append(errs, lintRule(read, r), lintMessages(said, r))
	}
	return errors.Join(errs...)
}

// lintSchema wants every package to be checked against the facts schema.
func lintSchema(m *ast.Module) error {
	if a := packageAnnotation(m); a != nil {
		for _, s := range a.Schemas {
			if s.Path.String() == "input" && s.Schema.String() == "schema.facts" {
				return nil
			}
		}
	}
	return fmt.Errorf("%s: package %s is not checked against the facts: add `# schemas:` and `#   - input: schema.facts` to its METADATA",
		m.Package.Location, strings.TrimPrefix(m.Package.Path.String(), "data."))
}

// lintRule wants a rule to define what the contract asks for, and to read
// nothing outside its requires.
func lintRule(read *readers, r *Rule) error {
	var errs []error
	for _, name := range []string{"subjects", "fail"} {
		if len(read.compiler.GetRulesExact(r.ref.Append(ast.StringTerm(name)))) == 0 {
			errs = append(errs, fmt.Errorf("%s:%d: rule %s does not define %s; a rule that yields nothing would judge nothing", r.File, r.Line, r.ID, name))
		}
	}
	for _, p := range read.of(r.ref) {
		if !slices.ContainsFunc(r.Requires, func(req string) bool { return p == req || strings.HasPrefix(p, req+".") }) {
			errs = append(errs, fmt.Errorf("%s:%d: rule %s reads input.%s, which its custom.requires does not name", r.File, r.Line, r.ID, p))
		}
	}
	return errors.Join(errs...)
}

// lintWholes wants those who ask whether a part of the facts is complete to name
// it, and to name one there is: of one that is not, nothing is ever missing.
func lintWholes(m *ast.Module) error {
	var errs []error
	ast.WalkExprs(m, func(e *ast.Expr) bool {
		path, named := askedFor(e)
		switch {
		case !asks(e) || m.Package.Path.String() == indexRef:
		case !named:
			errs = append(errs, fmt.Errorf("%s: %s: name the part of the facts in quotes, so that it is known what the rule reads", e.Location, e.Operator()))
		case !facts.HasPath(path):
			errs = append(errs, fmt.Errorf("%s: %q is no part of the facts, so it would always look complete", e.Location, path))
		}
		return false
	})
	return errors.Join(errs...)
}

// vocabulary is every member name that can exist: those of the facts schema, of
// the user's signatures, and of objects the policies build themselves.
func vocabulary(parsed map[string]*ast.Module) (map[string]bool, error) {
	words := map[string]bool{}
	var schema any
	if err := json.Unmarshal(facts.Schema(), &schema); err != nil {
		return nil, fmt.Errorf("reading the facts schema: %w", err)
	}
	collectProperties(schema, words)
	for _, members := range signatureTables {
		for _, name := range members {
			words[name] = true
		}
	}
	for _, m := range parsed {
		ast.WalkTerms(m, func(t *ast.Term) bool {
			if o, ok := t.Value.(ast.Object); ok {
				for _, k := range o.Keys() {
					if s, ok := k.Value.(ast.String); ok {
						words[string(s)] = true
					}
				}
			}
			return false
		})
	}
	return words, nil
}

func collectProperties(schema any, words map[string]bool) {
	switch s := schema.(type) {
	case map[string]any:
		if p, ok := s["properties"].(map[string]any); ok {
			for name := range p {
				words[name] = true
			}
		}
		for _, v := range s {
			collectProperties(v, words)
		}
	case []any:
		for _, v := range s {
			collectProperties(v, words)
		}
	}
}

// lintWords flags member names that nothing in the facts or policies has.
func lintWords(m *ast.Module, words map[string]bool) error {
	imported := map[string]bool{"data": true}
	for _, i := range m.Imports {
		imported[string(i.Name())] = true
	}
	var errs []error
	flag := func(t *ast.Term, name string) {
		if !words[name] {
			errs = append(errs, fmt.Errorf("%s: %q is no member of anything in the facts", t.Location, name))
		}
	}
	ast.WalkRefs(m, func(r ast.Ref) bool {
		head, isVar := r[0].Value.(ast.Var)
		if !isVar || imported[string(head)] || isBuiltin(r) {
			return false
		}
		for _, t := range r[1:] {
			if s, ok := t.Value.(ast.String); ok {
				flag(t, string(s))
			}
		}
		return false
	})
	ast.WalkExprs(m, func(e *ast.Expr) bool {
		if e.IsCall() && e.Operator().String() == "object.get" && len(e.Operands()) > 1 {
			flagKeys(e.Operand(1), flag)
		}
		return false
	})
	ast.WalkTerms(m, func(t *ast.Term) bool {
		if call, ok := t.Value.(ast.Call); ok && len(call) > 2 && call[0].String() == "object.get" {
			flagKeys(call[2], flag)
		}
		return false
	})
	return errors.Join(errs...)
}

func flagKeys(keys *ast.Term, flag func(*ast.Term, string)) {
	switch v := keys.Value.(type) {
	case ast.String:
		flag(keys, string(v))
	case *ast.Array:
		v.Foreach(func(t *ast.Term) {
			if s, ok := t.Value.(ast.String); ok {
				flag(t, string(s))
			}
		})
	}
}

// isBuiltin reports whether a reference names a built-in function.
func isBuiltin(r ast.Ref) bool {
	_, ok := ast.BuiltinMap[r.String()]
	return ok
}
