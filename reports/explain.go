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
	t.wrapped("        ", t.say("%s on %s; written in %s:%d", t.lang.Name(string(e.Verdict)), e.Host, e.Rule.File, e.Rule.Line))
	t.line("")
	t.wrapped("", e.Rule.Description)
	if len(e.Gaps) > 0 {
		t.heading(t.say("What is missing, and leaves the rule unknown where no violation is proven"))
		for _, g := range e.Gaps {
			t.wrapped(t.yellow.Render("?")+" ", fmt.Sprintf("%s (%s): %s", g.Path, t.lang.Name(string(g.Reason)), g.Detail))
		}
	}
	if len(e.Applicable) > 0 {
		t.heading(t.say("Does the rule not apply?"))
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
	t.heading(clean(s.Subject.Kind) + " " + clean(s.Subject.Name) + ": " + t.lang.Name(string(s.Verdict)))
	if s.Waiver != nil {
		t.wrapped("  ", t.say("waived by %s until %s: %s (%s:%d)", s.Waiver.Approver, s.Waiver.Expires, s.Waiver.Reason, s.Waiver.File, s.Waiver.Line))
	}
	for _, m := range said(s.SubjectResult) {
		t.wrapped("  - ", m)
	}
	for _, f := range s.Findings {
		t.wrapped("  → ", f.Remediation)
	}
	switch s.Verdict {
	case evaluator.Pass:
		t.wrapped("  ", t.say("No way to fail holds, and nothing the rule reads is missing."))
	case evaluator.NotApplicable:
		t.wrapped("  ", t.say("There is nothing to judge, and that is known."))
	case evaluator.Fail, evaluator.Unknown:
	}
	for _, way := range s.Ways {
		t.way(way)
	}
	if len(s.Facts) > 0 {
		t.line("  %s", t.faint.Render(t.say("facts")))
	}
	for _, f := range s.Facts {
		value := f.Value
		if value == "" {
			value = t.say("not there")
		}
		t.wrapped("    ", f.Pointer+" = "+value)
		if where := t.factPlace(f); where != "" {
			t.line("      %s", t.faint.Render(clean(where)))
		}
	}
	if s.Verdict == evaluator.Unknown {
		t.wrapped("  → ", t.say("Provide what is missing; `gpugate doctor` says which right, flag or file would help. If it proves a violation: %s", e.Rule.Remediation))
	}
}

// factPlace says where a value stands and what it was read from.
func (t *text) factPlace(f evaluator.FactValue) string {
	var words []string
	if f.File != "" {
		words = append(words, t.say("at %s:%d:%d", f.File, f.Line, f.Column))
	}
	if f.Via != "" && f.Via != f.File {
		words = append(words, t.say("read by %s from %s", f.Source, f.Via))
	}
	return strings.Join(words, ", ")
}

// way shows one body of a rule, condition by condition.
func (t *text) way(w evaluator.Way) {
	set := map[string]string{"fail": t.say("a violation"), "unknown": t.say("unknown"), "applicable": t.say("not applicable")}[w.Set]
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
	t.wrapped("  "+mark+" ", t.say("%s if all of this holds (%s:%d)%s", set, w.File, w.Line, says))
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
