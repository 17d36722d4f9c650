package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/dependencies"

	"github.com/gpugate/gpugate/collector/facts"
)

// forbidden are the built-ins that would let a verdict depend on anything but
// the facts: the clock, the network, chance, the machine at hand.
var forbidden = []string{
	"http.send", "net.", "opa.runtime", "rand.", "time.now_ns", "uuid.rfc4122",
	"providers.aws.sign_req", "trace",
}

// capabilities are what policies may use.
func capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return slices.ContainsFunc(forbidden, func(f string) bool {
			return b.Name == f || strings.HasSuffix(f, ".") && strings.HasPrefix(b.Name, f)
		})
	})
	c.AllowNet = []string{}
	return c
}

// schemas are what the annotations of the policies refer to.
func schemas() (*ast.SchemaSet, error) {
	var s any
	if err := json.Unmarshal(facts.Schema(), &s); err != nil {
		return nil, fmt.Errorf("reading the facts schema: %w", err)
	}
	set := ast.NewSchemaSet()
	set.Put(ast.MustParseRef("schema.facts"), s)
	return set, nil
}

// parse parses modules strictly as Rego v1, with their annotations.
func parse(modules []module) (map[string]*ast.Module, error) {
	parsed := make(map[string]*ast.Module, len(modules))
	var errs []error
	for _, m := range modules {
		p, err := ast.ParseModuleWithOpts(m.File, m.Text, ast.ParserOptions{
			ProcessAnnotation: true, RegoVersion: ast.RegoV1, Capabilities: capabilities(),
		})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		parsed[m.File] = p
	}
	return parsed, errors.Join(errs...)
}

// compile compiles modules together, with strict checks and with the types of
// the facts: a rule that reads a path the schema lacks does not compile.
func compile(parsed map[string]*ast.Module) (*ast.Compiler, error) {
	set, err := schemas()
	if err != nil {
		return nil, err
	}
	c := ast.NewCompiler().WithCapabilities(capabilities()).WithSchemas(set).
		WithUseTypeCheckAnnotations(true).WithStrict(true)
	if c.Compile(parsed); c.Failed() {
		return nil, fmt.Errorf("the policies do not compile:\n%w", c.Errors)
	}
	return c, nil
}

// alwaysKnown are the parts of the document every rule may read without saying
// so: they are never missing.
var alwaysKnown = []string{"schemaVersion", "collectedAt", "sources"}

// reads returns the dotted fact paths that the members of a package need, or
// the whole package if none is named, down to the first variable, through every
// library they call. What they want to be complete before they conclude from its
// absence is needed as well, even if nothing of it is looked at: without it they
// conclude nothing, which must not look like finding nothing. A member that is
// not defined needs nothing.
func reads(c *ast.Compiler, pkg ast.Ref, members ...string) ([]string, error) {
	wanted := []ast.Ref{pkg}
	if len(members) > 0 {
		wanted = nil
	}
	for _, m := range members {
		if ref := pkg.Append(ast.StringTerm(m)); len(c.GetRulesExact(ref)) > 0 {
			wanted = append(wanted, ref)
		}
	}
	var paths []string
	for _, ref := range wanted {
		refs, err := dependencies.Base(c, ref)
		if err != nil {
			return nil, fmt.Errorf("deriving what %s reads: %w", ref, err)
		}
		for _, r := range refs {
			if p, ok := factPath(r); ok {
				paths = append(paths, p)
			}
		}
		for _, r := range c.GetRules(ref) {
			paths = append(paths, wholes(c, r, map[*ast.Rule]bool{})...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// wholes returns the dotted fact paths that a rule, and all it calls, wants to be
// complete.
func wholes(c *ast.Compiler, r *ast.Rule, seen map[*ast.Rule]bool) []string {
	if seen[r] {
		return nil
	}
	seen[r] = true
	var paths []string
	ast.WalkExprs(r, func(e *ast.Expr) bool {
		if path, ok := wantsWhole(e); ok {
			paths = append(paths, path)
		}
		return false
	})
	for next := range c.Graph.Dependencies(r) {
		if next, ok := next.(*ast.Rule); ok {
			paths = append(paths, wholes(c, next, seen)...)
		}
	}
	return paths
}

// wholeness are the library functions that tell whether a part of the facts is
// complete; its dotted path is their first argument.
var wholeness = []string{"complete", "complete_for", "whole"}

// indexRef is the library package they are in.
const indexRef = "data.gpugate.lib.index"

// wantsWhole reports whether the expression asks for the completeness of a part
// of the facts, and of which.
func wantsWhole(e *ast.Expr) (string, bool) {
	if !e.IsCall() || len(e.Operands()) == 0 {
		return "", false
	}
	name, ok := strings.CutPrefix(e.Operator().String(), indexRef+".")
	if !ok || !slices.Contains(wholeness, name) {
		return "", false
	}
	path, _ := e.Operand(0).Value.(ast.String)
	return string(path), true
}

// factPath is the dotted path of a reference into the facts, down to its first
// variable.
func factPath(r ast.Ref) (string, bool) {
	if !r.HasPrefix(ast.InputRootRef) {
		return "", false
	}
	var parts []string
	for _, t := range r[1:] {
		s, ok := t.Value.(ast.String)
		if !ok {
			break
		}
		parts = append(parts, string(s))
	}
	p := strings.Join(parts, ".")
	return p, !slices.Contains(alwaysKnown, p)
}
