package reports

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// waived lists the verdicts that waivers cover, and whose word that is.
func (t *text) waived() {
	if t.a.Waivers == nil {
		return
	}
	var lines []string
	for _, r := range t.a.Rules {
		for _, s := range r.Subjects {
			if s.Waived() {
				lines = append(lines, t.say("%s %s on %s %s: %s", r.ID, t.lang.Name(string(s.Verdict)), s.Subject.Kind, s.Subject.Name, waiverWords(t.lang, s)))
				for _, m := range said(s) {
					lines = append(lines, "  "+m)
				}
			}
		}
	}
	if len(lines) > 0 {
		t.heading(t.say("Waived: %s", t.lang.Count(t.a.Summary.Subjects.Waived, "verdict")))
	}
	for _, l := range lines {
		lead := "  - "
		if strings.HasPrefix(l, "  ") {
			lead = "      "
		}
		t.wrapped(lead, strings.TrimSpace(l))
	}
}

// said is what a verdict rests on, in words.
func said(s evaluator.SubjectResult) []string {
	var all []string
	for _, f := range s.Findings {
		all = append(all, f.Message)
	}
	for _, c := range s.Causes {
		if !slices.Contains(all, c.Message) {
			all = append(all, c.Message)
		}
	}
	return all
}

// waivers says what somebody should do about the waivers themselves.
func (t *text) waivers() {
	if t.a.Waivers == nil {
		return
	}
	first := true
	for _, w := range t.a.Waivers.Waivers {
		for _, n := range w.Notices {
			if first {
				t.heading(t.say("Waivers to look at"))
				first = false
			}
			style := t.yellow
			if n.Kind == "expired" {
				style = t.red
			}
			t.wrapped(style.Render("!")+" ", t.say("%s:%d:%d: the waiver for %s on %s %s", w.File, w.Line, w.Column, w.Rule, w.Subject, n.Message))
		}
	}
	if len(t.a.Waivers.Waivers) == 0 {
		t.heading(t.say("Waivers to look at"))
		t.wrapped("  ", t.say("%s holds no waiver", t.a.Waivers.File))
	}
}

// baseline says what is new and what is gone.
func (t *text) baseline() {
	b := t.a.Baseline
	if b == nil {
		return
	}
	t.heading(t.say("Since the baseline of %s: %d new, %d unchanged, %d gone", b.AsOf.Format("2006-01-02"), b.New, b.Unchanged, len(b.Absent)))
	for _, n := range b.Notices {
		t.wrapped(t.yellow.Render("!")+" ", n)
	}
	for _, r := range t.a.Rules {
		for _, s := range r.Subjects {
			if s.Baseline == evaluator.StateNew {
				t.wrapped("  + ", t.say("%s %s on %s %s%s", r.ID, t.lang.Name(string(s.Verdict)), s.Subject.Kind, s.Subject.Name, mark(s.Waived(), t.say(" (waived)"))))
			}
		}
	}
	for _, e := range b.Absent {
		t.wrapped("  - ", t.say("%s was %s on %s %s; %s", e.Rule, t.lang.Name(string(e.Verdict)), e.Subject.Kind, e.Subject.Name, nowWords(t.lang, e.Now)))
	}
	for _, e := range b.Unsettled {
		t.wrapped(t.yellow.Render("  ? "), t.say("%s was %s on %s %s; %s", e.Rule, t.lang.Name(string(e.Verdict)), e.Subject.Kind, e.Subject.Name, nowWords(t.lang, e.Now)))
	}
}

func mark(is bool, words string) string {
	if is {
		return words
	}
	return ""
}

func nowWords(l words.Language, now string) string {
	switch now {
	case "pass":
		return l.Say("now it passes")
	case "not-applicable":
		return l.Say("now the rule does not apply")
	case "gone":
		return l.Say("now it is not there any more")
	case "not-judged":
		return l.Say("now the rule is not judged")
	}
	return l.Say("now it cannot be told")
}
