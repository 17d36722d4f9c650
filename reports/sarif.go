package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

const (
	homepage = "https://github.com/gpugate/gpugate"
	// sourceRoot stands for the root of the user's checkout.
	sourceRoot = "SRCROOT"
)

// WriteSARIF writes SARIF 2.1.0 for code-scanning views. Violations are results
// of their rule. A verdict that could not be reached is a result too, of a rule
// of its own ("evidence for … is missing"), so that a view which shows only
// problems still shows that something could not be checked.
func WriteSARIF(w io.Writer, a *evaluator.Assessment, _ Options) error {
	s := sarifRun{a: a, ruleIndex: map[string]int{}, seen: map[string]int{}}
	log := report.NewV210Report()
	log.AddRun(s.build())
	raw, err := json.Marshal(log)
	if err != nil {
		return fmt.Errorf("encoding SARIF: %w", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return fmt.Errorf("encoding SARIF: %w", err)
	}
	b, err := json.MarshalIndent(withoutDefaults(tree), "", "  ")
	if err != nil {
		return fmt.Errorf("encoding SARIF: %w", err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// sarifRun builds the one run of a log.
type sarifRun struct {
	a         *evaluator.Assessment
	run       *sarif.Run
	ruleIndex map[string]int
	// seen counts results with the same fingerprint.
	seen map[string]int
}

func (s *sarifRun) build() *sarif.Run {
	s.run = sarif.NewRun()
	s.run.Tool = s.tool()
	s.run.ColumnKind = new("unicodeCodePoints")
	s.run.AutomationDetails = sarif.NewRunAutomationDetails().WithID("gpugate/" + s.a.Host.Name + "/")
	s.run.OriginalUriBaseIds = map[string]sarif.ArtifactLocation{
		sourceRoot: {Description: sarif.NewMessage().WithText("The root of the checkout that holds the launch manifest."), Index: -1},
	}
	s.run.Invocations = []*sarif.Invocation{s.invocation()}
	s.run.Results = []*sarif.Result{}
	for i := range s.a.Rules {
		r := &s.a.Rules[i]
		for j := range r.Subjects {
			s.addResults(r, &r.Subjects[j])
		}
	}
	return s.run
}

func (s *sarifRun) tool() *sarif.Tool {
	version, _, _ := strings.Cut(s.a.Tool.Version, "-")
	driver := sarif.NewToolComponent().WithName("gpugate").WithFullName("gpugate, a compliance scanner for GPU servers").
		WithInformationURI(homepage).WithVersion(version).WithSemanticVersion(s.a.Tool.Version)
	driver.Rules = []*sarif.ReportingDescriptor{}
	for i := range s.a.Rules {
		r := &s.a.Rules[i]
		s.ruleIndex[r.ID] = len(driver.Rules)
		driver.Rules = append(driver.Rules, ruleDescriptor(r))
		s.ruleIndex[unknownID(r.ID)] = len(driver.Rules)
		driver.Rules = append(driver.Rules, unknownDescriptor(r))
	}
	driver.Notifications = []*sarif.ReportingDescriptor{
		descriptor("GAP001", "MissingFacts", "A part of the facts is missing",
			"A source could not be read, or not wholly. Rules that rest on it are unknown.",
			"Give the scanner the right it lacks, or collect where the source can be read. `gpugate doctor` says what is missing."),
	}
	return sarif.NewTool().WithDriver(driver)
}

// ruleDescriptor describes a rule with its full help.
func ruleDescriptor(r *evaluator.RuleResult) *sarif.ReportingDescriptor {
	d := descriptor(r.ID, pascal(r.Title), r.Title, r.Description, r.Remediation)
	d.HelpURI = new(ruleURL(r))
	d.MessageStrings = map[string]sarif.MultiformatMessageString{}
	for key, template := range r.Messages {
		d.MessageStrings[key] = sarif.MultiformatMessageString{Text: new(sentence(numbered(template)))}
	}
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel(string(r.Severity))
	d.Properties = ruleProperties(r, r.Severity)
	if r.SecuritySeverity != "" {
		d.Properties.Add("security-severity", r.SecuritySeverity)
	}
	return d
}

// unknownDescriptor describes "the rule could not be judged".
func unknownDescriptor(r *evaluator.RuleResult) *sarif.ReportingDescriptor {
	level := evaluator.Note
	if r.Severity == evaluator.Error {
		level = evaluator.Warning
	}
	d := descriptor(unknownID(r.ID), pascal(r.Title)+"Unknown", "Not judged: "+r.Title,
		fmt.Sprintf("Evidence for %s is missing, so it is not known whether the rule is kept: %s", r.ID, r.Description),
		"Provide the evidence the message names. `gpugate doctor` says which sources can be read here. Missing evidence never counts as a pass.")
	d.HelpURI = new(ruleURL(r))
	d.MessageStrings = map[string]sarif.MultiformatMessageString{"default": {Text: new("{0} cannot be judged: {1}.")}}
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel(string(level))
	d.Properties = ruleProperties(r, level)
	return d
}

func descriptor(id, name, short, full, help string) *sarif.ReportingDescriptor {
	d := sarif.NewReportingDescriptor().WithID(id).WithName(name)
	d.ShortDescription = &sarif.MultiformatMessageString{Text: new(truncate(sentence(short), 1024))}
	d.FullDescription = &sarif.MultiformatMessageString{Text: new(truncate(sentence(full), 1024))}
	markdown := fmt.Sprintf("## %s\n\n%s\n\n### What to do\n\n%s\n", short, full, help)
	d.Help = &sarif.MultiformatMessageString{Text: new(sentence(full) + " What to do: " + sentence(help)), Markdown: &markdown}
	return d
}

func ruleProperties(r *evaluator.RuleResult, level evaluator.Severity) *sarif.PropertyBag {
	tags := []string{"gpu", r.Topic}
	for _, row := range r.Covers {
		if len(tags) < 10 {
			tags = append(tags, "row:"+row)
		}
	}
	p := sarif.NewPropertyBag()
	p.Add("tags", tags)
	p.Add("precision", "very-high")
	p.Add("problem.severity", map[evaluator.Severity]string{evaluator.Error: "error", evaluator.Warning: "warning", evaluator.Note: "recommendation"}[level])
	return p
}

func (s *sarifRun) invocation() *sarif.Invocation {
	i := sarif.NewInvocation().WithExecutionSuccessful(true).WithExitCode(s.a.Gate.ExitCode)
	i.ExitCodeDescription = new(s.a.Gate.Reason)
	for _, source := range s.a.Sources {
		for _, gap := range source.Gaps {
			n := sarif.NewNotification().WithLevel(notificationLevel(gap.Reason)).
				WithMessage(sarif.NewMessage().WithText(sentence(fmt.Sprintf("%s: %s: %s", gap.Path, gap.Reason, gap.Detail))))
			n.Descriptor = sarif.NewReportingDescriptorReference().WithID("GAP001").WithIndex(0)
			i.ToolExecutionNotifications = append(i.ToolExecutionNotifications, n)
		}
	}
	return i
}

// notificationLevel: what nobody asked for is worth a note, not a warning.
func notificationLevel(r facts.Reason) string {
	if r == facts.ReasonSkipped {
		return "note"
	}
	return "warning"
}

func (s *sarifRun) addResults(r *evaluator.RuleResult, subject *evaluator.SubjectResult) {
	switch subject.Verdict {
	case evaluator.Fail:
		for _, f := range subject.Findings {
			text := sentence(f.Message) + " What to do: " + sentence(f.Remediation)
			s.add(r, subject, r.ID, string(r.Severity), f.MessageID, text, f.Evidence)
		}
	case evaluator.Unknown:
		level := *unknownDescriptor(r).DefaultConfiguration
		var evidence []evaluator.Evidence
		var causes []string
		for _, c := range subject.Causes {
			causes = append(causes, c.Message)
			evidence = append(evidence, c.Evidence...)
		}
		text := sentence(fmt.Sprintf("%s cannot be judged for %s", subject.Subject.Name, r.ID)) + " " + sentence(strings.Join(causes, "; "))
		s.add(r, subject, unknownID(r.ID), level.Level, "unknown", text, evidence)
	case evaluator.Pass, evaluator.NotApplicable:
	}
}

func (s *sarifRun) add(r *evaluator.RuleResult, subject *evaluator.SubjectResult, id, level, messageID, text string, evidence []evaluator.Evidence) {
	result := sarif.NewRuleResult(id).WithRuleIndex(s.ruleIndex[id]).WithLevel(level).WithKind("fail").
		WithMessage(sarif.NewMessage().WithText(s.a.Host.Name + ": " + text))
	places := located(evidence)
	if len(places) == 0 {
		// A result without a physical location would be refused. The rule's
		// own line is always real.
		places = []evaluator.Evidence{{File: r.File, Line: r.Line, Column: 1}}
	}
	result.Locations = []*sarif.Location{location(places[0])}
	result.Locations[0].LogicalLocations = []*sarif.LogicalLocation{
		sarif.NewLogicalLocation().WithName(subject.Subject.Name).WithKind(subject.Subject.Kind).
			WithFullyQualifiedName(s.a.Host.Name + "/" + subject.Subject.Kind + "/" + subject.Subject.Lasting()),
	}
	for n, p := range places[1:] {
		related := location(p)
		related.ID = n + 1
		related.Message = sarif.NewMessage().WithText(sentence("Evidence at " + p.Pointer))
		result.RelatedLocations = append(result.RelatedLocations, related)
	}
	result.PartialFingerprints = map[string]string{"primaryLocationLineHash": s.fingerprint(id, subject.Subject, messageID)}
	s.run.Results = append(s.run.Results, result)
}

// fingerprint identifies a problem across scans: the host, the rule and the
// subject, and nothing that changes by itself.
func (s *sarifRun) fingerprint(id string, subject evaluator.Subject, messageID string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{s.a.Host.Name, id, subject.Kind, subject.Lasting(), messageID}, "\x00")))
	hash := hex.EncodeToString(sum[:8])
	s.seen[hash]++
	return hash + ":" + strconv.Itoa(s.seen[hash])
}

// located keeps the evidence that stands in a file, people's files first.
func located(evidence []evaluator.Evidence) []evaluator.Evidence {
	var written, collected []evaluator.Evidence
	for _, e := range evidence {
		switch {
		case e.File == "":
		case strings.HasPrefix(e.Pointer, "/launch/") || strings.HasPrefix(e.Pointer, "/tione/"):
			written = append(written, e)
		default:
			collected = append(collected, e)
		}
	}
	return append(written, collected...)
}

func location(e evaluator.Evidence) *sarif.Location {
	l := sarif.NewLocation()
	l.PhysicalLocation = sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewArtifactLocation().WithURI(relativeURI(e.File)).WithURIBaseID(sourceRoot)).
		WithRegion(sarif.NewRegion().WithStartLine(e.Line).WithStartColumn(e.Column).WithEndLine(e.Line).WithEndColumn(e.Column + 1))
	return l
}

// relativeURI turns a file name into a URI below the checkout. A file outside
// of it keeps only its name: an absolute path would be refused, and would tell
// about the machine.
func relativeURI(file string) string {
	p := path.Clean(filepath.ToSlash(file))
	if path.IsAbs(p) || p == ".." || strings.HasPrefix(p, "../") {
		p = path.Base(p)
	}
	return (&url.URL{Path: p}).EscapedPath()
}

// unknownID is the id of the rule "evidence for this rule is missing".
func unknownID(id string) string {
	letters := strings.TrimRight(id, "0123456789")
	return letters + "U" + id[len(letters):]
}

func ruleURL(r *evaluator.RuleResult) string {
	if r.Custom && len(r.References) > 0 {
		return r.References[0]
	}
	return homepage + "/blob/main/" + r.Doc()
}
