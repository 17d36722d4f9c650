package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
)

// WriteExplanation writes for people why a rule judges as it does.
func WriteExplanation(w io.Writer, e *evaluator.Explanation, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, nil, o)
	t.wrapped(t.bold.Render(e.Rule.ID)+"  ", e.Rule.Title)
	t.wrapped("        ", fmt.Sprintf("%s on %s; written in %s:%d", e.Verdict, e.Host, e.Rule.File, e.Rule.Line))
	t.line("")
	t.wrapped("", e.Rule.Description)
	if len(e.Gaps) > 0 {
		t.heading("What is missing, and leaves the rule unknown where no violation is proven")
		for _, g := range e.Gaps {
			t.wrapped(t.yellow.Render("?")+" ", fmt.Sprintf("%s (%s): %s", g.Path, g.Reason, g.Detail))
		}
	}
	if len(e.Applicable) > 0 {
		t.heading("Does the rule not apply?")
		for _, way := range e.Applicable {
			t.way(way)
		}
	}
	for _, s := range e.Subjects {
		t.subject(e, s)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the explanation: %w", err)
	}
	return nil
}

func (t *text) subject(e *evaluator.Explanation, s evaluator.SubjectExplanation) {
	t.heading("%s %s: %s", clean(s.Subject.Kind), clean(s.Subject.Name), s.Verdict)
	if s.Waiver != nil {
		t.wrapped("  ", fmt.Sprintf("waived by %s until %s: %s (%s:%d)", s.Waiver.Approver, s.Waiver.Expires, s.Waiver.Reason, s.Waiver.File, s.Waiver.Line))
	}
	for _, m := range said(s.SubjectResult) {
		t.wrapped("  - ", m)
	}
	for _, f := range s.Findings {
		t.wrapped("  → ", f.Remediation)
	}
	switch s.Verdict {
	case evaluator.Pass:
		t.wrapped("  ", "No way to fail holds, and nothing the rule reads is missing.")
	case evaluator.NotApplicable:
		t.wrapped("  ", "There is nothing to judge, and that is known.")
	case evaluator.Fail, evaluator.Unknown:
	}
	for _, way := range s.Ways {
		t.way(way)
	}
	if len(s.Facts) > 0 {
		t.line("  %s", t.faint.Render("facts"))
	}
	for _, f := range s.Facts {
		value := f.Value
		if value == "" {
			value = "not there"
		}
		t.wrapped("    ", f.Pointer+" = "+value)
		if where := factPlace(f); where != "" {
			t.line("      %s", t.faint.Render(clean(where)))
		}
	}
	if s.Verdict == evaluator.Unknown {
		t.wrapped("  → ", "Provide what is missing; `gpugate doctor` says which right, flag or file would help. If it proves a violation: "+e.Rule.Remediation)
	}
}

// factPlace says where a value stands and what it was read from.
func factPlace(f evaluator.FactValue) string {
	var words []string
	if f.File != "" {
		words = append(words, fmt.Sprintf("at %s:%d:%d", f.File, f.Line, f.Column))
	}
	if f.Via != "" && f.Via != f.File {
		words = append(words, "read by "+f.Source+" from "+f.Via)
	}
	return strings.Join(words, ", ")
}

// way shows one body of a rule, condition by condition.
func (t *text) way(w evaluator.Way) {
	words := map[string]string{"fail": "a violation", "unknown": "unknown", "applicable": "not applicable"}[w.Set]
	mark := t.faint.Render("–")
	if w.Holds {
		mark = t.red.Render("✗")
		if w.Set != "fail" {
			mark = t.yellow.Render("?")
		}
	}
	says := ""
	if w.Says != "" {
		says = ": " + w.Says
	}
	t.wrapped("  "+mark+" ", fmt.Sprintf("%s if all of this holds (%s:%d)%s", words, w.File, w.Line, says))
	for _, c := range w.Conditions {
		sign := map[string]string{"holds": "✓", "fails": "✗", "not-reached": "·"}[c.State]
		t.wrapped("      "+sign+" ", c.Text)
		if c.State == "not-reached" {
			continue
		}
		for _, v := range c.Values {
			t.wrapped("          ", t.faint.Render(clean(v.Name+" = "+v.Value)))
		}
	}
}
