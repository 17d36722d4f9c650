package mutants

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Outcome is what became of a mutant.
type Outcome string

// The outcomes.
const (
	Killed     Outcome = "killed"     // a test failed, as it should
	Survived   Outcome = "survived"   // no test noticed
	Equivalent Outcome = "equivalent" // no test noticed, and somebody says why none can
	Invalid    Outcome = "invalid"    // it does not compile
)

// Result is what became of one mutant.
type Result struct {
	Mutant
	Outcome Outcome
	// By is the test that failed, or the reason why it is equivalent.
	By string
}

// Options of a run.
type Options struct {
	// Files are the policies to change; none means all.
	Files []string
	// Sample takes so many mutants alone, chosen by the seed; 0 takes all.
	Sample int
	Seed   uint64
	// Jobs is how many mutants are judged at once.
	Jobs int
	// Done is called after each mutant, with how many are done of how many.
	Done func(done, all int)
}

// Run judges the mutants of the files. The results are in the order of the code.
func (p *Policies) Run(ctx context.Context, o Options) ([]Result, error) {
	files := o.Files
	if len(files) == 0 {
		files = p.Files()
	}
	suites, err := p.suites(ctx, files)
	if err != nil {
		return nil, err
	}
	var wanted []number
	for _, file := range files {
		for n := range changes(file, p.modules[file].Copy()) {
			wanted = append(wanted, number{file, n})
		}
	}
	wanted = sample(wanted, o)
	results := make([]Result, len(wanted))
	next := make(chan int)
	var wait sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range max(1, o.Jobs) {
		wait.Go(func() {
			for i := range next {
				results[i] = p.judge(ctx, suites, wanted[i])
				lock.Lock()
				done++
				if o.Done != nil {
					o.Done(done, len(wanted))
				}
				lock.Unlock()
			}
		})
	}
	for i := range wanted {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	return results, ctx.Err()
}

// number names a change of a file.
type number struct {
	file string
	n    int
}

func sample(all []number, o Options) []number {
	if o.Sample <= 0 || o.Sample >= len(all) {
		return all
	}
	chosen := rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(all))[:o.Sample] //nolint:gosec // a sample that can be drawn again, no secret
	slices.Sort(chosen)
	some := make([]number, len(chosen))
	for i, c := range chosen {
		some[i] = all[c]
	}
	return some
}

// judge puts one change into its module and runs the tests that reach it, nearest
// first, until one of them fails.
func (p *Policies) judge(ctx context.Context, suites []*suite, w number) Result {
	module, m := mutated(w.file, p.modules[w.file], w.n)
	result := Result{Mutant: m, Outcome: Survived}
	compiled := map[*suite]*ast.Compiler{}
	tries := []func(test) bool{
		func(t test) bool { return t.reached[place{w.file, m.rule}] },
		// A definition that is passed over by its arguments is not evaluated.
		func(t test) bool { return !t.reached[place{w.file, m.rule}] && t.reaches(w.file) },
	}
	for _, wanted := range tries {
		for _, s := range suites {
			for _, t := range s.tests {
				if s.modules[w.file] == nil || !wanted(t) {
					continue
				}
				if compiled[s] == nil {
					if compiled[s] = p.compileWith(s, w.file, module); compiled[s] == nil {
						result.Outcome = Invalid
						return result
					}
				}
				said, err := ask(ctx, compiled[s], t.ref)
				if err != nil || said == nil || said.Compare(t.said) != 0 {
					result.Outcome, result.By = Killed, t.ref.String()
					return result
				}
			}
		}
	}
	if len(compiled) == 0 && !p.valid(w.file, module) {
		result.Outcome = Invalid
	} else if reason, ok := p.equivalent(w.file)[m.Row]; ok {
		result.Outcome, result.By = Equivalent, reason
	}
	return result
}

// compileWith compiles a suite with one module changed; nil if it does not
// compile. Types are checked for the changed module alone, on those of the
// unchanged others.
func (p *Policies) compileWith(s *suite, file string, module *ast.Module) *ast.Compiler {
	modules := make(map[string]*ast.Module, len(s.modules))
	maps.Copy(modules, s.modules)
	modules[file] = module
	c := p.compiler(false)
	if c.Compile(modules); c.Failed() {
		return nil
	}
	sorted, _ := c.Graph.Sort()
	var rules []*ast.Rule
	for _, r := range sorted {
		if rule, ok := r.(*ast.Rule); ok && rule.Module.Package.Location.File == file {
			rules = append(rules, rule)
		}
	}
	if len(s.compiler.PassesTypeCheckRules(rules)) > 0 {
		return nil
	}
	return c
}

// valid reports whether a changed module that no test reaches compiles.
func (p *Policies) valid(file string, module *ast.Module) bool {
	modules := p.closure(file)
	modules[file] = module
	c := p.compiler(true)
	c.Compile(modules)
	return !c.Failed()
}
