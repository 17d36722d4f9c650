package reports

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// WriteText writes the report for people: who holds which GPU, what is wrong,
// what could not be told and why, and what the gate says. It fits 80 columns.
func WriteText(w io.Writer, a *evaluator.Assessment, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, a, o)
	t.header()
	t.ownership()
	t.violations()
	t.unknowns()
	t.waived()
	t.waivers()
	t.baseline()
	t.assumptions()
	t.rest()
	t.gate()
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// text is one report being written. Errors of the writer surface at the flush.
type text struct {
	w     *bufio.Writer
	a     *evaluator.Assessment
	width int
	lang  words.Language

	bold, faint, red, yellow, green lipgloss.Style
}

func newText(w *bufio.Writer, a *evaluator.Assessment, o Options) *text {
	r := lipgloss.NewRenderer(w)
	r.SetColorProfile(termenv.Ascii)
	if o.Color {
		r.SetColorProfile(termenv.ANSI)
	}
	return &text{
		w: w, a: a, width: min(cmp.Or(o.Width, 80), 120), lang: o.Language,
		bold: r.NewStyle().Bold(true), faint: r.NewStyle().Faint(true),
		red: r.NewStyle().Foreground(lipgloss.Color("1")), yellow: r.NewStyle().Foreground(lipgloss.Color("3")),
		green: r.NewStyle().Foreground(lipgloss.Color("2")),
	}
}

func (t *text) line(format string, args ...any) {
	fmt.Fprintf(t.w, format+"\n", args...)
}

// wrapped writes a text over as many lines as it needs, the first one after
// lead, the others indented as far.
func (t *text) wrapped(lead, words string) {
	indent := lipgloss.Width(lead)
	for i, l := range wrap(clean(words), t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line("%s%s", lead, l)
	}
}

// say words something in the language of the report.
func (t *text) say(format string, args ...any) string { return t.lang.Say(format, args...) }

// heading begins a part of the report.
func (t *text) heading(title string) {
	t.line("")
	t.line("%s", t.bold.Render(title))
}

func (t *text) header() {
	server := t.a.Host.Name
	if t.a.Host.OS != "" {
		server += ", " + t.a.Host.OS
	}
	t.wrapped(t.bold.Render("gpugate "+t.a.Tool.Version)+"  ", server)
	dates := t.say("facts of %s", t.a.Facts.CollectedAt.Format("2006-01-02 15:04 UTC"))
	if !t.a.AsOf.Equal(t.a.Facts.CollectedAt) {
		dates += t.say(", judged as of %s", t.a.AsOf.Format("2006-01-02"))
	}
	t.line("%s", t.faint.Render(dates))
}

// ownership draws one line a GPU: who runs on it, who may take it, and whether
// these are at odds.
func (t *text) ownership() {
	t.heading(t.say("Who holds the GPUs"))
	if len(t.a.Ownership) == 0 {
		t.line("  %s", t.say("no GPU was seen"))
		return
	}
	column := (t.width - 8) / 2
	t.line("%s", t.faint.Render("  "+Pad("GPU", 4)+" "+Pad(t.say("RUNS ON IT"), column)+" "+t.say("MAY TAKE IT")))
	for _, g := range t.a.Ownership {
		runs, may := holders(g)
		mark, style := t.mark(g)
		runs, may = wrapAll(runs, column-1, t.say("nobody seen")), wrapAll(may, column, t.say("nobody seen"))
		for i := range max(len(runs), len(may)) {
			index := ""
			if i == 0 {
				index = gpuIndex(g)
			} else {
				mark = ""
			}
			row := style.Render(cmp.Or(mark, " ")) + " " + Pad(index, 4) + " " + Pad(at(runs, i), column) + " " + at(may, i)
			t.line("%s", strings.TrimRight(row, " "))
		}
		if words := ownerWords(t.lang, t.a, g); words != "" {
			for _, l := range wrap(words, t.width-7) {
				t.line("       %s", style.Render(l))
			}
		}
	}
}

