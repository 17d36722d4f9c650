package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
)

// diagnosis says how far each source got, and what that costs.
type diagnosis struct {
	heading string
	// capture is stripped from paths; empty for the live host.
	capture string
	sources []sourceDiagnosis
	// unknown are the rules that some gap leaves unknown, of so many rules.
	unknown []string
	rules   int
}

type sourceDiagnosis struct {
	facts.Source
	// parts are what the source consists of: daemons and how far each got.
	parts   []string
	missing []missing
	advice  []string
	unknown []string
}

// missing is one cause with all that is missing for it.
type missing struct {
	paths  []string
	reason facts.Reason
	detail string
}

// diagnose takes the rules left unknown from a judgement of the same facts, so
// that doctor and scan never differ.
func diagnose(d *facts.Document, a *evaluator.Assessment, v viewer) *diagnosis {
	x := &diagnosis{heading: v.heading(d), capture: v.capture, rules: len(a.Rules)}
	for _, name := range facts.SourceNames() {
		s := sourceDiagnosis{Source: d.Source(name)}
		for _, g := range s.Gaps {
			s.add(g, v.advice(name, g))
			for _, r := range leftUnknown(a, g) {
				s.unknown = appendNew(s.unknown, r)
				x.unknown = appendNew(x.unknown, r)
			}
		}
		if name == facts.SourceDocker {
			s.parts = daemons(d)
		}
		slices.Sort(s.unknown)
		x.sources = append(x.sources, s)
	}
	return x
}

func (s *sourceDiagnosis) add(g facts.Gap, advice string) {
	i := slices.IndexFunc(s.missing, func(m missing) bool { return m.reason == g.Reason && m.detail == g.Detail })
	if i < 0 {
		s.missing = append(s.missing, missing{reason: g.Reason, detail: g.Detail})
		i = len(s.missing) - 1
	}
	s.missing[i].paths = appendNew(s.missing[i].paths, g.Path)
	if advice != "" {
		s.advice = appendNew(s.advice, advice)
	}
}

// leftUnknown lists the rules with a verdict that is unknown because of a gap.
func leftUnknown(a *evaluator.Assessment, g facts.Gap) []string {
	var ids []string
	for _, r := range a.Rules {
		if slices.ContainsFunc(r.Subjects, func(s evaluator.SubjectResult) bool {
			return slices.ContainsFunc(s.Causes, func(c evaluator.Cause) bool {
				return c.Path == g.Path && c.Reason == g.Reason && c.Message == g.Detail
			})
		}) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func daemons(d *facts.Document) []string {
	var parts []string
	for _, e := range d.Docker.Daemons {
		words := fmt.Sprintf("%s: %s", e.Endpoint, e.Status)
		if e.ServerVersion != "" {
			words += fmt.Sprintf(", %s %s, containers: %d", e.Engine, e.ServerVersion, len(e.Containers))
		}
		parts = append(parts, words)
	}
	return parts
}

// text is the diagnosis for people.
func (x *diagnosis) text(a *app) []byte {
	var b bytes.Buffer
	paragraph(&b, "", a.tell(x.heading))
	short := strings.NewReplacer()
	if x.capture != "" {
		short = strings.NewReplacer(strings.TrimSuffix(x.capture, "/")+"/", "")
	}
	for _, s := range x.sources {
		s.write(a, &b, short)
	}
	if len(x.unknown) == 0 {
		fmt.Fprintf(&b, "\n%s\n", a.tell("No rule is left unknown for want of evidence."))
	} else {
		fmt.Fprintf(&b, "\n%s\n", a.tell(fmt.Sprintf("%d of %d rules are left unknown for want of evidence.", len(x.unknown), x.rules)))
	}
	return b.Bytes()
}

func (s *sourceDiagnosis) write(a *app, w io.Writer, short *strings.Replacer) {
	fmt.Fprintln(w)
	// The status is a part of the lead: it keeps its column.
	paragraph(w, fmt.Sprintf("%s %-10s  %s  ", statusMark(s.Status), s.Name, reports.Pad(a.lang.Name(string(s.Status)), 8)), a.tell(short.Replace(readFrom(s.Source))))
	for _, p := range s.parts {
		paragraph(w, "  - ", p)
	}
	if s.Detail != "" {
		paragraph(w, "  ", a.tell(s.Detail))
	}
	for _, m := range s.missing {
		paragraph(w, "  "+a.tell("missing")+"  ", fmt.Sprintf("%s (%s): %s", strings.Join(m.paths, ", "), a.lang.Name(string(m.reason)), a.tell(short.Replace(m.detail))))
	}
	if len(s.unknown) == 0 {
		if len(s.missing) > 0 {
			paragraph(w, "  ", a.tell("No rule stays unknown for it on this server."))
		}
		return
	}
	for _, advice := range s.advice {
		paragraph(w, "  → ", a.tell(advice))
	}
	paragraph(w, "  "+a.tell("leaves unknown")+"  ", strings.Join(s.unknown, " "))
}

func readFrom(s facts.Source) string {
	if s.Via == "" {
		return ""
	}
	return "from " + s.Via
}

// statusMark says at a glance whether a source was read, is not there, or is
// not known.
func statusMark(s facts.Status) string {
	switch s {
	case facts.StatusComplete:
		return "✓"
	case facts.StatusAbsent, facts.StatusSkipped:
		return "–"
	case facts.StatusPartial, facts.StatusDenied, facts.StatusTimeout, facts.StatusFailed:
	}
	return "!"
}

// paragraph writes text over as many lines as it needs, the first one after
// lead, the others indented as far.
func paragraph(w io.Writer, lead, text string) {
	indent := lipgloss.Width(lead)
	for _, line := range reports.Wrap(text, helpWidth-indent) {
		fmt.Fprintln(w, strings.TrimRight(lead+line, " "))
		lead = strings.Repeat(" ", indent)
	}
}
