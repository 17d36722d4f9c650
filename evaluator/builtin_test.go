package evaluator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/dependencies"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gpugate/gpugate/collector/facts"
)

// The built-in policies are those users get: they must load, and pass their own
// lint.
func TestBuiltInPoliciesLoad(t *testing.T) {
	for _, r := range builtInSet(t).Rules {
		if len(r.Covers) == 0 {
			t.Errorf("rule %s (%s) covers no row of the operations guide", r.ID, r.File)
		}
	}
}

func builtInSet(t testing.TB) *PolicySet {
	t.Helper()
	p, err := Load(t.Context(), nil, Selection{Everything: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// scenarios are the documents of the policies' own tests, by name.
func scenarios(t testing.TB, kind string) map[string]map[string]any {
	t.Helper()
	modules, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parse(modules)
	if err != nil {
		t.Fatal(err)
	}
	c := ast.NewCompiler()
	if c.Compile(parsed); c.Failed() {
		t.Fatal(c.Errors)
	}
	results, err := rego.New(rego.Compiler(c), rego.Query("x = data.gpugate.lib.scenarios."+kind)).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("evaluating the scenarios: %v, %d results", err, len(results))
	}
	text, err := json.Marshal(results[0].Bindings["x"])
	if err != nil {
		t.Fatal(err)
	}
	var docs map[string]map[string]any
	if err := json.Unmarshal(text, &docs); err != nil {
		t.Fatal(err)
	}
	return docs
}

// decode reads a document strictly; what the schema does not allow is an error.
func decode(doc any) (*facts.Document, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	d, _, err := facts.Decode("scenario.json", text)
	return d, err
}

// On a server where all is well, no rule fails, and none is unknown.
func TestGoodScenariosPass(t *testing.T) {
	p := builtInSet(t)
	for name, doc := range scenarios(t, "good") {
		t.Run(name, func(t *testing.T) {
			for id, r := range judgeAll(t, p, doc) {
				if name == "tione" && r.Topic == "prelaunch" {
					continue // Its services are recorded with TI-ONE, not here.
				}
				if r.OnRequest && name != "well" {
					continue // Of the others, nobody looked at logs and answers.
				}
				if r.Verdict == Fail || (name == "serving" || name == "well") && r.Verdict == Unknown {
					t.Errorf("%s: %s", id, brief(r))
				}
			}
		})
	}
}

func judgeAll(t testing.TB, p *PolicySet, doc any) map[string]RuleResult {
	t.Helper()
	d, err := decode(doc)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Evaluate(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]RuleResult{}
	for _, r := range a.Rules {
		results[r.ID] = r
	}
	return results
}

// brief says what a rule found, for people.
func brief(r RuleResult) string {
	var b strings.Builder
	for _, s := range r.Subjects {
		fmt.Fprintf(&b, "%s %s;", s.Verdict, s.Subject.Name)
		for _, f := range s.Findings {
			fmt.Fprintf(&b, " %s.", f.Message)
		}
		for _, c := range s.Causes {
			fmt.Fprintf(&b, " %s (%s).", c.Message, c.Path)
		}
	}
	return b.String()
}

// Every rule has a scenario in which it fails: one that cannot fail judges
// nothing.
func TestEveryRuleCanFail(t *testing.T) {
	p := builtInSet(t)
	failed := map[string]bool{}
	for _, doc := range scenarios(t, "bad") {
		for id, r := range judgeAll(t, p, doc) {
			failed[id] = failed[id] || r.Verdict == Fail
		}
	}
	for _, r := range p.Rules {
		if !failed[r.ID] {
			t.Errorf("no scenario makes rule %s (%s) fail", r.ID, r.File)
		}
	}
}

// A rule that asks whether a part of the facts is whole reads that part.
func TestAskingForCompletenessIsReading(t *testing.T) {
	text := strings.Replace(demo, `	gpu.state == "unreadable"
`, `	gpu.state == "unreadable"
	data.gpugate.lib.index.complete("host.mounts")
`, 1)
	modules, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	modules = append(modules, module{File: "demo.rego", Text: text, Custom: true})
	if _, err := load(t.Context(), modules, Selection{}); err == nil || !strings.Contains(err.Error(), "host.mounts") {
		t.Errorf("got error %v, want one that names host.mounts", err)
	}
}

// What OPA itself says a rule depends on must be among what we say it reads.
func TestReadsMissNothing(t *testing.T) {
	p := builtInSet(t)
	for _, r := range p.Rules {
		ours := p.readers.of(r.ref)
		refs, err := dependencies.Base(p.compiler, r.ref)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			path, ok := factPath(ref)
			covers := func(o string) bool { return o == path || strings.HasPrefix(path, o+".") }
			if ok && !slices.ContainsFunc(ours, covers) {
				t.Errorf("rule %s reads %s, which is not in %v", r.ID, path, ours)
			}
		}
	}
}

// meaningfulAbsence are members whose absence says something to a rule.
var meaningfulAbsence = map[string][]string{
	// No word that facts could contradict.
	"manifest": {"OWN003"}, "tione": {"OWN003"}, "registered": {"OWN003"},
	// A selection by no count selects nothing by count.
	"count": {"OWN007", "SCP004"},
	// Nothing is expected of the system, and no server is named.
	"host": {"OSP003", "PRE018"}, "os": {"OSP003"},
	// Not long.
	"longRunning": {"TIO003"},
	// A service that runs nowhere is for PRE015.
	"docker": {"OPS005", "PRE001"}, "systemd": {"PRE013"}, "kubernetes": {"PRE014"},
}
