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
)

//go:embed html/page.html
var htmlPage string

//go:embed html/style.css
var htmlStyle string

//go:embed html/filter.js
var htmlScript string

// page is the parsed template; what comes from a host is escaped by it.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"clean":   clean,
	"plural":  plural,
	"place":   firstPlace,
	"short":   func(digest string) string { return digest[:min(12, len(digest))] },
	"add":     func(a, b int) int { return a + b },
	"reasons": reasons,
	"waiver":  waiverWords,
}).Parse(htmlPage))

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
}

// WriteHTML writes one file that needs nothing else: it works offline, without
// JavaScript (then without the filter), and printed.
func WriteHTML(w io.Writer, a *evaluator.Assessment, _ Options) error {
	groups, open := unknownGroups(a)
	r := htmlReport{
		Assessment: a, Open: a.Gate.ExitCode == evaluator.ExitPass, Picture: drawOwnership(a),
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
	if err := page.Execute(w, r); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

// hashSource allows exactly one inline text.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
