package mutants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// test is one Rego test.
type test struct {
	ref ast.Ref
	// said is its result on the unchanged policies.
	said ast.Value
	// reached are the definitions it evaluates.
	reached map[place]bool
}

// place is the first line of a definition.
type place struct {
	file string
	row  int
}

// suite are the tests of one module, with all that they need.
type suite struct {
	file    string
	modules map[string]*ast.Module
	// compiler is that of the unchanged policies.
	compiler *ast.Compiler
	tests    []test
}

// limit is how long one test may take; a fault that makes it take longer is
// noticed.
const limit = 30 * time.Second

// suites compiles and runs the tests that need any of the files. All must pass.
func (p *Policies) suites(ctx context.Context, files []string) ([]*suite, error) {
	var all []*suite
	var errs []error
	for _, file := range sortedKeys(p.modules) {
		s := &suite{file: file, modules: p.closure(file)}
		needed := slices.ContainsFunc(files, func(f string) bool { return s.modules[f] != nil })
		if !isTest(file) || !needed {
			continue
		}
		if err := p.run(ctx, s); err != nil {
			errs = append(errs, err)
			continue
		}
		if len(s.tests) > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *suite) int {
		return cmp.Or(cmp.Compare(len(a.modules), len(b.modules)), strings.Compare(a.file, b.file))
	})
	return all, errors.Join(errs...)
}

// run runs the tests of a suite on the unchanged policies.
func (p *Policies) run(ctx context.Context, s *suite) error {
	s.compiler = p.compiler(true)
	if s.compiler.Compile(s.modules); s.compiler.Failed() {
		return fmt.Errorf("%s does not compile: %w", s.file, s.compiler.Errors)
	}
	var errs []error
	seen := map[string]bool{}
	for _, r := range p.modules[s.file].Rules {
		name := r.Head.Ref()[0].Value.String()
		if !strings.HasPrefix(name, tester.TestPrefix) || seen[name] {
			continue
		}
		seen[name] = true
		t := test{ref: p.modules[s.file].Package.Path.Append(ast.StringTerm(name)), reached: map[place]bool{}}
		var err error
		if t.said, err = ask(ctx, s.compiler, t.ref, rego.QueryTracer(tracer(t.reached))); err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", r.Loc(), name, err))
			continue
		}
		if t.said == nil || t.said.Compare(ast.Boolean(false)) == 0 {
			errs = append(errs, fmt.Errorf("%s: %s fails on the policies as they are", r.Loc(), name))
			continue
		}
		s.tests = append(s.tests, t)
	}
	return errors.Join(errs...)
}

// ask evaluates a test; nil is undefined.
func ask(ctx context.Context, c *ast.Compiler, ref ast.Ref, options ...func(*rego.Rego)) (ast.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	options = append(options, rego.Compiler(c), rego.Query("said = "+ref.String()),
		rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }))
	results, err := rego.New(options...).Eval(ctx)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	said, _ := results[0].Bindings["said"].(ast.Value)
	return said, nil
}

// tracer notes the definitions that are evaluated.
type tracer map[place]bool

func (tracer) Enabled() bool { return true }

func (tracer) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

func (t tracer) TraceEvent(e topdown.Event) {
	if r, ok := e.Node.(*ast.Rule); ok && e.Op == topdown.EnterOp && r.Location != nil {
		t[place{r.Location.File, r.Location.Row}] = true
	}
}

// reaches reports whether the test evaluates anything of a file.
func (t test) reaches(file string) bool {
	for p := range t.reached {
		if p.file == file {
			return true
		}
	}
	return false
}
