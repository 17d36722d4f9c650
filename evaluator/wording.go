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
// descriptions, messages, remediations. Verdicts and fingerprints are the same.
// What arguments say, and causes that no rule worded, goes through retell. A rule
// without Korean words (of the user's own), or one whose English words are no
// longer those of the assessment, is left as it is.
func (p *PolicySet) InKorean(a *Assessment, retell func(string) string) *Assessment {
	told := *a
	told.Rules = slices.Clone(a.Rules)
	for i := range told.Rules {
		p.translator(&told.Rules[i].Rule, retell).result(&told.Rules[i])
	}
	return &told
}

// InKorean is a copy of the rule that speaks Korean; itself, where it has no such
// words.
func (r *Rule) InKorean() *Rule {
	if r.Korean == nil {
		return r
	}
	told := *r
	told.reword(*r.Korean)
	return &told
}

// ExplainInKorean is a copy of the explanation in which the rule speaks Korean.
func (p *PolicySet) ExplainInKorean(e *Explanation, retell func(string) string) *Explanation {
	told := *e
	t := p.translator(&e.Rule, retell)
	told.Subjects = slices.Clone(e.Subjects)
	for i, s := range told.Subjects {
		told.Subjects[i].SubjectResult = t.subject(s.SubjectResult)
		told.Subjects[i].Ways = t.ways(s.Ways)
	}
	told.Applicable = t.ways(e.Applicable)
	t.rule(&told.Rule)
	return &told
}

// translator words what one rule said anew.
type translator struct {
	// words are nil where the rule has none in the language.
	words *Wording
	// english are the templates that the words are of, recorded those of the
	// assessment: where they differ, the words may say something else.
	english, recorded map[string]string
	retell            func(string) string
}

func (p *PolicySet) translator(r *Rule, retell func(string) string) *translator {
	t := &translator{recorded: r.Messages, retell: retell}
	i := slices.IndexFunc(p.Rules, func(known *Rule) bool { return known.ID == r.ID })
	if i >= 0 && p.Rules[i].Korean != nil && p.Rules[i].Remediation == r.Remediation {
		t.words, t.english = p.Rules[i].Korean, p.Rules[i].Messages
	}
	return t
}

func (t *translator) rule(r *Rule) {
	if t.words != nil {
		r.reword(*t.words)
	}
}

// statement words a message anew, if its template is known.
func (t *translator) statement(s Statement) Statement {
	if t.words == nil || s.MessageID == "" || t.recorded[s.MessageID] != t.english[s.MessageID] {
		return s
	}
	arguments := t.arguments(s.Arguments)
	if text, err := render(t.words.Messages[s.MessageID], arguments); err == nil {
		s.Message, s.Arguments = text, arguments
	}
	return s
}

func (t *translator) arguments(all map[string]string) map[string]string {
	told := make(map[string]string, len(all))
	for name, value := range all {
		told[name] = t.retell(value)
	}
	return told
}

func (t *translator) subject(s SubjectResult) SubjectResult {
	s.Findings = slices.Clone(s.Findings)
	for i, f := range s.Findings {
		f.Statement = t.statement(f.Statement)
		if t.words != nil {
			if text, err := render(t.words.Remediation, f.Arguments); err == nil {
				f.Remediation = text
			}
		}
		s.Findings[i] = f
	}
	s.Causes = slices.Clone(s.Causes)
	for i, c := range s.Causes {
		if c.Kind == "rule" {
			told := t.statement(Statement{MessageID: c.MessageID, Message: c.Message, Arguments: c.Arguments})
			s.Causes[i].Message, s.Causes[i].Arguments = told.Message, told.Arguments
		} else {
			s.Causes[i].Message = t.retell(c.Message)
		}
	}
	return s
}

// ways shows the templates in the other language; conditions are quotations.
func (t *translator) ways(ways []Way) []Way {
	told := slices.Clone(ways)
	for i, w := range told {
		for id, template := range t.english {
			if template == w.Says {
				told[i].Says = t.words.Messages[id]
			}
		}
	}
	return told
}

// result words one rule's result anew.
func (t *translator) result(r *RuleResult) {
	r.Assumptions = slices.Clone(r.Assumptions)
	for i, s := range r.Assumptions {
		r.Assumptions[i] = t.statement(s)
	}
	r.Subjects = slices.Clone(r.Subjects)
	for i, s := range r.Subjects {
		r.Subjects[i] = t.subject(s)
	}
	t.rule(&r.Rule)
}
