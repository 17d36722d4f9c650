package evaluator

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gobwas/glob"
)

// WaiverSet are the waivers of one file, ready to be applied.
type WaiverSet struct {
	// File is the path as the user gave it; SHA256 is the digest of its text.
	File, SHA256 string
	Waivers      []*Waiver
}

// Waiver is one waiver, ready to be applied.
type Waiver struct {
	WaiverTerms

	rule, subject, host *glob.Pattern
	expires             time.Time
}

// NewWaiver checks the terms that a schema cannot check.
func NewWaiver(terms WaiverTerms) (*Waiver, error) {
	w := &Waiver{WaiverTerms: terms}
	w.Rule = strings.ToUpper(w.Rule)
	var errs []error
	pattern := func(what, text string) *glob.Pattern {
		g, err := glob.Compile(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %q is not a pattern (* stands for any text, ? for one character, \\ before a sign takes it as it is): %w", what, text, err))
		}
		return g
	}
	w.rule, w.subject = pattern("rule", w.Rule), pattern("subject", w.Subject)
	if w.Host != "" {
		w.host = pattern("host", w.Host)
	}
	var err error
	if w.expires, err = time.Parse(time.DateOnly, w.Expires); err != nil {
		errs = append(errs, fmt.Errorf("expires %q is not a date: write it as 2026-12-31", w.Expires))
	}
	for _, said := range []struct{ what, text string }{{"rule", w.Rule}, {"subject", w.Subject}, {"reason", w.Reason}, {"approver", w.Approver}} {
		if strings.TrimSpace(said.text) == "" {
			errs = append(errs, fmt.Errorf("%s is empty", said.what))
		}
	}
	return w, errors.Join(errs...)
}

// forHost reports whether the waiver is meant for the host.
func (w *Waiver) forHost(name string) bool { return w.host == nil || w.host.Match(name) }

// forRule reports whether the waiver is meant for the rule.
func (w *Waiver) forRule(id string) bool { return w.rule.Match(strings.ToUpper(id)) }

// forSubject reports whether the waiver is meant for the subject: by its lasting
// name or by what people call it, with or without its kind before it. A process
// is called by its number, which another one has tomorrow, so it goes by its
// lasting name alone.
func (w *Waiver) forSubject(s Subject) bool {
	names := []string{s.Lasting()}
	if s.Kind != "process" {
		names = append(names, s.Name)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return w.subject.Match(n) || w.subject.Match(s.Kind+"/"+n)
	})
}

// expired reports whether the last day of the waiver is over.
func (w *Waiver) expired(asOf time.Time) bool { return day(asOf).After(w.expires) }

// daysLeft counts the days after today on which the waiver still holds.
func (w *Waiver) daysLeft(asOf time.Time) int { return int(w.expires.Sub(day(asOf)).Hours() / 24) }

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// covers reports whether the waiver speaks of the verdict at all: missing
// evidence only where somebody said so.
func (w *Waiver) covers(v Verdict) bool { return v == Fail || w.Unknown }

// SubjectPattern is the pattern that matches this subject and no other.
func SubjectPattern(s Subject) string { return glob.QuoteMeta(s.Kind + "/" + s.Lasting()) }

// everything reports whether a pattern leaves nothing out.
func everything(pattern string) bool { return strings.Trim(pattern, "*") == "" }

// escaped is a sign that a pattern takes as it is.
var escaped = regexp.MustCompile(`\\.`)

// wild reports whether a pattern may match more than one text.
func wild(pattern string) bool {
	return strings.ContainsAny(escaped.ReplaceAllString(pattern, ""), "*?[{")
}

// Rename gives the file another name, as in an assessment that was made where it
// was called so.
func (s *WaiverSet) Rename(file string) {
	s.File = file
	for _, w := range s.Waivers {
		w.File = file
	}
}
