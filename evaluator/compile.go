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
// library they call. A member that is not defined needs nothing.
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
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
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
