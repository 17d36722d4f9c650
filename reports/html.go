package reports

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

//go:embed html/page.html
var htmlPage string

//go:embed html/style.css
var htmlStyle string

//go:embed html/filter.js
var htmlScript string

// page is the parsed template; what comes from a host is escaped by it. The
// words are those of the language it is cloned for.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"clean":   clean,
	"place":   firstPlace,
	"add":     func(a, b int) int { return a + b },
	"reasons": reasons,
}).Funcs(pageWords(words.English)).Parse(htmlPage))

func pageWords(l words.Language) template.FuncMap {
	return template.FuncMap{
		"say":    l.Say,
		"count":  l.Count,
		"name":   func(word any) string { return l.Name(fmt.Sprint(word)) },
		"waiver": func(s evaluator.SubjectResult) string { return waiverWords(l, s) },
	}
}

// htmlReport is what the page shows.
type htmlReport struct {
	*evaluator.Assessment
	Open        bool
	Picture     ownershipPicture
	Rules       []evaluator.RuleResult
	Reasons     []unknownGroup
	OpenRules   int
	Assumptions []string
	Verdicts    []evaluator.Verdict
	Topics      []string
	Style       template.CSS
	Script      template.JS
	// Policy is the content security policy: nothing is loaded and no script
	// runs but the page's own.
	Policy string
	// Language is what the page is written in, as HTML names it.
	Language string
}

// WriteHTML writes one file that needs nothing else: it works offline, without
// JavaScript (then without the filter), and printed.
func WriteHTML(w io.Writer, a *evaluator.Assessment, o Options) error {
	groups, open := unknownGroups(a)
	r := htmlReport{
		Assessment: a, Open: a.Gate.ExitCode == evaluator.ExitPass, Picture: drawOwnership(o.Language, a), Language: o.Language.Tag(),
		Verdicts: []evaluator.Verdict{evaluator.Fail, evaluator.Unknown, evaluator.Pass, evaluator.NotApplicable},
		Reasons:  groups, OpenRules: open, Assumptions: assumptions(a),
		Style: template.CSS(htmlStyle), Script: template.JS(htmlScript), //nolint:gosec // both are files of this package
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hashSource(htmlStyle), hashSource(htmlScript)),
	}
	for _, v := range r.Verdicts {
		r.Rules = append(r.Rules, rulesWith(a, v)...)
	}
	for _, rule := range a.Rules {
		if !slices.Contains(r.Topics, rule.Topic) {
			r.Topics = append(r.Topics, rule.Topic)
		}
	}
	worded, err := page.Clone()
	if err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	if err := worded.Funcs(pageWords(o.Language)).Execute(w, r); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

// hashSource allows exactly one inline text.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
