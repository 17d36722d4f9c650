package evaluator

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Ways are the bodies of a rule's fail, unknown and applicable as they are
// written, in the order of its file. Their conditions have no state.
func (p *PolicySet) Ways(rule string) ([]Way, error) {
	r, err := p.Rule(rule)
	if err != nil {
		return nil, err
	}
	x := &explainer{policies: p, rule: r, module: p.parsed[r.File], text: p.texts[r.File]}
	if x.module == nil {
		return nil, fmt.Errorf("rule %s: its text is not at hand", r.ID)
	}
	var ways []Way
	for _, written := range x.module.Rules {
		set := setOf(written.Head)
		if !slices.Contains([]string{"fail", "unknown", "applicable"}, set) {
			continue
		}
		w := Way{Set: set, Says: x.says(written.Head), File: r.File, Line: written.Location.Row, Conditions: []Condition{}}
		if written.Head.Key != nil || set == "applicable" {
			for _, s := range x.sources(written) {
				w.Conditions = append(w.Conditions, Condition{Text: s.text, Line: s.line})
			}
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// Said are the keys of the messages that a rule's set (fail, unknown or assumed)
// says, as far as they are written down and not worked out. They are sorted.
func (p *PolicySet) Said(rule, set string) ([]string, error) {
	r, err := p.Rule(rule)
	if err != nil {
		return nil, err
	}
	var said []string
	for _, t := range newMessages(p.compiler).of(r.ref, set) {
		if key, ok := t.Value.(ast.String); ok {
			said = append(said, string(key))
		}
	}
	slices.Sort(said)
	return slices.Compact(said), nil
}
