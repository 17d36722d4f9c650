package evaluator

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// expiringDays is how long before its end a waiver is reported.
	expiringDays = 14
	// manyVerdicts is more than one decision of a person can be about.
	manyVerdicts = 10
)

// waive marks the verdicts that waivers cover, and says what became of each
// waiver. A verdict that several cover goes to the first.
func (a *Assessment) waive(set *WaiverSet, rules []*Rule) {
	if set == nil {
		return
	}
	a.Waivers = &WaiverReport{File: set.File, SHA256: set.SHA256, Waivers: []WaiverUse{}}
	for _, w := range set.Waivers {
		a.Waivers.Waivers = append(a.Waivers.Waivers, a.use(w, rules))
	}
	for i := range a.Rules {
		a.Rules[i].Waived = waived(a.Rules[i].Subjects)
	}
}

// waived reports whether waivers cover all that is bad, and there is something.
func waived(subjects []SubjectResult) bool {
	open := func(s SubjectResult) bool { return s.Bad() && !s.Waived() }
	return slices.ContainsFunc(subjects, SubjectResult.Waived) && !slices.ContainsFunc(subjects, open)
}

// use applies one waiver.
func (a *Assessment) use(w *Waiver, rules []*Rule) WaiverUse {
	u := WaiverUse{WaiverTerms: w.WaiverTerms, Covers: []WaivedVerdict{}}
	if !w.forHost(a.Host.Name) {
		u.State = WaiverOtherHost
		return u
	}
	expired := w.expired(a.AsOf)
	var unknowns []string
	judged := false
	for i := range a.Rules {
		r := &a.Rules[i]
		if !w.forRule(r.ID) {
			continue
		}
		judged = true
		for j := range r.Subjects {
			s := &r.Subjects[j]
			if !s.Bad() || !w.forSubject(s.Subject) {
				continue
			}
			if !w.covers(s.Verdict) {
				unknowns = append(unknowns, r.ID+" on "+s.Subject.Name)
				continue
			}
			u.Covers = append(u.Covers, WaivedVerdict{Rule: r.ID, Subject: s.Subject, Fingerprint: s.Fingerprint, Verdict: s.Verdict})
			if !expired && s.Waiver == nil {
				s.Waiver = &u.WaiverTerms
			}
		}
	}
	switch {
	case expired:
		u.State = WaiverExpired
	case len(u.Covers) > 0:
		u.State = WaiverActive
	case !judged && slices.ContainsFunc(rules, func(r *Rule) bool { return w.forRule(r.ID) }):
		u.State = WaiverNotJudged
	default:
		u.State = WaiverUnmatched
	}
	u.notice(w, a, unknowns, rules)
	return u
}

// notice says what somebody should do about a waiver.
func (u *WaiverUse) notice(w *Waiver, a *Assessment, unknowns []string, rules []*Rule) {
	add := func(kind, format string, args ...any) {
		u.Notices = append(u.Notices, WaiverNotice{Kind: kind, Message: fmt.Sprintf(format, args...)})
	}
	left := w.daysLeft(a.AsOf)
	switch {
	case u.State == WaiverExpired && len(u.Covers) > 0:
		add("expired", "expired on %s: what it covered counts again (%s)", w.Expires, u.covered())
	case u.State == WaiverExpired:
		add("expired", "expired on %s and would cover nothing any more; take it out", w.Expires)
	case left <= expiringDays:
		add("expiring", "expires on %s, %s", w.Expires, inDays(left))
	}
	switch {
	case u.State != WaiverUnmatched:
	case !slices.ContainsFunc(rules, func(r *Rule) bool { return w.forRule(r.ID) }):
		add("unmatched", "covers nothing: there is no rule %s%s", w.Rule, nearest(w.Rule, ruleIDs(rules)))
	case len(unknowns) == 0:
		add("unmatched", "covers nothing: %s found nothing wrong with %s; take it out if that is settled, or mend the pattern", w.Rule, w.Subject)
	}
	if len(unknowns) > 0 {
		add("unknown-not-covered", "does not cover missing evidence (it would have to say unknown: true): %s", shortList(unknowns))
	}
	if u.State == WaiverOtherHost || u.State == WaiverNotJudged {
		return
	}
	switch {
	case wild(w.Rule):
		add("broad", "is for every rule that is like %s, also for those that are yet to be written; name one rule", w.Rule)
	case everything(w.Subject) && len(u.Covers) > 1:
		add("broad", "is for every subject and covers %s (%s); name the subject", count(len(u.Covers), "verdict"), u.covered())
	case len(u.Covers) > manyVerdicts:
		add("broad", "covers %s, more than one decision can be about; name the subjects more closely", count(len(u.Covers), "verdict"))
	}
}

func inDays(n int) string {
	switch n {
	case 0:
		return "which is the day of this assessment"
	case 1:
		return "in 1 day"
	}
	return fmt.Sprintf("in %d days", n)
}

func (u *WaiverUse) covered() string {
	var names []string
	for _, c := range u.Covers {
		names = append(names, c.Rule+" on "+c.Subject.Name)
	}
	return shortList(names)
}

// shortList names the first few.
func shortList(names []string) string {
	const few = 5
	if more := len(names) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), more)
	}
	return strings.Join(names, ", ")
}

func ruleIDs(rules []*Rule) []string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// WouldWaive says what a waiver would cover in an assessment, which stays as it
// is.
func (a *Assessment) WouldWaive(w *Waiver) WaiverUse {
	copied := *a
	copied.Rules = slices.Clone(a.Rules)
	var rules []*Rule
	for i := range copied.Rules {
		copied.Rules[i].Subjects = slices.Clone(a.Rules[i].Subjects)
		rules = append(rules, &copied.Rules[i].Rule)
	}
	return copied.use(w, rules)
}
