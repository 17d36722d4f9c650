package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/evaluator"
)

// Rules and notifications of the report itself. No rule can have such an id:
// theirs have four letters at most, and five where evidence is missing.
const (
	limitRule  = "LIMIT001"
	gapNote    = "GAP001"
	limitNote  = "LIMIT001"
	waiverNote = "WAIVER001"
	baseNote   = "BASELINE001"
)

// Messages that every rule has beside its own. The slash keeps them apart from
// the keys that rules choose.
const (
	passMessage          = "gpugate/pass"
	notApplicableMessage = "gpugate/notApplicable"
	goneMessage          = "gpugate/gone"
)

func (s *sarifRun) tool(results []sarifResult) *sarif.Tool {
	version, _, _ := strings.Cut(s.a.Tool.Version, "-")
	driver := sarif.NewToolComponent().WithName("gpugate").WithFullName(s.words("gpugate, a compliance scanner for GPU servers")).
		WithInformationURI(homepage).WithVersion(version).WithSemanticVersion(s.a.Tool.Version)
	driver.Rules = []*sarif.ReportingDescriptor{}
	used := map[string]bool{}
	for _, r := range results {
		used[r.id] = true
	}
	count, left := 2*len(s.a.Rules), 0
	add := func(d *sarif.ReportingDescriptor) {
		if s.limits.rules > 0 && count > s.limits.rules && !used[*d.ID] {
			left++
			return
		}
		s.ruleIndex[*d.ID] = len(driver.Rules)
		driver.Rules = append(driver.Rules, d)
	}
	for i := range s.a.Rules {
		add(s.ruleDescriptor(&s.a.Rules[i]))
		add(s.unknownDescriptor(&s.a.Rules[i]))
	}
	if used[limitRule] {
		driver.Rules = append(driver.Rules, s.limitDescriptor())
		s.ruleIndex[limitRule] = len(driver.Rules) - 1
	}
	if left > 0 {
		s.say("%d of %d rule descriptions are left out, those of rules without a result: the limit is %d", left, count, s.limits.rules)
	}
	driver.Notifications = s.notificationDescriptors()
	return sarif.NewTool().WithDriver(driver)
}

// ruleDescriptor describes a rule with its full help.
func (s *sarifRun) ruleDescriptor(r *evaluator.RuleResult) *sarif.ReportingDescriptor {
	d := s.descriptor(r.ID, ruleName(r, ""), r.Title, r.Description, r.Remediation)
	d.HelpURI = new(ruleURL(r))
	d.MessageStrings = messageStrings(s.o.Language, r)
	if s.profile == SARIFFull {
		d.MessageStrings[passMessage] = multiformat(s.words("'{0}': '{1}' keeps the rule."))
		d.MessageStrings[notApplicableMessage] = multiformat(s.words("'{0}': the rule does not apply to '{1}'."))
		d.MessageStrings[goneMessage] = multiformat(s.words("'{0}': '{1}' no longer violates the rule, which the baseline said it did: '{2}'."))
	}
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel(string(r.Severity))
	d.Properties = s.ruleProperties(r, r.Severity)
	if r.SecuritySeverity != "" {
		d.Properties.Add("security-severity", r.SecuritySeverity)
	}
	return d
}

// unknownDescriptor describes "the rule could not be judged".
func (s *sarifRun) unknownDescriptor(r *evaluator.RuleResult) *sarif.ReportingDescriptor {
	level := unknownSeverity(r.Severity)
	d := s.descriptor(r.UnknownID(), ruleName(r, "Unknown"), s.words("Not judged: %s", r.Title),
		s.words("Evidence for %s is missing, so it is not known whether the rule is kept: %s", r.ID, r.Description), s.words(unknownRemediation))
	d.HelpURI = new(ruleURL(r))
	d.MessageStrings = map[string]sarif.MultiformatMessageString{unknownMessage: multiformat(s.words("'{0}': '{1}' cannot be judged for '{2}': '{3}'."))}
	if s.profile == SARIFFull {
		d.MessageStrings[goneMessage] = multiformat(s.words("'{0}': '{1}' could not be judged when the baseline was made, and can be now: '{2}'."))
	}
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel(string(level))
	d.Properties = s.ruleProperties(r, level, "missing-evidence")
	return d
}

