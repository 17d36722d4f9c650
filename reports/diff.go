package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
)

// WriteDiff writes for people what changed between two assessments, and why.
func WriteDiff(w io.Writer, d *evaluator.Diff, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, nil, o)
	for _, s := range []struct {
		lead string
		side evaluator.DiffSide
	}{{"old  ", d.Old}, {"new  ", d.New}} {
		t.wrapped(s.lead, fmt.Sprintf("%s: %s as of %s; %s", s.side.File, s.side.Host, s.side.AsOf.UTC().Format("2006-01-02"), s.side.Reason))
	}
	if len(d.Inputs) == 0 {
		t.wrapped("     ", "Both rest on the same facts, policies, waivers and options.")
	}
	for _, i := range d.Inputs {
		t.wrapped("  ≠  ", fmt.Sprintf("%s: %s → %s", i.Name, shortDigest(i.Old), shortDigest(i.New)))
	}
	title := map[string]string{"worse": "Worse", "better": "Better", "other": "Different"}
	last := ""
	for _, c := range d.Changes {
		if c.Kind != last {
			t.heading("%s", title[c.Kind])
			last = c.Kind
		}
		t.change(c)
	}
	t.line("")
	if len(d.Changes) == 0 {
		t.wrapped("", "No verdict changed.")
	} else {
		t.wrapped("", fmt.Sprintf("%d worse, %d better, %d different.", d.Worse, d.Better, d.Other))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing what changed: %w", err)
	}
	return nil
}

func (t *text) change(c evaluator.Change) {
	mark := map[string]string{"worse": t.red.Render("✗"), "better": t.green.Render("✓"), "other": t.yellow.Render("≠")}[c.Kind]
	t.wrapped(mark+" "+t.bold.Render(c.Rule)+"  ", fmt.Sprintf("%s %s: %s → %s", c.Subject.Kind, c.Subject.Name, diffVerdict(c.Old), diffVerdict(c.New)))
	for _, s := range []struct {
		lead string
		v    *evaluator.DiffVerdict
	}{{"    - ", c.Old}, {"    + ", c.New}} {
		if s.v == nil {
			continue
		}
		for _, m := range s.v.Messages {
			t.wrapped(s.lead, m)
		}
		for _, e := range s.v.Evidence {
			if e.Value != nil {
				t.wrapped(s.lead+"  ", e.Pointer+" = "+jsonText(e.Value))
			}
		}
	}
	t.wrapped("    ", "why: "+c.Why)
}

func diffVerdict(v *evaluator.DiffVerdict) string {
	switch {
	case v == nil:
		return "not judged"
	case v.Waived:
		return string(v.Verdict) + " (waived)"
	}
	return string(v.Verdict)
}

// shortDigest keeps the beginning of a digest, which tells it from others.
func shortDigest(s string) string {
	const enough = 12
	switch {
	case s == "":
		return "none"
	case len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "":
		return s[:enough]
	}
	return s
}

func jsonText(v any) string {
	const most = 120
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	if text := []rune(string(b)); len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(b)
}
