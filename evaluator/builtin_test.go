package evaluator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
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
	p, err := Load(t.Context(), nil, Selection{})
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
				if r.Verdict == Fail || name == "serving" && r.Verdict == Unknown {
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

// Taking facts away, with the gap recorded, never turns fail or unknown into
// pass, and never pass or unknown into fail. There are some ten thousand ways
// to take away one fact; where CI is not true every eighth is tried.
func TestMissingEvidenceNeverDecides(t *testing.T) {
	p := builtInSet(t)
	step := 8
	if os.Getenv("CI") == "true" {
		step = 1
	}
	for name, doc := range scenarios(t, pick("all")) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := judgeAll(t, p, doc)
			for i, cut := range cuts(doc) {
				if i%step != 0 {
					continue
				}
				lessDoc := cut.without(t, doc)
				if _, err := decode(lessDoc); err != nil {
					continue // The schema requires it.
				}
				compare(t, cut.String(), before, judgeAll(t, p, cut.record(lessDoc)))
			}
		})
	}
}

// pick is the set of scenarios that tests take apart fact by fact, which takes a
// minute or two for all: go test -short takes the good ones alone.
func pick(kind string) string {
	if testing.Short() {
		return "good"
	}
	return kind
}

func compare(t *testing.T, cut string, before, after map[string]RuleResult) {
	t.Helper()
	open := func(v Verdict) bool { return v == Pass || v == NotApplicable }
	for id, was := range before {
		is := after[id]
		if !open(was.Verdict) && open(is.Verdict) {
			t.Errorf("without %s, %s turns from %s to %s: %s", cut, id, was.Verdict, is.Verdict, brief(was))
		}
		verdicts := map[string]Verdict{}
		for _, s := range was.Subjects {
			verdicts[s.Subject.Kind+" "+s.Subject.ID] = s.Verdict
		}
		for _, s := range is.Subjects {
			v, known := verdicts[s.Subject.Kind+" "+s.Subject.ID]
			if !known {
				v = was.Verdict // Without its name a host is called by another.
			}
			if s.Verdict == Fail && v != Fail {
				t.Errorf("without %s, %s on %s turns from %q to fail: %s", cut, id, s.Subject.Name, v, brief(is))
			}
			if known && !open(v) && open(s.Verdict) {
				t.Errorf("without %s, %s on %s turns from %s to %s", cut, id, s.Subject.Name, v, s.Verdict)
			}
		}
	}
}

// cut is one part of a document that is taken away.
type cut struct {
	path []any
}

func (c cut) String() string { return fmt.Sprint(c.path) }

// cuts lists every member and element below the sections.
func cuts(doc map[string]any) []cut {
	var all []cut
	for _, section := range facts.SourceNames() {
		all = append(all, cut{[]any{section}})
		walk(doc[section], []any{section}, &all)
	}
	return all
}

func walk(v any, path []any, all *[]cut) {
	down := func(key any, v any) {
		below := append(slices.Clone(path), key)
		*all = append(*all, cut{below})
		walk(v, below, all)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			down(k, v[k])
		}
	case []any:
		for i, e := range v {
			down(i, e)
		}
	}
}

// without returns a copy of the document that lacks the part. Of a collection
// or a section, everything is taken.
func (c cut) without(t *testing.T, doc map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	var at any = root
	set := func(any) {}
	for i, step := range c.path {
		last := i == len(c.path)-1
		switch key := step.(type) {
		case string:
			m := at.(map[string]any)
			list, isList := m[key].([]any)
			switch {
			case last && isList && len(list) > 0:
				m[key] = []any{}
			case last && len(c.path) == 1:
				for k, v := range m[key].(map[string]any) {
					m[key].(map[string]any)[k] = empty(v)
				}
			case last:
				delete(m, key)
			}
			at, set = m[key], func(v any) { m[key] = v }
		case int:
			list := at.([]any)
			if last {
				set(slices.Delete(slices.Clone(list), key, key+1))
				break
			}
			at, set = list[key], func(v any) { list[key] = v }
		}
	}
	return root
}

// empty is a value of the same type with nothing in it.
func empty(v any) any {
	switch v := v.(type) {
	case []any:
		return []any{}
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = empty(e)
		}
		return m
	}
	return v
}

// record adds the gap that a source reports for such a part.
func (c cut) record(doc map[string]any) map[string]any {
	var parts []string
	for _, step := range c.path {
		if key, ok := step.(string); ok {
			parts = append(parts, key)
		}
	}
	for _, s := range doc["sources"].([]any) {
		source := s.(map[string]any)
		if source["name"] != c.path[0] {
			continue
		}
		source["gaps"] = append(source["gaps"].([]any), map[string]any{
			"path": strings.Join(parts, "."), "reason": "denied", "detail": "taken away at " + strconv.Itoa(len(c.path)),
		})
		source["status"] = "partial"
		if len(c.path) == 1 {
			source["status"] = "denied"
		}
	}
	return doc
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

// An optional member that is absent without a gap, as in facts that somebody
// else made, must not turn a violation into a pass either. Where absence has a
// meaning of its own, it may.
func TestAbsentMembersNeverPass(t *testing.T) {
	p := builtInSet(t)
	for name, doc := range scenarios(t, pick("bad")) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := judgeAll(t, p, doc)
			for _, cut := range cuts(doc) {
				member, ok := cut.path[len(cut.path)-1].(string)
				if !ok || len(cut.path) == 1 {
					continue
				}
				less := cut.without(t, doc)
				if _, err := decode(less); err != nil || isList(doc, cut) {
					continue
				}
				for id, is := range judgeAll(t, p, less) {
					if was := before[id]; !slices.Contains(meaningfulAbsence[member], id) && (was.Verdict == Fail || was.Verdict == Unknown) && (is.Verdict == Pass || is.Verdict == NotApplicable) {
						t.Errorf("without %s, %s turns from %s to %s: %s", cut, id, was.Verdict, is.Verdict, brief(was))
					}
				}
			}
		})
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
	"docker": {"PRE001"}, "systemd": {"PRE013"}, "kubernetes": {"PRE014"},
}

// isList reports whether the part is a collection, which is emptied, not absent.
func isList(doc map[string]any, c cut) bool {
	var at any = doc
	for _, step := range c.path {
		switch key := step.(type) {
		case string:
			at = at.(map[string]any)[key]
		case int:
			at = at.([]any)[key]
		}
	}
	_, list := at.([]any)
	return list
}
