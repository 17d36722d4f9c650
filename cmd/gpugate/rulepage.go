package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// rulePage is the page of one rule. Everything on it is taken from the rule:
// from its METADATA, from its conditions, and from what it finds on the documents
// it is tested with.
type rulePage struct {
	strings.Builder
	rule    *evaluator.Rule
	ways    []evaluator.Way
	said    map[string][]string
	rows    []row
	example evaluator.Example
}

func newRulePage(p *evaluator.PolicySet, r *evaluator.Rule, requirements []row, example evaluator.Example) (*rulePage, error) {
	page := &rulePage{rule: r, said: map[string][]string{}, rows: requirements, example: example}
	var err error
	if page.ways, err = p.Ways(r.ID); err != nil {
		return nil, err
	}
	for _, set := range []string{"fail", "unknown", "assumed"} {
		if page.said[set], err = p.Said(r.ID, set); err != nil {
			return nil, err
		}
	}
	page.head()
	page.why()
	page.judged()
	if err := page.facts(); err != nil {
		return nil, err
	}
	page.toDo()
	page.more()
	return page, nil
}

func (p *rulePage) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *rulePage) head() {
	r := p.rule
	p.line("%s# %s: %s\n\n%s\n", generated, r.ID, r.Title, r.Description)
	p.line("| | |\n|---|---|\n| topic | %s |\n| severity | %s |", r.Topic, r.Severity)
	if r.SecuritySeverity != "" {
		p.line("| security severity | %s |", r.SecuritySeverity)
	}
	if len(r.Covers) > 0 {
		p.line("| rows | %s |", strings.Join(r.Covers, ", "))
	}
	p.line("| written in | [%s](../../%s) |", r.File, r.File)
}

// why names the requirements of the guide that the rule answers.
func (p *rulePage) why() {
	if len(p.rule.Covers) == 0 && p.rule.Why == "" {
		return
	}
	p.line("\n## Why\n")
	if p.rule.Why != "" {
		p.line("%s\n", p.rule.Why)
	}
	if len(p.rule.Covers) == 0 {
		return
	}
	p.line("It answers these rows of the operations guide ([which rule covers what](../coverage.md)):\n")
	for _, id := range p.rule.Covers {
		i := slices.IndexFunc(p.rows, func(r row) bool { return r.ID == id })
		if i < 0 {
			p.line("- **%s**", id)
			continue
		}
		p.line("- **%s** %s", id, p.rows[i].Requirement)
	}
}

// judged tells by which conditions.
func (p *rulePage) judged() {
	p.line("\n## How it is judged\n")
	for _, sentence := range p.rule.Judged {
		p.line("- %s", sentence)
	}
	if len(p.rule.Judged) > 0 {
		p.line("")
	}
	p.line("A violation counts once proven, even where other facts are missing. Otherwise the verdict is **unknown** as long as any of\n" +
		"the facts below could not be read: missing evidence is never a pass. Else it is a pass.")
	p.set("fail", "It is **violated** where all of these hold:")
	p.set("unknown", "It is also **unknown** where all of these hold:")
	p.set("applicable", "It does **not apply** where all of these hold:")
	if rest := p.unplaced(); len(rest) > 0 {
		p.line("\n### Violated or unknown\n\nBy what its libraries find it may say:\n")
		p.messages(rest)
	}
	if len(p.said["assumed"]) > 0 {
		p.line("\n### Taken on somebody's word\n")
		p.messages(p.said["assumed"])
	}
	if p.example.Message != "" {
		p.line("\n### An example\n\n> **%s**: %s", p.example.Subject, p.example.Message)
	}
}

// unplaced are the messages whose keys the policies work out, so that it is not
// written down which of them are violations.
func (p *rulePage) unplaced() []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(p.rule.Messages)) {
		said := func(set []string) bool { return slices.Contains(set, key) }
		if !slices.ContainsFunc(slices.Collect(maps.Values(p.said)), said) {
			keys = append(keys, key)
		}
	}
	return keys
}

// set tells what a set of the rule says and by which conditions. Where these
// stand in a library, the messages alone are told.
func (p *rulePage) set(name, words string) {
	titles := map[string]string{"fail": "Violated", "unknown": "Unknown", "applicable": "Not applicable"}
	var ways []evaluator.Way
	for _, w := range p.ways {
		if w.Set == name && len(w.Conditions) > 0 {
			ways = append(ways, w)
		}
	}
	said := slices.DeleteFunc(slices.Clone(p.said[name]), func(key string) bool {
		return slices.ContainsFunc(ways, func(w evaluator.Way) bool { return w.Says == p.rule.Messages[key] })
	})
	if len(ways) == 0 && len(said) == 0 {
		return
	}
	p.line("\n### %s", titles[name])
	if len(ways) > 0 {
		p.line("\n%s", words)
	}
	for _, w := range ways {
		indent := ""
		if w.Says != "" {
			p.line("\n- %s", w.Says)
			indent = "  "
		}
		p.line("\n%s```rego", indent)
		for _, c := range w.Conditions {
			p.line("%s%s", indent, c.Text)
		}
		p.line("%s```", indent)
	}
	if len(said) > 0 {
		p.line("\nBy what its libraries find it may say:\n")
		p.messages(said)
	}
}

func (p *rulePage) messages(keys []string) {
	for _, key := range keys {
		p.line("- %s", p.rule.Messages[key])
	}
}

// facts lists the facts that the rule is judged by.
func (p *rulePage) facts() error {
	p.line("\n## Facts\n\n| fact | what it is |\n|---|---|")
	for _, path := range p.rule.Requires {
		doc, ok, err := facts.DescribePath(path)
		if err != nil {
			return err
		}
		if !ok {
			p.line("| `%s` | |", path)
			continue
		}
		p.line("| [`%s`](../facts.md#%s) | %s |", path, strings.ToLower(doc.Type), cell(doc.Description))
	}
	return nil
}

func (p *rulePage) toDo() {
	p.line("\n## What to do\n\n%s", p.rule.Remediation)
	if p.example.Remediation != "" && p.example.Remediation != p.rule.Remediation {
		p.line("\nIn the example:\n\n> %s", p.example.Remediation)
	}
}

// more lists every message by its key, which stored assessments hold, and pages
// elsewhere.
func (p *rulePage) more() {
	p.line("\n## Messages\n\n| key | message |\n|---|---|")
	for _, key := range slices.Sorted(maps.Keys(p.rule.Messages)) {
		p.line("| `%s` | %s |", key, cell(p.rule.Messages[key]))
	}
	for i, ref := range p.rule.References {
		if i == 0 {
			p.line("\n## More\n")
		}
		p.line("- <%s>", ref)
	}
}
