package mutants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpugate/gpugate/collector/facts"
)

const library = `# METADATA
# schemas:
#   - input: schema.facts
package demo.lib

hot(c) if {
	c.degrees > 80
	not c.fan
}

kind(c) := "cold" if {
	c.degrees < 10
} else := "warm"
`

const rule = `# METADATA
# schemas:
#   - input: schema.facts
# custom:
#   id: DMO001
#   messages:
#     hot: it is hot
#     cold: it is cold
package demo.rule

import data.demo.lib

fail contains {"message": "hot", "args": {"name": "a card"}} if {
	some c in data.cards
	lib.hot(c)
	c.state != "off" # equivalent mutant: no card of these is off
}
`

const tests = `# METADATA
# schemas:
#   - input: schema.facts
package demo.rule_test

import data.demo.lib
import data.demo.rule

test_hot if {
	{f.message | some f in rule.fail} == {"hot"} with data.cards as [{"degrees": 81, "fan": false, "state": "ok"}]
	count(rule.fail) == 0 with data.cards as [{"degrees": 80, "fan": false, "state": "ok"}, {"degrees": 99, "fan": true, "state": "ok"}]
}

test_kind if lib.kind({"degrees": 5}) == "cold"
`

func read(t *testing.T, files map[string]string) *Policies {
	t.Helper()
	system := fstest.MapFS{}
	for name, text := range files {
		system[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, err := Read(system, facts.Schema())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func demo(t *testing.T) *Policies {
	return read(t, map[string]string{"lib.rego": library, "rule.rego": rule, "rule_test.rego": tests})
}

// outcomes are the results as text, without those that a test noticed.
func outcomes(results []Result, of Outcome) []string {
	var texts []string
	for _, r := range results {
		if r.Outcome == of {
			texts = append(texts, r.String())
		}
	}
	return texts
}

func TestSurvivors(t *testing.T) {
	results, err := demo(t).Run(t.Context(), Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		// Nobody asks for what is not cold.
		`lib.rego:12:12: comparison: c.degrees < 10 → c.degrees <= 10`,
		`lib.rego:12:14: number: c.degrees < 10 → c.degrees < 11`,
		`lib.rego:12:14: number: c.degrees < 10 → c.degrees < 9`,
		`lib.rego:13:3: clause: kind(c) := "warm" → nothing`,
		`lib.rego:13:11: word: "warm" → "warm~"`,
	}
	got := outcomes(results, Survived)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("survived:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, killed := range []string{
		`lib.rego:7:12: comparison: c.degrees > 80 → c.degrees >= 80`,
		`lib.rego:8:2: condition: not c.fan → nothing`,
		`lib.rego:8:2: negation: not c.fan → c.fan`,
		`rule.rego:13:27: word: "hot" → "cold"`,
		`rule.rego:16:10: comparison: c.state != "off" → c.state == "off"`,
	} {
		if !slices.Contains(outcomes(results, Killed), killed) {
			t.Errorf("not noticed, or not tried: %s", killed)
		}
	}
	equivalent := outcomes(results, Equivalent)
	if want := []string{`rule.rego:16:2: condition: c.state != "off" → nothing`, `rule.rego:16:13: word: c.state != "off" → c.state != "off~"`}; !slices.Equal(equivalent, want) {
		t.Errorf("equivalent:\n%s\nwant:\n%s", strings.Join(equivalent, "\n"), strings.Join(want, "\n"))
	}
}

// A sample is the same in every run, and another with another seed.
func TestSample(t *testing.T) {
	chosen := func(seed uint64) string {
		results, err := demo(t).Run(t.Context(), Options{Sample: 8, Seed: seed, Jobs: 3})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range results {
			all = append(all, r.String())
		}
		if len(all) != 8 {
			t.Errorf("the sample has %d mutants", len(all))
		}
		return strings.Join(all, "\n")
	}
	if chosen(1) != chosen(1) {
		t.Error("two samples with one seed differ")
	}
	if chosen(1) == chosen(2) {
		t.Error("the seed changes nothing")
	}
}

// Tests that fail on the policies as they are notice everything, and show nothing.
func TestFailingTests(t *testing.T) {
	p := read(t, map[string]string{
		"lib.rego": library,
		"lib_test.rego": `# METADATA
# schemas:
#   - input: schema.facts
package demo.lib_test

import data.demo.lib

test_wrong if lib.hot({"degrees": 1})
`,
	})
	_, err := p.Run(t.Context(), Options{})
	if err == nil || !strings.Contains(err.Error(), "test_wrong fails on the policies as they are") {
		t.Errorf("got error %v", err)
	}
}

func TestReport(t *testing.T) {
	results := []Result{
		{Mutant: Mutant{File: "a.rego", Row: 3, Col: 2, Kind: Condition, Before: "x", After: "nothing"}, Outcome: Survived},
		{Mutant: Mutant{File: "a.rego"}, Outcome: Killed, By: "data.a_test.test_x"},
		{Mutant: Mutant{File: "a.rego"}, Outcome: Killed}, {Mutant: Mutant{File: "a.rego"}, Outcome: Killed},
		{Mutant: Mutant{File: "b.rego"}, Outcome: Invalid}, {Mutant: Mutant{File: "b.rego"}, Outcome: Equivalent},
	}
	r := NewReport(results, "policies/")
	if r.Score() != 75 {
		t.Errorf("the score is %g", r.Score())
	}
	var b strings.Builder
	if err := r.Write(&b, false); err != nil {
		t.Fatal(err)
	}
	want := `survived: policies/a.rego:3:2: condition: x → nothing
 75.0 %     3 of    4  policies/a.rego
mutants: 3 of 4 noticed, 75.0 %; 1 survived, 1 equivalent, 1 do not compile
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
	if NewReport(nil, "policies").Score() != 0 {
		t.Error("without any mutant the score is not 0")
	}
}

// Every change of every policy can be made, and changes it.
func TestEveryChangeChanges(t *testing.T) {
	p, err := Read(os.DirFS(filepath.Join("..", "..", "policies")), facts.Schema())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range p.Files() {
		before := p.modules[file].String()
		for i := range changes(file, p.modules[file].Copy()) {
			after, m := mutated(file, p.modules[file], i)
			n++
			if m.Before == m.After {
				t.Errorf("%s", m)
			}
			if after.String() == before && m.Kind != Clause {
				t.Errorf("changes nothing: %s", m)
			}
		}
		if p.modules[file].String() != before {
			t.Errorf("%s itself was changed", file)
		}
	}
	if n < 3000 {
		t.Errorf("only %d changes were found", n)
	}
}

func TestDifference(t *testing.T) {
	long := strings.Repeat("a", 200)
	before, after := difference(long+" == 1 "+long, long+" != 1 "+long)
	if a, b := strings.Repeat("a", 39), strings.Repeat("a", 36); before != "…"+a+" == 1 "+b+"…" || after != "…"+a+" != 1 "+b+"…" {
		t.Errorf("got %q and %q", before, after)
	}
	if b, a := difference("x == 1", "x != 1"); b != "x == 1" || a != "x != 1" {
		t.Errorf("got %q and %q", b, a)
	}
	if b, a := difference(long+"b", "nothing"); len([]rune(b)) != 161 || a != "nothing" {
		t.Errorf("got %q and %q", b, a)
	}
}
