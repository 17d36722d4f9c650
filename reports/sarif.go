package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

const (
	homepage = "https://github.com/gpugate/gpugate"
	// sourceRoot stands for the root of the user's checkout, policyRoot for that
	// of gpugate's own sources, in which the built-in rules are written.
	sourceRoot = "SRCROOT"
	policyRoot = "GPUGATE"
)

// SARIFProfile says who the SARIF is for: what one view shows as history another
// shows as an open alert.
type SARIFProfile string

// The profiles. The zero value is [SARIFGitHub].
const (
	// SARIFGitHub is for views that show every result as an open alert: what
	// failed and what is unknown and no waiver covers, within GitHub's limits.
	SARIFGitHub SARIFProfile = "github"
	// SARIFAzDO is for Azure DevOps: waived results are there too, as suppressed
	// ones, and what is new since the baseline is marked.
	SARIFAzDO SARIFProfile = "azdo"
	// SARIFFull has everything: what passed and what does not apply, and what the
	// baseline had and is gone.
	SARIFFull SARIFProfile = "full"
)

// SARIFProfiles lists the profiles.
func SARIFProfiles() []SARIFProfile { return []SARIFProfile{SARIFGitHub, SARIFAzDO, SARIFFull} }

// NoCategory leaves automationDetails out, so that whoever uploads the file may
// set the category.
const NoCategory = "none"

// SARIFOptions are what SARIF alone needs to be told.
type SARIFOptions struct {
	Profile SARIFProfile
	// Category replaces gpugate/HOST/ as the category of the run; [NoCategory]
	// leaves it out.
	Category string
	// Pipeline is the Azure pipeline that this runs in; nil for none.
	Pipeline *AzurePipeline
}

// WriteSARIF writes SARIF 2.1.0 for code-scanning views. Violations are results
// of their rule. A verdict that could not be reached is a result too, of a rule
// of its own ("evidence for … is missing"), so that a view which shows only
// problems still shows that something could not be checked.
func WriteSARIF(w io.Writer, a *evaluator.Assessment, o Options) error {
	limits := sarifLimits{}
	if cmp.Or(o.SARIF.Profile, SARIFGitHub) == SARIFGitHub {
		limits = gitHubLimits
	}
	text, err := sarifWithin(a, o, limits)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// encodeSARIF writes a log of one run.
func encodeSARIF(run *sarif.Run) ([]byte, error) {
	log := report.NewV210Report()
	log.AddRun(run)
	raw, err := json.Marshal(log)
	if err != nil {
		return nil, fmt.Errorf("encoding SARIF: %w", err)
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("encoding SARIF: %w", err)
	}
	b, err := json.MarshalIndent(withoutDefaults(tree), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding SARIF: %w", err)
	}
	return append(b, '\n'), nil
}

// sarifRun builds the one run of a log.
type sarifRun struct {
	a       *evaluator.Assessment
	o       Options
	profile SARIFProfile
	limits  sarifLimits
	// cut is what has to be left out for the file to keep to the limits.
	cut cut

	placer    *placer
	run       *sarif.Run
	ruleIndex map[string]int
	artifacts map[string]int
	// ownSources is true once a built-in rule's own line is shown.
	ownSources bool
	// cuts says what was left out, for people.
	cuts []string
}

func newSARIFRun(a *evaluator.Assessment, o Options, limits sarifLimits, c cut) *sarifRun {
	return &sarifRun{
		a: a, o: o, profile: cmp.Or(o.SARIF.Profile, SARIFGitHub), limits: limits, cut: c,
		placer: newPlacer(a, o), run: sarif.NewRun(), ruleIndex: map[string]int{}, artifacts: map[string]int{},
	}
}

func (s *sarifRun) build() *sarif.Run {
	results := s.results()
	s.run.Tool = s.tool(results)
	s.run.Results = make([]*sarif.Result, 0, len(results))
	for _, r := range results {
		s.run.Results = append(s.run.Results, s.result(r))
	}
	s.run.ColumnKind = new("unicodeCodePoints")
	if s.o.Language == words.Korean {
		s.run.Language, s.run.Tool.Driver.Language = s.o.Language.Tag(), s.o.Language.Tag()
	}
	s.run.AutomationDetails = s.automation()
	s.provenance()
	s.run.Invocations = []*sarif.Invocation{s.invocation()}
	s.run.Properties = s.properties()
	return s.run
}

// words says something in the language of the run.
func (s *sarifRun) words(format string, args ...any) string { return s.o.Language.Say(format, args...) }

// automation names the category: results of one category replace each other, so
// every host needs one of its own. Everything up to the last slash is the
// category.
func (s *sarifRun) automation() *sarif.RunAutomationDetails {
	category := s.o.SARIF.Category
	switch {
	case category == NoCategory:
		return nil
	case category != "":
		return sarif.NewRunAutomationDetails().WithID(strings.TrimSuffix(category, "/") + "/")
	case s.profile == SARIFAzDO && s.o.SARIF.Pipeline != nil:
		return s.o.SARIF.Pipeline.automation()
	}
	return sarif.NewRunAutomationDetails().WithID("gpugate/" + s.a.Host.Name + "/")
}

// provenance says which files the paths mean.
func (s *sarifRun) provenance() {
	s.run.OriginalUriBaseIds = map[string]sarif.ArtifactLocation{
		sourceRoot: {Description: sarif.NewMessage().WithText(s.words("The root of the checkout that holds the launch manifest.")), Index: -1},
	}
	c := s.o.Checkout
	if c != nil && c.Repository != "" {
		s.run.VersionControlProvenance = append(s.run.VersionControlProvenance, versionControl(c.Repository, c.Revision, c.Branch, sourceRoot))
	}
	if !s.ownSources {
		return
	}
	s.run.OriginalUriBaseIds[policyRoot] = sarif.ArtifactLocation{
		Description: sarif.NewMessage().WithText(s.words("The root of gpugate's own sources, which hold the built-in rules.")), Index: -1,
	}
	if c != nil && c.Repository != "" {
		own := versionControl(homepage, "", "", policyRoot)
		if v := s.a.Tool.Version; !strings.Contains(v, "-") {
			own.RevisionTag = new("v" + v)
		}
		s.run.VersionControlProvenance = append(s.run.VersionControlProvenance, own)
	}
}

func versionControl(repository, revision, branch, base string) *sarif.VersionControlDetails {
	v := sarif.NewVersionControlDetails()
	v.RepositoryURI = &repository
	if revision != "" {
		v.RevisionID = &revision
	}
	if branch != "" {
		v.Branch = &branch
	}
	v.MappedTo = sarif.NewArtifactLocation().WithURIBaseID(base)
	return v
}

// properties name the exact inputs, for whoever has to find them again.
func (s *sarifRun) properties() *sarif.PropertyBag {
	p := sarif.NewPropertyBag()
	p.Add("host", s.a.Host.Name)
	p.Add("profile", string(s.profile))
	p.Add("asOf", s.a.AsOf)
	p.Add("factsCollectedAt", s.a.Facts.CollectedAt)
	p.Add("factsSha256", s.a.Facts.SHA256)
	p.Add("policiesSha256", s.a.Policies.SHA256)
	p.Add("coveragePercent", s.a.Summary.CoveragePercent)
	return p
}
