package evaluator

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Severity is how much a violation weighs.
type Severity string

// The severities, from the heaviest.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// weight orders severities; an unknown one weighs nothing.
func (s Severity) weight() int {
	return map[Severity]int{Error: 3, Warning: 2, Note: 1}[s]
}

// Rule is one policy rule, as its METADATA describes it. Docs, SARIF rules and
// `gpugate policy list` are all made from it.
type Rule struct {
	ID          string   `json:"id"`
	Topic       string   `json:"topic"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// SecuritySeverity is a CVSS-like score ("7.5") where the rule is about
	// security; empty otherwise.
	SecuritySeverity string `json:"securitySeverity,omitempty"`
	// Requires are the dotted fact paths the rule judges by.
	Requires []string `json:"requires"`
	// Covers are the rows of the operations guide the rule answers.
	Covers []string `json:"covers"`
	// Remediation says what to do; it may hold {arguments} of the finding.
	Remediation string `json:"remediation"`
	// Messages are the templates of what a finding says, by key.
	Messages map[string]string `json:"messages"`
	// Why and Judged are more words for the rule's page: the reason for it, and how
	// it is judged. Both are optional.
	Why    string   `json:"-"`
	Judged []string `json:"-"`
	// References are pages that explain more.
	References []string `json:"references,omitempty"`
	// Package is the Rego package; File and Line are where it is written.
	Package string `json:"package"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	// OnRequest is true for a rule that is judged only where it, or its topic, is
	// named by the selection: it asks about a symptom, not about compliance.
	OnRequest bool `json:"onRequest,omitempty"`
	// Custom is true for a rule the user brought along.
	Custom bool `json:"custom,omitempty"`
	// Korean is what the rule says in Korean; nil where one of the user's has no
	// such words.
	Korean *Wording `json:"-"`

	ref          ast.Ref
	englishTitle string
}

// rulePrefix is what the packages of rules begin with.
const rulePrefix = "data.gpugate.rules."

// Prefixes of rule ids by topic. Custom rules may use any other prefix.
var topicPrefixes = map[string]string{
	"owner": "OWN", "os": "OSP", "registration": "REG", "tione": "TIO",
	"scope": "SCP", "prelaunch": "PRE", "operations": "OPS",
}

var (
	idForm          = regexp.MustCompile(`^[A-Z]{2,4}[0-9]{3}$`)
	scoreForm       = regexp.MustCompile(`^[0-9]{1,2}(\.[0-9]+)?$`)
	placeholderForm = regexp.MustCompile(`\{([a-zA-Z][a-zA-Z0-9]*)\}`)
)

// isRule reports whether the module belongs to a rule's package.
func isRule(m *ast.Module) bool {
	return strings.HasPrefix(m.Package.Path.String()+".", rulePrefix)
}

// readRule reads the METADATA of a rule's package.
func readRule(file string, m *ast.Module, custom bool) (*Rule, error) {
	where := fmt.Sprintf("%s:%d", file, m.Package.Location.Row)
	parts := strings.Split(strings.TrimPrefix(m.Package.Path.String(), rulePrefix), ".")
	if len(parts) != 2 {
		return nil, fmt.Errorf("%s: package %s: a rule's package is gpugate.rules.<topic>.<name>", where, m.Package.Path)
	}
	a := packageAnnotation(m)
	if a == nil {
		return nil, fmt.Errorf("%s: the rule's package has no METADATA; see `gpugate policy show` for one that has", where)
	}
	r := &Rule{
		Topic: parts[0], Title: a.Title, Description: strings.TrimSpace(a.Description),
		Package: strings.TrimPrefix(m.Package.Path.String(), "data."), File: file, Line: m.Package.Location.Row,
		Custom: custom, ref: m.Package.Path,
	}
	for _, ref := range a.RelatedResources {
		r.References = append(r.References, ref.Ref.String())
	}
	c := customFields{a.Custom}
	r.ID = c.text("id")
	r.Severity = Severity(c.text("severity"))
	if score, given := c.m["securitySeverity"]; given {
		r.SecuritySeverity = fmt.Sprint(score) // a number that was not put in quotes is not lost
	}
	r.Requires = c.texts("requires")
	r.Covers = c.texts("covers")
	r.Remediation = strings.TrimSpace(c.text("remediation"))
	r.Messages = c.textMap("messages")
	r.Why = strings.TrimSpace(c.text("why"))
	r.Judged = c.texts("judged")
	if value, given := c.m["onRequest"]; given {
		var ok bool
		if r.OnRequest, ok = value.(bool); !ok {
			return nil, fmt.Errorf("%s: METADATA of package %s: custom.onRequest %v: want true or false", where, r.Package, value)
		}
	}
	r.Korean = readKorean(c)
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: METADATA of package %s: %w", where, r.Package, err)
	}
	return r, nil
}

