package evaluator

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// ExplanationVersion names the shape of an explanation.
const ExplanationVersion = "gpugate.explanation/v1"

// Explanation is why a rule judges as it does.
type Explanation struct {
	SchemaVersion string `json:"schemaVersion"`
	Host          string `json:"host"`
	Rule          Rule   `json:"rule"`
	// Verdict is that of the whole rule.
	Verdict Verdict `json:"verdict"`
	// Gaps are the missing parts of the facts that the rule reads.
	Gaps []facts.Gap `json:"gaps"`
	// Applicable are the ways in which the rule would not apply.
	Applicable []Way                `json:"applicable"`
	Subjects   []SubjectExplanation `json:"subjects"`
}

// SubjectExplanation is why one subject is judged as it is.
type SubjectExplanation struct {
	SubjectResult
	// Ways are the bodies of the rule's fail and unknown, in the order of its
	// file. One way whose conditions all hold is enough.
	Ways []Way `json:"ways"`
	// Facts are the values that the verdict points at, then all that the rule
	// reads, itself or through libraries.
	Facts []FactValue `json:"facts"`
}

// Way is one body of a rule, condition by condition.
type Way struct {
	// Set is what the body adds to: fail, unknown or applicable.
	Set string `json:"set"`
	// Says is the text of the message it would give, as a template.
	Says string `json:"says,omitempty"`
	File string `json:"file"`
	Line int    `json:"line"`
	// Holds is true when all conditions hold together.
	Holds      bool        `json:"holds"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one expression of a body.
type Condition struct {
	// Text is the source text.
	Text string `json:"text"`
	Line int    `json:"line"`
	// State is "holds", "fails" or "not-reached" (an earlier condition fails).
	State string `json:"state" jsonschema:"enum=holds,enum=fails,enum=not-reached"`
	// Values are what names in the text stand for, where that is short.
	Values []NamedValue `json:"values,omitempty"`
}

// NamedValue is what a name in a condition stands for.
type NamedValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// FactValue is a value of the facts with where it came from and where it stands.
type FactValue struct {
	Evidence
	// Source is the section it lies in; Via is what the source read.
	Source string `json:"source,omitempty"`
	Via    string `json:"via,omitempty"`
	// Value is the JSON text, shortened; empty where there is no such value.
	Value string `json:"value,omitempty"`
}

// Explain judges one rule and says why it judges so. An empty subject means all;
// else it is a pattern as in waivers.
func (p *PolicySet) Explain(ctx context.Context, d *facts.Document, o Options, rule, subject string) (*Explanation, error) {
	limit := o.Timeout
	o.Timeout = 0 // one limit for judging and explaining together
	return inTime(ctx, p, limit, func(ctx context.Context) (*Explanation, error) { return p.explain(ctx, d, o, rule, subject) })
}

func (p *PolicySet) explain(ctx context.Context, d *facts.Document, o Options, rule, subject string) (*Explanation, error) {
	r, err := p.Rule(rule)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.selected, func(s *selectedRule) bool { return s.ID == r.ID })
	if i < 0 {
		return nil, fmt.Errorf("rule %s is not selected", r.ID)
	}
	a, err := p.Evaluate(ctx, d, o)
	if err != nil {
		return nil, err
	}
	result := a.result(r.ID)
	chosen, err := chooseSubjects(result, subject)
	if err != nil {
		return nil, err
	}
	x := &explainer{policies: p, rule: r, reads: p.selected[i].reads, asOf: a.AsOf}
	if err := x.read(d, o); err != nil {
		return nil, err
	}
	bodies, err := x.bodies(ctx)
	if err != nil {
		return nil, err
	}
	e := &Explanation{
		SchemaVersion: ExplanationVersion, Host: a.Host.Name, Rule: *r, Verdict: result.Verdict,
		Gaps: touching(d.Gaps(), append(slices.Clone(p.selected[i].reads), p.selected[i].applicableReads...)), Applicable: []Way{},
	}
	for _, b := range bodies {
		if b.set == "applicable" {
			e.Applicable = append(e.Applicable, b.way(nil))
		}
	}
	for _, s := range chosen {
		se := SubjectExplanation{SubjectResult: s, Ways: []Way{}, Facts: x.facts(d, s)}
		for _, b := range bodies {
			if b.set != "applicable" {
				se.Ways = append(se.Ways, b.way(&s.Subject))
			}
		}
		e.Subjects = append(e.Subjects, se)
	}
	return e, nil
}

// chooseSubjects picks the subjects that a person means.
func chooseSubjects(r *RuleResult, pattern string) ([]SubjectResult, error) {
	if pattern == "" {
		return r.Subjects, nil
	}
	w, err := NewWaiver(WaiverTerms{Rule: r.ID, Subject: pattern, Reason: "-", Approver: "-", Expires: "9999-12-31"})
	if err != nil {
		return nil, err
	}
	var chosen []SubjectResult
	var names []string
	for _, s := range r.Subjects {
		names = append(names, s.Subject.Kind+"/"+s.Subject.Name)
		if w.forSubject(s.Subject) || s.Subject.ID == pattern || s.Subject.Name == pattern {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s judged no subject that is like %q; it judged %s", r.ID, pattern, strings.Join(names, ", "))
	}
	return chosen, nil
}

// facts lists the values that a verdict points at, then all that the rule reads.
func (x *explainer) facts(d *facts.Document, s SubjectResult) []FactValue {
	var pointers []string
	for _, f := range s.Findings {
		for _, e := range f.Evidence {
			pointers = append(pointers, e.Pointer)
		}
	}
	for _, c := range s.Causes {
		for _, e := range c.Evidence {
			pointers = append(pointers, e.Pointer)
		}
	}
	for _, path := range x.reads {
		pointers = append(pointers, "/"+strings.ReplaceAll(path, ".", "/"))
	}
	values := []FactValue{}
	seen := map[string]bool{}
	for _, pointer := range pointers {
		if seen[pointer] {
			continue
		}
		seen[pointer] = true
		v := FactValue{Evidence: x.places.locate(pointer)}
		section, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		if slices.Contains(facts.SourceNames(), section) {
			v.Source, v.Via = section, d.Source(section).Via
		}
		if value, ok := valueAt(x.document, pointer); ok {
			v.Value = shortJSON(value)
		}
		values = append(values, v)
	}
	return values
}

// valueAt follows a JSON pointer.
func valueAt(document any, pointer string) (any, bool) {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch v := document.(type) {
		case map[string]any:
			child, ok := v[unescape.Replace(token)]
			if !ok {
				return nil, false
			}
			document = child
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			document = v[i]
		default:
			return nil, false
		}
	}
	return document, true
}

// ValueAt returns the value at a JSON pointer of a facts document.
func ValueAt(d *facts.Document, pointer string) (any, bool, error) {
	text, err := d.Marshal()
	if err != nil {
		return nil, false, err
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, false, fmt.Errorf("reading the facts: %w", err)
	}
	v, ok := valueAt(document, pointer)
	return v, ok, nil
}

// shortJSON is a value as a person takes it in at a glance; of a longer list or
// object, how much it holds.
func shortJSON(v any) string {
	const most = 100
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	text := []rune(string(b))
	if len(text) <= most {
		return string(text)
	}
	switch v := v.(type) {
	case []any:
		return fmt.Sprintf("[%s]", count(len(v), "item"))
	case map[string]any:
		return fmt.Sprintf("{%s}", strings.Join(slices.Sorted(maps.Keys(v)), ", "))
	}
	return string(text[:most]) + "…"
}
