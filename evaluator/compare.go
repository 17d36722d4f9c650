package evaluator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Baseline is an earlier assessment to compare with.
type Baseline struct {
	// File is the path as the user gave it; SHA256 is the digest of its text.
	File, SHA256 string
	Assessment   *Assessment
}

// compare marks what is new since the baseline, and lists what has gone. Only a
// verdict that the baseline holds in the open, on the same rule and subject of
// the same host, is unchanged. One that turned from unknown to fail, or from
// fail to unknown, is new, and so is one that a waiver covered then and none
// covers now: a baseline hides nothing that nobody has seen.
func (a *Assessment) compare(b *Baseline) {
	if b == nil {
		return
	}
	old := b.Assessment
	a.Baseline = &BaselineReport{
		File: b.File, SHA256: b.SHA256, Host: old.Host.Name, AsOf: old.AsOf,
		FactsSHA256: old.Facts.SHA256, PoliciesSHA256: old.Policies.SHA256,
		Notices: a.baselineNotices(old), Absent: []BaselineEntry{}, Unsettled: []BaselineEntry{},
	}
	pool := newPool(old)
	a.eachBad(func(r *RuleResult, s *SubjectResult) {
		s.Baseline = StateNew
		if !s.Waived() && pool.take(old.Host.Name == a.Host.Name, r.ID, s) {
			s.Baseline = StateUnchanged
		}
	})
	a.eachBad(func(r *RuleResult, s *SubjectResult) {
		if s.Waived() && pool.take(old.Host.Name == a.Host.Name, r.ID, s) {
			s.Baseline = StateUnchanged
		}
	})
	a.eachBad(func(_ *RuleResult, s *SubjectResult) {
		if s.Baseline == StateNew {
			a.Baseline.New++
		} else {
			a.Baseline.Unchanged++
		}
	})
	if old.Host.Name == a.Host.Name {
		for _, e := range pool.left() {
			a.settleEntry(e)
		}
	}
}

// eachBad visits every failed and unknown verdict.
func (a *Assessment) eachBad(visit func(*RuleResult, *SubjectResult)) {
	for i := range a.Rules {
		r := &a.Rules[i]
		for j := range r.Subjects {
			if r.Subjects[j].Bad() {
				visit(r, &r.Subjects[j])
			}
		}
	}
}

// baselinePool holds the baseline's bad verdicts that were not met again yet.
type baselinePool struct{ entries []*pooled }

type pooled struct {
	BaselineEntry
	waived, taken bool
}

func newPool(old *Assessment) *baselinePool {
	p := &baselinePool{}
	old.eachBad(func(r *RuleResult, s *SubjectResult) {
		p.entries = append(p.entries, &pooled{waived: s.Waived(), BaselineEntry: BaselineEntry{
			Rule: r.ID, Title: r.Title, Severity: r.Severity, Subject: s.Subject,
			// Not what the file says it is: two hosts would match by hand.
			Fingerprint: Fingerprint(old.Host.Name, r.ID, s.Subject),
			Verdict:     s.Verdict, Messages: s.messages(),
		}})
	})
	return p
}

// messages are what an assessment says of a verdict.
func (s SubjectResult) messages() []string {
	var all []string
	for _, f := range s.Findings {
		all = append(all, f.Message)
	}
	for _, c := range s.Causes {
		all = append(all, c.Message)
	}
	return all
}

// take uses up one entry of the same rule, subject and verdict: for one that no
// waiver covers, only an entry that none covered either.
func (p *baselinePool) take(sameHost bool, rule string, s *SubjectResult) bool {
	if !sameHost {
		return false
	}
	for _, waived := range []bool{s.Waived(), false} {
		for _, e := range p.entries {
			if !e.taken && e.waived == waived && e.Rule == rule && e.Fingerprint == s.Fingerprint && e.Verdict == s.Verdict {
				e.taken = true
				return true
			}
		}
	}
	return false
}

func (p *baselinePool) left() []BaselineEntry {
	var entries []BaselineEntry
	for _, e := range p.entries {
		if !e.taken {
			entries = append(entries, e.BaselineEntry)
		}
	}
	return entries
}

// settleEntry says what became of a verdict that is not there any more. It is
// gone only if the rule could see that.
func (a *Assessment) settleEntry(e BaselineEntry) {
	i := slices.IndexFunc(a.Rules, func(r RuleResult) bool { return r.ID == e.Rule })
	if i < 0 {
		e.Now = "not-judged"
		a.Baseline.Unsettled = append(a.Baseline.Unsettled, e)
		return
	}
	r := a.Rules[i]
	same := slices.IndexFunc(r.Subjects, func(s SubjectResult) bool { return s.Fingerprint == e.Fingerprint })
	blind := slices.ContainsFunc(r.Subjects, func(s SubjectResult) bool { return s.Verdict == Unknown })
	switch {
	case same >= 0 && !r.Subjects[same].Bad():
		e.Now = string(r.Subjects[same].Verdict)
	case same >= 0 && r.Subjects[same].Verdict != e.Verdict, same >= 0 && r.Subjects[same].Baseline == StateNew:
		return // it is new
	case blind:
		e.Now = "not-seen"
		a.Baseline.Unsettled = append(a.Baseline.Unsettled, e)
		return
	case r.Verdict == NotApplicable:
		e.Now = string(NotApplicable)
	default:
		e.Now = "gone"
	}
	a.Baseline.Absent = append(a.Baseline.Absent, e)
}

// baselineNotices say what makes the comparison less than it seems.
func (a *Assessment) baselineNotices(old *Assessment) []string {
	var notices []string
	if old.Host.Name != a.Host.Name {
		return []string{fmt.Sprintf("the baseline is of another host, %s; nothing in it counts as known here", cmp.Or(old.Host.Name, "without a name"))}
	}
	if a.Host.Name == unnamedHost {
		notices = append(notices, "neither the baseline nor the facts name their host; that they are of one host is taken for granted")
	}
	if old.Policies.SHA256 != a.Policies.SHA256 {
		notices = append(notices, fmt.Sprintf("the baseline was judged by other policies (%.12s, now %.12s); what is new may come from a rule that has changed", old.Policies.SHA256, a.Policies.SHA256))
	}
	if old.AsOf.After(a.AsOf) {
		notices = append(notices, fmt.Sprintf("the baseline is of %s, later than this assessment", old.AsOf.UTC().Format("2006-01-02 15:04 UTC")))
	}
	if only := rulesOnlyIn(a, old); len(only) > 0 {
		notices = append(notices, "not judged in the baseline, so all they find is new: "+strings.Join(only, " "))
	}
	if only := rulesOnlyIn(old, a); len(only) > 0 {
		notices = append(notices, "judged in the baseline, but not now: "+strings.Join(only, " "))
	}
	return notices
}

// rulesOnlyIn lists the rules that one assessment has and the other has not.
func rulesOnlyIn(a, other *Assessment) []string {
	var ids []string
	for _, r := range a.Rules {
		if !slices.ContainsFunc(other.Rules, func(o RuleResult) bool { return o.ID == r.ID }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