// limitDescriptor describes "there is more than this file may hold".
func (s *sarifRun) limitDescriptor() *sarif.ReportingDescriptor {
	d := s.descriptor(limitRule, "ResultsLeftOut", s.words("Results are left out of this file"),
		s.words("There are more results than a code-scanning view takes. The lightest ones are left out; the message says how many."),
		s.words("Read the whole list in another format (gpugate report ASSESSMENT -o html), or scan with --select in several runs, each with a --sarif-category of its own."))
	d.HelpURI = new(homepage + "/blob/main/docs/sarif.md")
	d.MessageStrings = map[string]sarif.MultiformatMessageString{limitMessage: multiformat(s.words("'{0}': '{1}' of '{2}' results are left out of this file, the lightest ones."))}
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel("error")
	p := sarif.NewPropertyBag()
	p.Add("tags", []string{"gpu", "missing-evidence"})
	p.Add("precision", "very-high")
	p.Add("problem.severity", "error")
	d.Properties = p
	return d
}

const limitMessage = "leftOut"

func (s *sarifRun) descriptor(id, name, short, full, help string) *sarif.ReportingDescriptor {
	d := sarif.NewReportingDescriptor().WithID(id).WithName(name)
	d.ShortDescription = &sarif.MultiformatMessageString{Text: new(truncate(sentence(short), 1024))}
	d.FullDescription = &sarif.MultiformatMessageString{Text: new(truncate(sentence(full), 1024))}
	markdown := fmt.Sprintf("## %s\n\n%s\n\n### %s\n\n%s\n", clean(short), paragraphs(full), s.words("What to do"), paragraphs(help))
	d.Help = &sarif.MultiformatMessageString{Text: new(sentence(full) + " " + s.words("What to do:") + " " + sentence(help)), Markdown: &markdown}
	return d
}

// ruleName is the PascalCase name of a rule. A title in another alphabet gives
// none; the rule's package does.
func ruleName(r *evaluator.RuleResult, suffix string) string {
	const longest = 255
	name := pascal(r.EnglishTitle())
	if name == "" {
		name = pascal(r.Package[strings.LastIndexByte(r.Package, '.')+1:])
	}
	name = cmp.Or(name, "Rule")
	return name[:min(len(name), longest-len(suffix))] + suffix
}

func (s *sarifRun) ruleProperties(r *evaluator.RuleResult, level evaluator.Severity, more ...string) *sarif.PropertyBag {
	tags := append([]string{"gpu", r.Topic}, more...)
	if r.SecuritySeverity != "" {
		tags = append(tags, "security")
	}
	for _, row := range r.Covers {
		tags = append(tags, "row:"+row)
	}
	tags = unique(tags)
	p := sarif.NewPropertyBag()
	if n := s.limits.tags; n > 0 && len(tags) > n {
		s.say("%d of %d tags of rule %s are left out: the limit is %d; its property rows has all rows", len(tags)-n, len(tags), r.ID, n)
		tags = tags[:n]
	}
	p.Add("tags", tags)
	p.Add("rows", r.Covers)
	p.Add("precision", "very-high")
	p.Add("problem.severity", map[evaluator.Severity]string{evaluator.Error: "error", evaluator.Warning: "warning", evaluator.Note: "recommendation"}[level])
	return p
}

// unique keeps the first of each.
func unique(list []string) []string {
	var kept []string
	for _, s := range list {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

func ruleURL(r *evaluator.RuleResult) string {
	if !r.Custom {
		return homepage + "/blob/main/" + r.Doc()
	}
	for _, ref := range r.References {
		if strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
			return ref
		}
	}
	return homepage + "/blob/main/policies/README.md"
}

// paragraphs is text of a policy with its paragraphs kept.
func paragraphs(s string) string {
	parts := strings.Split(strings.TrimSpace(s), "\n\n")
	for i, p := range parts {
		parts[i] = sentence(p)
	}
	return strings.Join(parts, "\n\n")
}