// check names what the METADATA lacks.
func (r *Rule) check() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	need(r.Title != "", "title is missing")
	need(r.Description != "", "description is missing")
	need(idForm.MatchString(r.ID), "custom.id %q: want two to four capital letters and three digits, such as OWN001", r.ID)
	if prefix, builtIn := topicPrefixes[r.Topic]; builtIn && !r.Custom {
		need(strings.HasPrefix(r.ID, prefix), "custom.id %q: rules on %s begin with %s", r.ID, r.Topic, prefix)
	}
	need(r.Severity.weight() > 0, "custom.severity %q: want error, warning or note", r.Severity)
	need(r.SecuritySeverity == "" || isScore(r.SecuritySeverity), "custom.securitySeverity %q: want a score above 0 and up to 10, such as \"7.5\"", r.SecuritySeverity)
	need(len(r.Requires) > 0, "custom.requires is missing: the fact paths the rule judges by")
	need(r.Remediation != "", "custom.remediation is missing: what to do about a violation")
	need(len(r.Messages) > 0, "custom.messages is missing: what a violation says")
	if r.Korean != nil {
		errs = append(errs, r.checkTranslation("ko", r.Korean))
	}
	return errors.Join(errs...)
}

// isScore reports whether a text is a number that a CVSS score can be.
func isScore(s string) bool {
	score, err := strconv.ParseFloat(s, 64)
	return scoreForm.MatchString(s) && err == nil && score > 0 && score <= 10
}

// UnknownID is the id that reports give to "evidence for this rule is missing"
// where they know nothing but rules: OWNU001 for OWN001.
func (r *Rule) UnknownID() string {
	letters := strings.TrimRight(r.ID, "0123456789")
	return letters + "U" + r.ID[len(letters):]
}

// Doc is the path of the rule's page in the documentation.
func (r *Rule) Doc() string { return path.Join("docs", "rules", r.ID+".md") }

// packageAnnotation returns the METADATA above the package statement.
func packageAnnotation(m *ast.Module) *ast.Annotations {
	i := slices.IndexFunc(m.Annotations, func(a *ast.Annotations) bool { return a.Scope == "package" })
	if i < 0 {
		return nil
	}
	return m.Annotations[i]
}

// customFields reads the free part of METADATA.
type customFields struct{ m map[string]any }

func (c customFields) text(key string) string {
	s, _ := c.m[key].(string)
	return s
}

func (c customFields) texts(key string) []string {
	list, _ := c.m[key].([]any)
	texts := make([]string, 0, len(list))
	for _, v := range list {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}

func (c customFields) textMap(key string) map[string]string {
	m, _ := c.m[key].(map[string]any)
	texts := make(map[string]string, len(m))
	for k, v := range m {
		texts[k] = strings.TrimSpace(fmt.Sprint(v))
	}
	return texts
}

// render fills the {arguments} of a template. A missing argument is an error:
// a finding that says "{gpu}" to a person is a fault of the policy.
func render(template string, args map[string]string) (string, error) {
	var missing []string
	text := placeholderForm.ReplaceAllStringFunc(template, func(p string) string {
		value, ok := args[strings.Trim(p, "{}")]
		if !ok {
			missing = append(missing, p)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the template %q has no argument for %s", template, strings.Join(missing, ", "))
	}
	return text, nil
}
