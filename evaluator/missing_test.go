package evaluator

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

// These tests take every part of every scenario away, one at a time: some twenty
// thousand ways, each judged by every rule. Most of that says the same again, for
// scenarios are good servers with one thing changed, and most rules find in them
// what they found there. So from a good server everything is taken, before every
// rule; from another all that is judged by the rules that see it otherwise, and a
// share of it by the rest. GPUGATE_EXHAUSTIVE=1 leaves nothing out, which takes
// many minutes; where CI is not true, and with -short, shares are smaller.
type thoroughness struct {
	// ofChanged and ofRest are how many cuts there are to one that is tried, before
	// the rules that see the scenario otherwise and before all.
	ofChanged, ofRest uint32
}

func thorough() thoroughness {
	switch {
	case os.Getenv("GPUGATE_EXHAUSTIVE") != "":
		return thoroughness{1, 1}
	case os.Getenv("CI") == "true":
		return thoroughness{1, 16}
	case testing.Short():
		return thoroughness{32, 256}
	}
	return thoroughness{8, 128}
}

// Taking facts away, with the gap recorded, never turns fail or unknown into
// pass, and never pass or unknown into fail.
func TestMissingEvidenceNeverDecides(t *testing.T) {
	eachCut(t, "all", func(t *testing.T, s *scenario, p *PolicySet, c cut, less map[string]any) {
		for _, fault := range decided(s.before, judgeTyped(t, p, c.record(less))) {
			s.fault(t, less, "without %s, %s", c, fault)
		}
	})
}

// An optional member that is absent without a gap, as in facts that somebody
// else made, must not turn a violation into a pass either. Where absence has a
// meaning of its own, it may.
func TestAbsentMembersNeverPass(t *testing.T) {
	eachCut(t, "bad", func(t *testing.T, s *scenario, p *PolicySet, c cut, less map[string]any) {
		member, ok := c.path[len(c.path)-1].(string)
		if !ok || len(c.path) == 1 || c.list {
			return
		}
		for id, is := range judgeTyped(t, p, less) {
			if was := s.before[id]; !open(was.Verdict) && open(is.Verdict) && !slices.Contains(meaningfulAbsence[member], id) {
				s.fault(t, less, "without %s, %s turns from %s to %s: %s", c, id, was.Verdict, is.Verdict, brief(was))
			}
		}
	})
}

// open verdicts do not close the gate.
func open(v Verdict) bool { return v == Pass || v == NotApplicable }

// decided lists what less evidence decided.
func decided(before, after map[string]RuleResult) []string {
	var faults []string
	for id, is := range after {
		was := before[id]
		if !open(was.Verdict) && open(is.Verdict) {
			faults = append(faults, fmt.Sprintf("%s turns from %s to %s: %s", id, was.Verdict, is.Verdict, brief(was)))
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
				faults = append(faults, fmt.Sprintf("%s on %s turns from %q to fail: %s", id, s.Subject.Name, v, brief(is)))
			}
			if known && !open(v) && open(s.Verdict) {
				faults = append(faults, fmt.Sprintf("%s on %s turns from %s to %s", id, s.Subject.Name, v, s.Verdict))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// scenario is a document with what is found in it.
type scenario struct {
	name   string
	doc    map[string]any
	before map[string]RuleResult
}

// fault reports what was found, unless the document is none: whether a part may be
// left out is remembered by where it is in the schema, not asked each time.
func (s *scenario) fault(t *testing.T, less map[string]any, format string, args ...any) {
	t.Helper()
	if _, err := decode(less); err == nil {
		t.Errorf(format, args...)
	}
}

// eachCut calls do for the cuts of every scenario, with the policies to judge by.
func eachCut(t *testing.T, kind string, do func(*testing.T, *scenario, *PolicySet, cut, map[string]any)) {
	p := builtInSet(t)
	how := thorough()
	good := map[string]map[string]RuleResult{}
	for name, doc := range scenarios(t, "good") {
		good[name] = judgeAll(t, p, doc)
	}
	var allowed allowances
	for name, doc := range scenarios(t, kind) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scenario{name, doc, judgeAll(t, p, doc)}
			changed := s.otherwise(t, p, good)
			for _, c := range cuts(doc) {
				chance := s.chance(c)
				all, some := chance%how.ofRest == 0, chance%how.ofChanged == 0 && changed != nil
				if !all && !some {
					continue
				}
				less := c.without(doc)
				if !allowed.ask(c, less) {
					continue // The schema requires it.
				}
				if all {
					do(t, s, p, c, less)
				} else {
					do(t, s, changed, c, less)
				}
			}
		})
	}
}

