package evaluator

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Wording is what a rule says to people, in one language.
type Wording struct {
	Title       string
	Description string
	Remediation string
	// Messages have the keys and the placeholders of the rule's own.
	Messages map[string]string
}

// reword lets the rule speak otherwise; its name stays.
func (r *Rule) reword(w Wording) {
	r.englishTitle = r.EnglishTitle()
	r.Title, r.Description, r.Remediation, r.Messages = w.Title, w.Description, w.Remediation, w.Messages
}

// EnglishTitle is the title that names are made from, whatever language the rule
// speaks.
func (r *Rule) EnglishTitle() string {
	if r.englishTitle != "" {
		return r.englishTitle
	}
	return r.Title
}

// readKorean reads custom.ko; nil where a rule has none.
func readKorean(c customFields) *Wording {
	m, ok := c.m["ko"].(map[string]any)
	if !ok {
		return nil
	}
	ko := customFields{m}
	return &Wording{
		Title: ko.text("title"), Description: strings.TrimSpace(ko.text("description")),
		Remediation: strings.TrimSpace(ko.text("remediation")), Messages: ko.textMap("messages"),
	}
}

// checkTranslation names what a translation lacks: it says all that the rule
// says, of the same arguments.
func (r *Rule) checkTranslation(language string, w *Wording) error {
	var errs []error
	same := func(what, original, translated string) {
		switch {
		case translated == "":
			errs = append(errs, fmt.Errorf("custom.%s.%s is missing", language, what))
		case !slices.Equal(placeholdersOf(original), placeholdersOf(translated)):
			errs = append(errs, fmt.Errorf("custom.%s.%s has the arguments %s, the English text %s",
				language, what, listed(placeholdersOf(translated)), listed(placeholdersOf(original))))
		}
	}
	same("title", r.Title, w.Title)
	same("description", r.Description, w.Description)
	same("remediation", r.Remediation, w.Remediation)
	for _, key := range slices.Sorted(maps.Keys(r.Messages)) {
		same("messages."+key, r.Messages[key], w.Messages[key])
	}
	for _, key := range slices.Sorted(maps.Keys(w.Messages)) {
		if _, known := r.Messages[key]; !known {
			errs = append(errs, fmt.Errorf("custom.%s.messages has %q, which custom.messages has not", language, key))
		}
	}
	return errors.Join(errs...)
}

// placeholdersOf lists the {arguments} of a template, each once, sorted.
func placeholdersOf(template string) []string {
	found := placeholderForm.FindAllString(template, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// InKorean is a copy of the assessment in which the rules speak Korean: titles,
// descriptions, messages, remediations. Verdicts, fingerprints and arguments are
// the same. A rule without Korean words (of the user's own), or one whose
// English words are no longer those of the assessment, is left as it is.
func (p *PolicySet) InKorean(a *Assessment) *Assessment {
	translated := *a
	translated.Rules = slices.Clone(a.Rules)
	for i := range translated.Rules {
		r := &translated.Rules[i]
		n := slices.IndexFunc(p.Rules, func(known *Rule) bool { return known.ID == r.ID })
		if n < 0 || p.Rules[n].Korean == nil || p.Rules[n].Remediation != r.Remediation {
			continue
		}
		r.translate(*p.Rules[n].Korean, p.Rules[n].Messages)
	}
	return &translated
}

// translate words the result anew; templates are the English ones of the words.
func (r *RuleResult) translate(w Wording, templates map[string]string) {
	english := r.Messages
	said := func(s Statement) Statement {
		if english[s.MessageID] != templates[s.MessageID] {
			return s
		}
		if text, err := render(w.Messages[s.MessageID], s.Arguments); err == nil && text != "" {
			s.Message = text
		}
		return s
	}
	r.Assumptions = slices.Clone(r.Assumptions)
	for i, s := range r.Assumptions {
		r.Assumptions[i] = said(s)
	}
	r.Subjects = slices.Clone(r.Subjects)
	for i := range r.Subjects {
		s := &r.Subjects[i]
		s.Findings = slices.Clone(s.Findings)
		for j, f := range s.Findings {
			f.Statement = said(f.Statement)
			if text, err := render(w.Remediation, f.Arguments); err == nil {
				f.Remediation = text
			}
			s.Findings[j] = f
		}
		s.Causes = slices.Clone(s.Causes)
		for j, c := range s.Causes {
			if c.Kind == "rule" {
				s.Causes[j].Message = said(Statement{MessageID: c.MessageID, Message: c.Message, Arguments: c.Arguments}).Message
			}
		}
	}
	r.reword(w)
}