// mark says at a glance how one GPU stands: "✗" for a proven conflict, "?" for
// one that cannot be ruled out, "✓" when both are settled.
func (t *text) mark(g evaluator.GPUOwnership) (string, lipgloss.Style) {
	switch ownerVerdict(t.a, g) {
	case evaluator.Fail:
		return "✗", t.red
	case evaluator.Unknown:
		return "?", t.yellow
	case evaluator.Pass:
		return "✓", t.green
	case evaluator.NotApplicable:
	}
	return " ", t.faint
}

// violations lists what is proven wrong, the heaviest first.
func (t *text) violations() {
	open := func(r evaluator.RuleResult) bool {
		return slices.ContainsFunc(r.Subjects, func(s evaluator.SubjectResult) bool { return s.Verdict == evaluator.Fail && !s.Waived() })
	}
	rules := slices.DeleteFunc(rulesWith(t.a, evaluator.Fail), func(r evaluator.RuleResult) bool { return !open(r) })
	if len(rules) == 0 {
		return
	}
	t.heading(t.say("Violations"))
	for _, r := range rules {
		t.wrapped(fmt.Sprintf("%s %s  ", t.severity(r.Severity), t.bold.Render(r.ID)), r.Title)
		for _, s := range r.Subjects {
			if s.Waived() {
				continue
			}
			for _, f := range s.Findings {
				t.wrapped("    - ", f.Message)
				if place := firstPlace(f.Evidence); place != "" {
					t.line("      %s", t.faint.Render(t.say("at %s", place)))
				}
				t.wrapped("      → ", f.Remediation)
			}
		}
	}
}

func (t *text) severity(s evaluator.Severity) string {
	style := t.faint
	switch s {
	case evaluator.Error:
		style = t.red
	case evaluator.Warning:
		style = t.yellow
	case evaluator.Note, evaluator.Never:
	}
	return style.Render(Pad(t.lang.Name(string(s)), 7))
}

// unknowns says what could not be told, by reason.
func (t *text) unknowns() {
	groups, rules := unknownGroups(t.a)
	if len(groups) == 0 {
		return
	}
	t.heading(t.say("Cannot be told: %s, for %s", t.lang.Count(rules, "rule"), t.lang.Count(len(groups), "reason")))
	for _, g := range groups {
		t.wrapped(t.yellow.Render("?")+" ", g.Message)
		t.wrapped("    ", t.lang.Count(len(g.Rules), "rule")+": "+strings.Join(g.Rules, " "))
	}
}

// assumptions says whose word was taken.
func (t *text) assumptions() {
	seen := assumptions(t.a)
	if len(seen) == 0 {
		return
	}
	t.heading(t.say("Taken at somebody's word"))
	for _, s := range seen {
		t.wrapped("  ", s)
	}
}

// rest lists the rules that pass or do not apply, in few lines.
func (t *text) rest() {
	for _, group := range []struct {
		verdict evaluator.Verdict
		title   string
	}{{evaluator.Pass, t.say("Passed")}, {evaluator.NotApplicable, t.say("Not applicable")}} {
		rules := rulesWith(t.a, group.verdict)
		if len(rules) == 0 {
			continue
		}
		t.heading(group.title + ": " + t.lang.Count(len(rules), "rule"))
		for _, r := range rules {
			t.wrapped("  "+t.green.Render(r.ID)+"  ", r.Title)
		}
	}
}

func (t *text) gate() {
	s := t.a.Summary
	t.heading(t.say("%d of %s judged on complete evidence (%d %%)", s.Judged, t.lang.Count(s.Selected, "rule"), s.CoveragePercent))
	style, word := t.green, t.say("open")
	if t.a.Gate.ExitCode != evaluator.ExitPass {
		style, word = t.red, t.say("closed")
	}
	t.wrapped(t.say("Gate")+" "+style.Render(word)+": ", t.say("%s (exit %d)", t.a.Gate.Reason, t.a.Gate.ExitCode))
}

// firstPlace is where a person looks first.
func firstPlace(evidence []evaluator.Evidence) string {
	if places := located(evidence); len(places) > 0 {
		return clean(fmt.Sprintf("%s:%d:%d", places[0].File, places[0].Line, places[0].Column))
	}
	return ""
}

// Pad fills a text up to a width in columns: a Korean letter takes two.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-lipgloss.Width(s)))
}
