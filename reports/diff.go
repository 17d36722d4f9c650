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
	}{{Pad(t.say("old"), 5), d.Old}, {Pad(t.say("new"), 5), d.New}} {
		t.wrapped(s.lead, t.say("%s: %s as of %s; %s", s.side.File, s.side.Host, s.side.AsOf.UTC().Format("2006-01-02"), t.lang.Retell(s.side.Reason)))
	}
	if len(d.Inputs) == 0 {
		t.wrapped("     ", t.say("Both rest on the same facts, policies, waivers and options."))
	}
	for _, i := range d.Inputs {
		t.wrapped("  ≠  ", fmt.Sprintf("%s: %s → %s", t.lang.Name(i.Name), t.shortDigest(i.Old), t.shortDigest(i.New)))
	}
	title := map[string]string{"worse": t.say("Worse"), "better": t.say("Better"), "other": t.say("Different")}
	last := ""
	for _, c := range d.Changes {
		if c.Kind != last {
			t.heading(title[c.Kind])
			last = c.Kind
		}
		t.change(c)
	}
	t.line("")
	if len(d.Changes) == 0 {
		t.wrapped("", t.say("No verdict changed."))
	} else {
		t.wrapped("", t.say("%d worse, %d better, %d different.", d.Worse, d.Better, d.Other))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing what changed: %w", err)
	}
	return nil
}

func (t *text) change(c evaluator.Change) {
	mark := map[string]string{"worse": t.red.Render("✗"), "better": t.green.Render("✓"), "other": t.yellow.Render("≠")}[c.Kind]
	t.wrapped(mark+" "+t.bold.Render(c.Rule)+"  ", fmt.Sprintf("%s %s: %s → %s", c.Subject.Kind, c.Subject.Name, t.diffVerdict(c.Old), t.diffVerdict(c.New)))
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
	t.wrapped("    ", t.say("why: %s", t.lang.Retell(c.Why)))
}

func (t *text) diffVerdict(v *evaluator.DiffVerdict) string {
	switch {
	case v == nil:
		return t.say("not judged")
	case v.Waived:
		return t.lang.Name(string(v.Verdict)) + t.say(" (waived)")
	}
	return t.lang.Name(string(v.Verdict))
}

// shortDigest keeps the beginning of a digest, which tells it from others.
func (t *text) shortDigest(s string) string {
	const enough = 12
	switch {
	case s == "":
		return t.say("none")
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
