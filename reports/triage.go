package reports

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/gpugate/gpugate/evaluator"
)

// Symptom is one row of the symptom table, with what was made of it.
type Symptom struct {
	// ID is the row, such as F3; Words are what one sees.
	ID, Words string
	Result    evaluator.RuleResult
}

// WriteTriage writes the symptom table for people: what is suspected, ruled out
// or cannot be told, then why, and what to do next.
func WriteTriage(w io.Writer, a *evaluator.Assessment, symptoms []Symptom, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, a, o)
	t.header()
	t.line("")
	for _, s := range symptoms {
		mark, word := t.suspicion(s.Result.Verdict)
		t.wrapped(fmt.Sprintf("%s %s %s  ", mark, Pad(s.ID, 4), Pad(word, t.suspicionWidth())), s.Words)
	}
	for _, s := range symptoms {
		if s.Result.Verdict == evaluator.Fail || s.Result.Verdict == evaluator.Unknown {
			t.symptom(s)
		}
	}
	t.line("")
	t.wrapped("", t.say("An idle GPU proves nothing by itself. `gpugate triage F3` shows one symptom with all it was judged by."))
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the symptoms: %w", err)
	}
	return nil
}

// suspicion says a verdict in the words of the symptom table.
func (t *text) suspicion(v evaluator.Verdict) (mark, word string) {
	switch v {
	case evaluator.Fail:
		return t.red.Render("✗"), t.say("suspected")
	case evaluator.Pass:
		return t.green.Render("✓"), t.say("ruled out")
	case evaluator.NotApplicable:
		return t.faint.Render("–"), t.say("not here")
	case evaluator.Unknown:
	}
	return t.yellow.Render("?"), t.say("cannot tell")
}

// suspicionWidth is the room that every such word has.
func (t *text) suspicionWidth() int {
	widest := 0
	for _, v := range []evaluator.Verdict{evaluator.Fail, evaluator.Pass, evaluator.NotApplicable, evaluator.Unknown} {
		_, word := t.suspicion(v)
		widest = max(widest, lipgloss.Width(word))
	}
	return widest
}

// symptom says what speaks for a symptom, what is missing to tell, and what to
// look at next.
func (t *text) symptom(s Symptom) {
	_, word := t.suspicion(s.Result.Verdict)
	t.heading(s.ID + "  " + s.Words + ": " + word)
	next := ""
	for _, subject := range s.Result.Subjects {
		for _, f := range subject.Findings {
			t.wrapped("  - ", f.Message)
			if place := firstPlace(f.Evidence); place != "" {
				t.line("    %s", t.faint.Render(t.say("at %s", place)))
			}
			if f.Remediation != next {
				next = f.Remediation
				t.wrapped("    → ", next)
			}
		}
	}
	seen := map[string]bool{}
	for _, subject := range s.Result.Subjects {
		for _, c := range reasons(subject.Causes) {
			if !seen[c.Message] {
				seen[c.Message] = true
				t.wrapped("  "+t.yellow.Render("?")+" ", c.Message)
			}
		}
	}
	if s.Result.Verdict == evaluator.Unknown {
		for _, words := range nextSteps(s.Result) {
			t.wrapped("    → ", words)
		}
	}
}

// nextSteps are what to look at where nothing is told, with the names that the
// rule itself gave, for each subject once.
func nextSteps(r evaluator.RuleResult) []string {
	var steps []string
	for _, s := range r.Subjects {
		if s.Verdict != evaluator.Unknown {
			continue
		}
		names := map[string]string{}
		for _, c := range s.Causes {
			maps.Copy(names, c.Arguments)
		}
		words := placeholder.ReplaceAllStringFunc(r.Remediation, func(p string) string {
			name := strings.Trim(p, "'{}")
			if value, given := names[name]; given {
				return value
			}
			return strings.ToUpper(name)
		})
		if !slices.Contains(steps, words) {
			steps = append(steps, words)
		}
	}
	return steps
}
