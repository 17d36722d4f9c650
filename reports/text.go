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

	bold, faint, red, yellow, green lipgloss.Style
}

func newText(w *bufio.Writer, a *evaluator.Assessment, o Options) *text {
	r := lipgloss.NewRenderer(w)
	r.SetColorProfile(termenv.Ascii)
	if o.Color {
		r.SetColorProfile(termenv.ANSI)
	}
	return &text{
		w: w, a: a, width: min(cmp.Or(o.Width, 80), 120),
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

func (t *text) heading(format string, args ...any) {
	t.line("")
	t.line("%s", t.bold.Render(fmt.Sprintf(format, args...)))
}

func (t *text) header() {
	server := t.a.Host.Name
	if t.a.Host.OS != "" {
		server += ", " + t.a.Host.OS
	}
	t.wrapped(t.bold.Render("gpugate "+t.a.Tool.Version)+"  ", server)
	dates := "facts of " + t.a.Facts.CollectedAt.Format("2006-01-02 15:04 UTC")
	if !t.a.AsOf.Equal(t.a.Facts.CollectedAt) {
		dates += ", judged as of " + t.a.AsOf.Format("2006-01-02")
	}
	t.line("%s", t.faint.Render(dates))
}

// ownership draws one line a GPU: who runs on it, who may take it, and whether
// these are at odds.
func (t *text) ownership() {
	t.heading("Who holds the GPUs")
	if len(t.a.Ownership) == 0 {
		t.line("  no GPU was seen")
		return
	}
	column := (t.width - 8) / 2
	t.line("%s", t.faint.Render(fmt.Sprintf("  %-4s %-*s %s", "GPU", column, "RUNS ON IT", "MAY TAKE IT")))
	for _, g := range t.a.Ownership {
		runs, may := holders(g)
		mark, style := t.mark(g)
		runs, may = wrapAll(runs, column-1, "nobody seen"), wrapAll(may, column, "nobody seen")
		for i := range max(len(runs), len(may)) {
			index := ""
			if i == 0 {
				index = gpuIndex(g)
			} else {
				mark = ""
			}
			row := fmt.Sprintf("%s %-4s %-*s %s", style.Render(cmp.Or(mark, " ")), index, column, at(runs, i), at(may, i))
			t.line("%s", strings.TrimRight(row, " "))
		}
		if words := ownerWords(t.a, g); words != "" {
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
	t.heading("Violations")
	for _, r := range rules {
		t.wrapped(fmt.Sprintf("%s %s  ", t.severity(r.Severity), t.bold.Render(r.ID)), r.Title)
		for _, s := range r.Subjects {
			if s.Waived() {
				continue
			}
			for _, f := range s.Findings {
				t.wrapped("    - ", f.Message)
				if place := firstPlace(f.Evidence); place != "" {
					t.line("      %s", t.faint.Render("at "+place))
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
	return style.Render(fmt.Sprintf("%-7s", s))
}

// unknowns says what could not be told, by reason.
func (t *text) unknowns() {
	groups, rules := unknownGroups(t.a)
	if len(groups) == 0 {
		return
	}
	t.heading("Cannot be told: %s, for %s", plural(rules, "rule"), plural(len(groups), "reason"))
	for _, g := range groups {
		t.wrapped(t.yellow.Render("?")+" ", g.Message)
		t.wrapped("    ", plural(len(g.Rules), "rule")+": "+strings.Join(g.Rules, " "))
	}
}

// assumptions says whose word was taken.
func (t *text) assumptions() {
	seen := assumptions(t.a)
	if len(seen) == 0 {
		return
	}
	t.heading("Taken at somebody's word")
	for _, s := range seen {
		t.wrapped("  ", s)
	}
}

// rest lists the rules that pass or do not apply, in few lines.
func (t *text) rest() {
	for _, group := range []struct {
		verdict evaluator.Verdict
		title   string
	}{{evaluator.Pass, "Passed"}, {evaluator.NotApplicable, "Not applicable"}} {
		rules := rulesWith(t.a, group.verdict)
		if len(rules) == 0 {
			continue
		}
		t.heading("%s: %s", group.title, plural(len(rules), "rule"))
		for _, r := range rules {
			t.wrapped("  "+t.green.Render(r.ID)+"  ", r.Title)
		}
	}
}

func (t *text) gate() {
	s := t.a.Summary
	t.heading("%d of %s judged on complete evidence (%d %%)", s.Judged, plural(s.Selected, "rule"), s.CoveragePercent)
	style, word := t.green, "open"
	if t.a.Gate.ExitCode != evaluator.ExitPass {
		style, word = t.red, "closed"
	}
	t.wrapped("Gate "+style.Render(word)+": ", fmt.Sprintf("%s (exit %d)", t.a.Gate.Reason, t.a.Gate.ExitCode))
}

// firstPlace is where a person looks first.
func firstPlace(evidence []evaluator.Evidence) string {
	if places := located(evidence); len(places) > 0 {
		return clean(fmt.Sprintf("%s:%d:%d", places[0].File, places[0].Line, places[0].Column))
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
