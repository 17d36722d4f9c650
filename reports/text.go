package reports

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
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
		var runs, may []string
		for _, c := range g.Claims {
			if c.Kind == "running" {
				runs = append(runs, claimText(c))
			} else {
				may = append(may, claimText(c))
			}
		}
		mark, style := t.mark(g)
		runs, may = wrapAll(slices.Compact(runs), column-1, "nobody seen"), wrapAll(slices.Compact(may), column, "nobody seen")
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
		if words := t.ownerWords(g); words != "" {
			for _, l := range wrap(words, t.width-7) {
				t.line("       %s", style.Render(l))
			}
		}
	}
}

// gpuIndex is the card's place in nvidia-smi order, as far as it is known.
func gpuIndex(g evaluator.GPUOwnership) string {
	if g.Index == nil {
		return "?"
	}
	return strconv.Itoa(*g.Index)
}

// mark says at a glance how one GPU stands: "✗" for a proven conflict, "?" for
// one that cannot be ruled out, "✓" when both are settled.
func (t *text) mark(g evaluator.GPUOwnership) (string, lipgloss.Style) {
	switch t.ownerVerdict(g) {
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

// ownerVerdict is the worst verdict that the rules on owners have for one GPU.
func (t *text) ownerVerdict(g evaluator.GPUOwnership) evaluator.Verdict {
	for _, v := range []evaluator.Verdict{evaluator.Fail, evaluator.Unknown, evaluator.Pass} {
		if len(t.ownerRules(g, v)) > 0 {
			return v
		}
	}
	return ""
}

// ownerRules are the rules on owners with that verdict for one GPU. A rule that
// could name no GPU speaks of the host, and so of every GPU.
func (t *text) ownerRules(g evaluator.GPUOwnership, v evaluator.Verdict) []string {
	var ids []string
	for _, r := range t.a.Rules {
		if r.Topic == "owner" && slices.ContainsFunc(r.Subjects, func(s evaluator.SubjectResult) bool {
			return s.Verdict == v && (s.Subject.Kind == "gpu" && s.Subject.ID == g.GPU || s.Subject.Kind == "host")
		}) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// ownerWords names the rules behind a mark.
func (t *text) ownerWords(g evaluator.GPUOwnership) string {
	switch v := t.ownerVerdict(g); v {
	case evaluator.Fail:
		return "violates " + strings.Join(t.ownerRules(g, v), " ")
	case evaluator.Unknown:
		return "not settled: " + strings.Join(t.ownerRules(g, v), " ")
	case evaluator.Pass, evaluator.NotApplicable:
	}
	return ""
}

func claimText(c evaluator.Claim) string {
	s := clean(strings.TrimSpace(c.Manager + " " + c.Claimant))
	// Why a running process has no known owner is said by the findings.
	if c.Note != "" && c.Kind != "running" {
		s += " (" + clean(c.Note) + ")"
	}
	return s
}

// violations lists what is proven wrong, the heaviest first.
func (t *text) violations() {
	rules := t.rulesWith(evaluator.Fail)
	if len(rules) == 0 {
		return
	}
	t.heading("Violations")
	for _, r := range rules {
		t.wrapped(fmt.Sprintf("%s %s  ", t.severity(r.Severity), t.bold.Render(r.ID)), r.Title)
		for _, s := range r.Subjects {
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

// unknowns groups what could not be told by why: people read causes, not lists.
func (t *text) unknowns() {
	type group struct {
		message string
		rules   []string
	}
	var groups []*group
	rules := map[string]bool{}
	for _, r := range t.a.Rules {
		for _, s := range r.Subjects {
			missing := slices.ContainsFunc(s.Causes, func(c evaluator.Cause) bool { return c.Kind == "gap" })
			for _, c := range s.Causes {
				// Where facts are missing, what the rule makes of that is no
				// reason of its own.
				if missing && c.Kind != "gap" {
					continue
				}
				rules[r.ID] = true
				i := slices.IndexFunc(groups, func(g *group) bool { return g.message == c.Message })
				if i < 0 {
					groups = append(groups, &group{message: c.Message})
					i = len(groups) - 1
				}
				if !slices.Contains(groups[i].rules, r.ID) {
					groups[i].rules = append(groups[i].rules, r.ID)
				}
			}
		}
	}
	if len(groups) == 0 {
		return
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(len(b.rules), len(a.rules)) })
	t.heading("Cannot be told: %s, for %s", plural(len(rules), "rule"), plural(len(groups), "reason"))
	for _, g := range groups {
		t.wrapped(t.yellow.Render("?")+" ", g.message)
		t.wrapped("    ", plural(len(g.rules), "rule")+": "+strings.Join(g.rules, " "))
	}
}

// assumptions says whose word was taken.
func (t *text) assumptions() {
	var seen []string
	for _, r := range t.a.Rules {
		for _, s := range r.Assumptions {
			if !slices.Contains(seen, s.Message) {
				seen = append(seen, s.Message)
			}
		}
	}
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
		rules := t.rulesWith(group.verdict)
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

// rulesWith returns the rules of one verdict, the heaviest first.
func (t *text) rulesWith(v evaluator.Verdict) []evaluator.RuleResult {
	var rules []evaluator.RuleResult
	for _, r := range t.a.Rules {
		if r.Verdict == v {
			rules = append(rules, r)
		}
	}
	order := []evaluator.Severity{evaluator.Error, evaluator.Warning, evaluator.Note}
	slices.SortStableFunc(rules, func(a, b evaluator.RuleResult) int {
		return cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity))
	})
	return rules
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
