package evaluator

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Diff is what changed between two assessments, and why.
type Diff struct {
	SchemaVersion string   `json:"schemaVersion" jsonschema:"enum=gpugate.diff/v1"`
	Old           DiffSide `json:"old"`
	New           DiffSide `json:"new"`
	// Inputs are those that differ: host, tool, facts, policies, waivers,
	// options, asOf.
	Inputs []InputChange `json:"inputs"`
	// Changes are sorted: what became worse first, then by rule and subject.
	Changes []Change `json:"changes"`
	// Worse, Better and Other count the changes.
	Worse  int `json:"worse"`
	Better int `json:"better"`
	Other  int `json:"other"`
}

// DiffVersion names the shape of a diff.
const DiffVersion = "gpugate.diff/v1"

// DiffSide is one of the two assessments.
type DiffSide struct {
	File    string    `json:"file"`
	Host    string    `json:"host"`
	AsOf    time.Time `json:"asOf"`
	Outcome string    `json:"outcome"`
	Reason  string    `json:"reason"`
}

// InputChange is one thing that verdicts rest on and that is not the same.
type InputChange struct {
	Name string `json:"name" jsonschema:"enum=host,enum=tool,enum=facts,enum=policies,enum=waivers,enum=options,enum=asOf"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Change is one verdict that is not what it was.
type Change struct {
	// Kind is worse, better or other (the verdict is the same, but what is said
	// of it is not).
	Kind        string   `json:"kind" jsonschema:"enum=worse,enum=better,enum=other"`
	Rule        string   `json:"rule"`
	Title       string   `json:"title"`
	Severity    Severity `json:"severity"`
	Subject     Subject  `json:"subject"`
	Fingerprint string   `json:"fingerprint"`
	// Old and New are absent where the rule did not judge the subject.
	Old *DiffVerdict `json:"old,omitempty"`
	New *DiffVerdict `json:"new,omitempty"`
	// Why says which inputs the change comes from, as far as that can be told.
	Why string `json:"why"`
}

// DiffVerdict is a verdict with what it rests on.
type DiffVerdict struct {
	Verdict  Verdict         `json:"verdict"`
	Waived   bool            `json:"waived,omitempty"`
	Messages []string        `json:"messages,omitempty"`
	Evidence []EvidenceValue `json:"evidence,omitempty"`
}

// EvidenceValue is a piece of evidence with its value, where the facts were at
// hand.
type EvidenceValue struct {
	Evidence
	Value any `json:"value,omitempty"`
}

// Compare says what changed from one assessment to another.
func Compare(oldFile string, old *Assessment, newFile string, current *Assessment) *Diff {
	d := &Diff{
		SchemaVersion: DiffVersion, Old: side(oldFile, old), New: side(newFile, current),
		Inputs: inputChanges(old, current), Changes: []Change{},
	}
	for _, p := range pairUp(old, current) {
		if c, changed := d.change(p); changed {
			d.Changes = append(d.Changes, c)
		}
	}
	order := []string{"worse", "better", "other"}
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind)),
			cmp.Compare(b.Severity.weight(), a.Severity.weight()), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Subject.Kind, b.Subject.Kind), cmp.Compare(a.Subject.Name, b.Subject.Name), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	for _, c := range d.Changes {
		switch c.Kind {
		case "worse":
			d.Worse++
		case "better":
			d.Better++
		default:
			d.Other++
		}
	}
	return d
}

func side(file string, a *Assessment) DiffSide {
	return DiffSide{File: file, Host: a.Host.Name, AsOf: a.AsOf, Outcome: a.Gate.Outcome, Reason: a.Gate.Reason}
}

// inputChanges compares what verdicts rest on.
func inputChanges(old, current *Assessment) []InputChange {
	changes := []InputChange{}
	compare := func(name, before, after string) {
		if before != after {
			changes = append(changes, InputChange{Name: name, Old: before, New: after})
		}
	}
	compare("host", old.Host.Name, current.Host.Name)
	compare("tool", old.Tool.Version, current.Tool.Version)
	compare("facts", old.Facts.SHA256, current.Facts.SHA256)
	compare("policies", old.Policies.SHA256, current.Policies.SHA256)
	compare("waivers", old.waiversDigest(), current.waiversDigest())
	compare("options", old.Options.String(), current.Options.String())
	if old.AsOf.UTC().Format(time.DateOnly) != current.AsOf.UTC().Format(time.DateOnly) {
		compare("asOf", old.AsOf.UTC().Format(time.DateOnly), current.AsOf.UTC().Format(time.DateOnly))
	}
	return changes
}

func (a *Assessment) waiversDigest() string {
	if a.Waivers == nil {
		return ""
	}
	return a.Waivers.SHA256
}

// String writes the options as flags.
func (o JudgedWith) String() string {
	var words []string
	for _, flag := range []struct {
		name   string
		values []string
	}{{"--select", o.Select}, {"--skip", o.Skip}} {
		if len(flag.values) > 0 {
			words = append(words, flag.name+" "+strings.Join(flag.values, ","))
		}
	}
	if o.MaxAge != "" {
		words = append(words, "--max-age "+o.MaxAge)
	}
	return strings.Join(words, " ")
}

// pairing is a verdict on both sides, of which one may be missing.
type pairing struct {
	rule                 *RuleResult
	oldRule, newRule     *RuleResult
	oldResult, newResult *SubjectResult
}

// pairUp finds for each verdict the one on the other side. Subjects are known by
// kind and lasting name, whatever the host is called; of several that share
// them, the worst meets the worst.
func pairUp(old, current *Assessment) []pairing {
	var pairs []pairing
	for i := range current.Rules {
		r := &current.Rules[i]
		o := old.result(r.ID)
		used := map[*SubjectResult]bool{}
		for j := range r.Subjects {
			p := pairing{rule: r, newRule: r, oldRule: o, newResult: &r.Subjects[j]}
			p.oldResult = o.sameSubject(p.newResult.Subject, used)
			pairs = append(pairs, p)
		}
		if o == nil {
			continue
		}
		for j := range o.Subjects {
			if !used[&o.Subjects[j]] {
				pairs = append(pairs, pairing{rule: r, newRule: r, oldRule: o, oldResult: &o.Subjects[j]})
			}
		}
	}
	for i := range old.Rules {
		r := &old.Rules[i]
		if current.result(r.ID) != nil {
			continue
		}
		for j := range r.Subjects {
			pairs = append(pairs, pairing{rule: r, oldRule: r, oldResult: &r.Subjects[j]})
		}
	}
	return pairs
}

// result returns the result of a rule, or nil.
func (a *Assessment) result(id string) *RuleResult {
	for i := range a.Rules {
		if a.Rules[i].ID == id {
			return &a.Rules[i]
		}
	}
	return nil
}

// sameSubject returns the first result on the subject that is not used yet. The
// host stands for itself under any name.
func (r *RuleResult) sameSubject(s Subject, used map[*SubjectResult]bool) *SubjectResult {
	if r == nil {
		return nil
	}
	for i := range r.Subjects {
		o := &r.Subjects[i]
		if !used[o] && o.Subject.Kind == s.Kind && (o.Subject.Lasting() == s.Lasting() || s.Kind == "host") {
			used[o] = true
			return o
		}
	}
	return nil
}

// change says whether and how a verdict changed.
func (d *Diff) change(p pairing) (Change, bool) {
	c := Change{Rule: p.rule.ID, Title: p.rule.Title, Severity: p.rule.Severity, Old: verdictOf(p.oldResult), New: verdictOf(p.newResult)}
	of := p.newResult
	if of == nil {
		of = p.oldResult
	}
	c.Subject, c.Fingerprint = of.Subject, of.Fingerprint
	switch {
	case p.newRule == nil:
		// Nobody looks any more: what was good may be bad now.
		c.Kind = "worse"
	case p.newResult == nil:
		if !p.oldResult.Bad() {
			return c, false // nothing is said of it, and nothing was wrong
		}
		c.Kind = "better"
		if slices.ContainsFunc(p.newRule.Subjects, func(s SubjectResult) bool { return s.Verdict == Unknown }) {
			c.Kind = "worse"
		}
	case p.newResult.Bad() && (p.oldResult == nil || p.oldResult.Verdict != p.newResult.Verdict || p.oldResult.Waived() && !p.newResult.Waived()):
		c.Kind = "worse"
	case p.oldResult == nil:
		return c, false // a new subject that is fine
	case p.oldResult.Bad() && !p.newResult.Bad(), p.newResult.Waived() && !p.oldResult.Waived():
		c.Kind = "better"
	case p.oldResult.Verdict != p.newResult.Verdict, !slices.Equal(p.oldResult.messages(), p.newResult.messages()):
		c.Kind = "other"
	default:
		return c, false
	}
	c.Why = d.why(p)
	return c, true
}

func verdictOf(s *SubjectResult) *DiffVerdict {
	if s == nil {
		return nil
	}
	v := &DiffVerdict{Verdict: s.Verdict, Waived: s.Waived(), Messages: s.messages()}
	for _, f := range s.Findings {
		for _, e := range f.Evidence {
			v.Evidence = append(v.Evidence, EvidenceValue{Evidence: e})
		}
	}
	for _, c := range s.Causes {
		for _, e := range c.Evidence {
			v.Evidence = append(v.Evidence, EvidenceValue{Evidence: e})
		}
	}
	return v
}

// why names the inputs that a change comes from.
func (d *Diff) why(p pairing) string {
	differs := func(name string) bool {
		return slices.ContainsFunc(d.Inputs, func(i InputChange) bool { return i.Name == name })
	}
	switch {
	case p.oldRule == nil:
		return "the rule was not judged before: " + d.ruleGone(differs)
	case p.newRule == nil:
		return "the rule is not judged any more: " + d.ruleGone(differs)
	case p.oldResult != nil && p.newResult != nil && p.oldResult.Verdict == p.newResult.Verdict && p.oldResult.Waived() != p.newResult.Waived():
		return d.whyWaived(p, differs)
	}
	var causes []string
	if differs("host") {
		causes = append(causes, "it is another host")
	}
	if differs("facts") {
		causes = append(causes, "the facts differ")
	}
	if differs("policies") {
		if reflect.DeepEqual(p.oldRule.Rule, p.newRule.Rule) {
			causes = append(causes, "the policies differ (not in what this rule says of itself)")
		} else {
			causes = append(causes, "the policies differ, and this rule with them")
		}
	}
	if differs("asOf") {
		causes = append(causes, "it was judged as of another day")
	}
	if differs("options") {
		causes = append(causes, "the options differ")
	}
	if differs("tool") {
		causes = append(causes, "another version of gpugate judged")
	}
	if len(causes) == 0 {
		return "nothing it rests on differs; one of the two assessments was changed by hand"
	}
	return strings.Join(causes, "; ")
}

func (d *Diff) ruleGone(differs func(string) bool) string {
	switch {
	case differs("policies") && differs("options"):
		return "the policies and the selection differ"
	case differs("policies"):
		return "the policies differ"
	case differs("options"):
		return "the selection differs"
	}
	return "one of the two assessments was changed by hand"
}

func (d *Diff) whyWaived(p pairing, differs func(string) bool) string {
	if p.newResult.Waived() {
		return fmt.Sprintf("waived by %s until %s: %s", p.newResult.Waiver.Approver, p.newResult.Waiver.Expires, p.newResult.Waiver.Reason)
	}
	w := p.oldResult.Waiver
	if d.New.AsOf.UTC().Format(time.DateOnly) > w.Expires {
		return fmt.Sprintf("the waiver by %s has expired on %s", w.Approver, w.Expires)
	}
	if differs("waivers") {
		return fmt.Sprintf("the waiver by %s until %s is not given any more", w.Approver, w.Expires)
	}
	return fmt.Sprintf("the waiver by %s until %s no longer matches", w.Approver, w.Expires)
}
