package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// markdownLimit bounds the report, in bytes: a comment on a pull request may
// have 65 536 characters.
const markdownLimit = 60_000

// WriteMarkdown writes a summary for a comment on a pull request or the summary
// of a CI step (GitHub's and GitLab's dialect). It is bounded; what does not fit
// is counted.
func WriteMarkdown(w io.Writer, a *evaluator.Assessment, o Options) error {
	m := &markdown{a: a, lang: o.Language}
	m.gate()
	m.ownership()
	m.violations()
	m.waived()
	m.unknowns()
	m.assumptions()
	m.rest()
	m.footer()
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	return nil
}

type markdown struct {
	a    *evaluator.Assessment
	lang words.Language
	b    strings.Builder
}

func (m *markdown) line(format string, args ...any) {
	fmt.Fprintf(&m.b, format+"\n", args...)
}

func (m *markdown) heading(title string) { m.line("\n### %s\n", title) }

// items writes entries one by one until the bound, and says how many are left.
func (m *markdown) items(entries []string, what string) {
	for i, e := range entries {
		if m.b.Len()+len(e) > markdownLimit {
			m.line("\n_%s_", m.lang.Say("%s more; the other formats have them all.", m.lang.Count(len(entries)-i, what)))
			return
		}
		m.b.WriteString(e)
	}
}

func (m *markdown) gate() {
	word := "✅ " + m.lang.Say("Gate open")
	if m.a.Gate.ExitCode != evaluator.ExitPass {
		word = "❌ " + m.lang.Say("Gate closed")
	}
	m.line("## %s: %s\n", word, md(m.a.Host.Name))
	m.line("%s\n", m.lang.Say("%s (exit %d)", md(m.a.Gate.Reason), m.a.Gate.ExitCode))
	c := m.a.Summary.Rules
	m.line("%s\n|---:|---:|---:|---:|\n| %d | %d | %d | %d |", m.lang.Say("| failed | unknown | passed | not applicable |"), c.Fail, c.Unknown, c.Pass, c.NotApplicable)
}

func (m *markdown) ownership() {
	m.heading(m.lang.Say("Who holds the GPUs"))
	if len(m.a.Ownership) == 0 {
		m.line("%s", m.lang.Say("No GPU was seen."))
		return
	}
	m.line("%s\n|---|---|---|---|", m.lang.Say("| GPU | runs on it | may take it | |"))
	var rows []string
	for _, g := range m.a.Ownership {
		runs, may := holders(g)
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", md(gpuIndex(g)), m.list(runs), m.list(may), md(ownerWords(m.lang, m.a, g))))
	}
	m.items(rows, "GPU")
}

func (m *markdown) list(all []string) string {
	if len(all) == 0 {
		return m.lang.Say("nobody seen")
	}
	const shown = 5
	more := ""
	if len(all) > shown {
		more = m.lang.Say(", and %d more", len(all)-shown)
		all = all[:shown]
	}
	escaped := make([]string, len(all))
	for i, s := range all {
		escaped[i] = md(s)
	}
	return strings.Join(escaped, ", ") + more
}

func (m *markdown) violations() {
	rules := rulesWith(m.a, evaluator.Fail)
	var entries []string
	for _, r := range rules {
		for _, s := range r.Subjects {
			if s.Waived() {
				continue
			}
			for _, f := range s.Findings {
				place := ""
				if at := firstPlace(f.Evidence); at != "" {
					place = " (" + md(at) + ")"
				}
				entries = append(entries, fmt.Sprintf("- **%s** %s: %s%s<br>→ %s\n", r.ID, m.lang.Name(string(r.Severity)), md(f.Message), place, md(f.Remediation)))
			}
		}
	}
	if len(entries) > 0 {
		m.heading(m.lang.Say("Violations"))
		m.items(entries, "violation")
	}
}

// waived lists what waivers keep from closing the gate.
func (m *markdown) waived() {
	var entries []string
	for _, r := range m.a.Rules {
		for _, s := range r.Subjects {
			if words := waiverWords(m.lang, s); words != "" {
				entries = append(entries, m.lang.Say("- **%s** %s on %s: %s\n", r.ID, m.lang.Name(string(s.Verdict)), md(s.Subject.Name), md(words)))
			}
		}
	}
	if len(entries) > 0 {
		m.heading(m.lang.Say("Waived: %s", m.lang.Count(len(entries), "verdict")))
		m.items(entries, "waived verdict")
	}
}

func (m *markdown) unknowns() {
	groups, rules := unknownGroups(m.a)
	if len(groups) == 0 {
		return
	}
	m.heading(m.lang.Say("Cannot be told: %s, for %s", m.lang.Count(rules, "rule"), m.lang.Count(len(groups), "reason")))
	var entries []string
	for _, g := range groups {
		entries = append(entries, fmt.Sprintf("- %s (%s)\n", md(g.Message), strings.Join(g.Rules, ", ")))
	}
	m.items(entries, "reason")
}

func (m *markdown) assumptions() {
	var entries []string
	for _, s := range assumptions(m.a) {
		entries = append(entries, "- "+md(s)+"\n")
	}
	if len(entries) > 0 {
		m.heading(m.lang.Say("Taken at somebody's word"))
		m.items(entries, "assumption")
	}
}

// rest lists what passes or does not apply, folded.
func (m *markdown) rest() {
	var entries []string
	for _, v := range []evaluator.Verdict{evaluator.Pass, evaluator.NotApplicable} {
		for _, r := range rulesWith(m.a, v) {
			entries = append(entries, fmt.Sprintf("| %s | %s | %s |\n", r.ID, md(r.Title), m.lang.Name(string(v))))
		}
	}
	if len(entries) > 0 {
		m.line("\n<details><summary>%s</summary>\n\n%s\n|---|---|---|",
			m.lang.Say("%s passed or not applicable", m.lang.Count(len(entries), "rule")), m.lang.Say("| rule | title | verdict |"))
		m.items(entries, "rule")
		m.line("\n</details>")
	}
}

func (m *markdown) footer() {
	m.line("\n<sub>%s</sub>", m.lang.Say("gpugate %s · facts of %s · as of %s · facts sha256 %.12s · policies sha256 %.12s", md(m.a.Tool.Version),
		m.a.Facts.CollectedAt.Format("2006-01-02 15:04 UTC"), m.a.AsOf.Format("2006-01-02"), md(m.a.Facts.SHA256), md(m.a.Policies.SHA256)))
}

// mdEscapes make text from a host plain text: no markup, no mention of people,
// no link.
var mdEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "://", ":&#47;&#47;", "www.", "www&#46;",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`,
)

func md(s string) string { return mdEscapes.Replace(clean(s)) }