// chance is a number of the cut that is the same in every run.
func (s *scenario) chance(c cut) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %v", s.name, c.path)
	return h.Sum32()
}

// otherwise are the rules that find here what they find on no good server, or all
// if this is one; nil if there are none.
func (s *scenario) otherwise(t *testing.T, p *PolicySet, good map[string]map[string]RuleResult) *PolicySet {
	if _, ok := good[s.name]; ok {
		return p
	}
	var ids []string
	for id, r := range s.before {
		if !slices.ContainsFunc(slices.Collect(maps.Values(good)), func(g map[string]RuleResult) bool { return brief(g[id]) == brief(r) }) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	narrow := *p
	narrow.selected = nil
	if err := narrow.choose(Selection{Select: ids}); err != nil {
		t.Fatal(err)
	}
	if err := narrow.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &narrow
}

// allowances remembers which parts the schema lets a document lack.
type allowances struct{ known sync.Map }

func (a *allowances) ask(c cut, less map[string]any) bool {
	key := c.place()
	if may, ok := a.known.Load(key); ok {
		return may.(bool)
	}
	_, err := decode(less)
	a.known.Store(key, err == nil)
	return err == nil
}

// judgeTyped judges a document that the schema is known to allow.
func judgeTyped(t *testing.T, p *PolicySet, doc map[string]any) map[string]RuleResult {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var d facts.Document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	a, err := p.Evaluate(t.Context(), &d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	results := make(map[string]RuleResult, len(a.Rules))
	for _, r := range a.Rules {
		results[r.ID] = r
	}
	return results
}

// cut is one part of a document that is taken away.
type cut struct {
	path []any
	// list is true for a collection, which is emptied, not absent.
	list bool
}

func (c cut) String() string { return fmt.Sprint(c.path) }

// parts are the names on the way, without the places in lists.
func (c cut) parts() []string {
	var parts []string
	for _, step := range c.path {
		if key, ok := step.(string); ok {
			parts = append(parts, key)
		}
	}
	return parts
}

// place is where the schema has the part.
func (c cut) place() string {
	_, element := c.path[len(c.path)-1].(int)
	return fmt.Sprint(c.parts(), c.list, element)
}

// cuts lists every member and element below the sections.
func cuts(doc map[string]any) []cut {
	var all []cut
	for _, section := range facts.SourceNames() {
		if _, there := doc[section]; !there {
			continue // a document may be older than the section
		}
		all = append(all, cut{path: []any{section}})
		walk(doc[section], []any{section}, &all)
	}
	return all
}

func walk(v any, path []any, all *[]cut) {
	down := func(key any, v any) {
		below := append(slices.Clone(path), key)
		_, list := v.([]any)
		*all = append(*all, cut{below, list})
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

// without returns a copy of the document that lacks the part; what lies beside the
// way to it is shared. Of a collection or a section, everything is taken.
func (c cut) without(doc map[string]any) map[string]any {
	return lacking(doc, c.path, len(c.path) == 1).(map[string]any)
}

func lacking(v any, path []any, section bool) any {
	last := len(path) == 1
	switch v := v.(type) {
	case map[string]any:
		key := path[0].(string)
		m := maps.Clone(v)
		list, isList := v[key].([]any)
		switch {
		case last && isList && len(list) > 0:
			m[key] = []any{}
		case last && section:
			inner := map[string]any{}
			for k, e := range v[key].(map[string]any) {
				inner[k] = empty(e)
			}
			m[key] = inner
		case last:
			delete(m, key)
		default:
			m[key] = lacking(v[key], path[1:], false)
		}
		return m
	case []any:
		i := path[0].(int)
		if last {
			return slices.Delete(slices.Clone(v), i, i+1)
		}
		list := slices.Clone(v)
		list[i] = lacking(v[i], path[1:], false)
		return list
	}
	return v
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

// record returns the document with the gap that a source reports for such a part.
func (c cut) record(doc map[string]any) map[string]any {
	doc = maps.Clone(doc)
	var sources []any
	for _, s := range doc["sources"].([]any) {
		source := maps.Clone(s.(map[string]any))
		if source["name"] == c.path[0] {
			source["gaps"] = append(slices.Clone(source["gaps"].([]any)), map[string]any{
				"path": strings.Join(c.parts(), "."), "reason": "denied", "detail": "taken away at " + strconv.Itoa(len(c.path)),
			})
			source["status"] = "partial"
			if len(c.path) == 1 {
				source["status"] = "denied"
			}
		}
		sources = append(sources, source)
	}
	doc["sources"] = sources
	return doc
}
