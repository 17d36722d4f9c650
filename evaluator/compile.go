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
