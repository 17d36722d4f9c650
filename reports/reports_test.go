package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// sample is an assessment with one rule of every verdict.
func sample() *evaluator.Assessment {
	rule := func(id string, s evaluator.Severity, title string) evaluator.Rule {
		return evaluator.Rule{
			ID: id, Topic: "owner", Title: title, Description: title + ", described.", Severity: s,
			Requires: []string{"nvml.gpus"}, Covers: []string{"O1"}, Remediation: "Stop {unit}.",
			Messages: map[string]string{"conflict": "{gpu} is held twice"}, File: "policies/owner/x.rego", Line: 20,
		}
	}
	gpu := evaluator.Subject{Kind: "gpu", ID: "GPU-1", Name: "GPU 0"}
	return &evaluator.Assessment{
		SchemaVersion: evaluator.AssessmentVersion,
		Tool:          evaluator.Tool{Name: "gpugate", Version: "0.1.0"},
		AsOf:          time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Host:          evaluator.HostIdentity{Name: "cvd-1", OS: "Ubuntu 22.04.5 LTS"},
		Facts:         evaluator.FactsDigest{SHA256: "ab", CollectedAt: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
		Sources:       []facts.Source{facts.Missing(facts.SourceLaunch, "", facts.ReasonSkipped, "no launch manifest given")},
		Gate:          evaluator.Gate{FailOn: evaluator.Error, Outcome: "violations", ExitCode: 1, Reason: "1 rule violated at or above error"},
		Summary:       evaluator.Summary{Judged: 3, Selected: 4, CoveragePercent: 75},
		Ownership: []evaluator.GPUOwnership{{GPU: "GPU-1", Index: new(int), Claims: []evaluator.Claim{
			{Kind: "running", Manager: "systemd", Claimant: "deepseek-v4-flash.service"},
			{Kind: "configured", Manager: "docker", Claimant: "glm53-flash"},
		}}},
		Rules: []evaluator.RuleResult{
			{Rule: rule("OWN001", evaluator.Error, "Two parties run on one GPU"), Verdict: evaluator.Fail, Subjects: []evaluator.SubjectResult{{
				Subject: gpu, Verdict: evaluator.Fail, Findings: []evaluator.Finding{{
					Statement: evaluator.Statement{MessageID: "conflict", Message: "GPU 0 is held twice", Evidence: []evaluator.Evidence{
						{Pointer: "/nvml/gpus/0", File: "host.json", Line: 12, Column: 5}, {Pointer: "/launch/manifest/owner", File: "launch.yaml", Line: 4, Column: 1},
					}},
					Remediation: "Stop deepseek-v4-flash.service",
				}},
			}}},
			{Rule: rule("OWN004", evaluator.Error, "The owner is the declared one"), Verdict: evaluator.Unknown, Subjects: []evaluator.SubjectResult{{
				Subject: gpu, Verdict: evaluator.Unknown, Causes: []evaluator.Cause{{Kind: "gap", Message: "no launch manifest given", Path: "launch", Reason: facts.ReasonSkipped}},
			}}},
			{Rule: rule("OWN005", evaluator.Warning, "No stranger runs"), Verdict: evaluator.Pass, Subjects: []evaluator.SubjectResult{{Subject: gpu, Verdict: evaluator.Pass}}},
			{Rule: rule("OWN007", evaluator.Note, "No sharing"), Verdict: evaluator.NotApplicable, Subjects: []evaluator.SubjectResult{{Subject: gpu, Verdict: evaluator.NotApplicable}}},
		},
	}
}

func write(t *testing.T, format string, a *evaluator.Assessment, o Options) string {
	t.Helper()
	w, err := ForFormat(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := w(&b, a, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryFormatIsDeterministic(t *testing.T) {
	for _, f := range Formats() {
		if write(t, f, sample(), Options{}) != write(t, f, sample(), Options{}) {
			t.Errorf("%s: two runs differ", f)
		}
	}
}

func TestTextFitsAndSaysWhatMatters(t *testing.T) {
	got := write(t, "text", sample(), Options{})
	t.Log("\n" + got)
	for _, want := range []string{"systemd deepseek-v4-flash.service", "docker glm53-flash", "violates OWN001", "launch.yaml:4:1", "no launch manifest given", "3 of 4 rules judged", "Gate closed", "exit 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	for l := range strings.Lines(got) {
		if n := len([]rune(strings.TrimRight(l, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("colour was not asked for")
	}
}

func TestTextDefusesControlCharacters(t *testing.T) {
	a := sample()
	a.Ownership[0].Claims[0].Claimant = "evil\x1b[2Jname\u202e"
	if got := write(t, "text", a, Options{}); strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("control characters reach the terminal: %q", got)
	}
}

func TestSARIF(t *testing.T) {
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			AutomationDetails struct{ ID string }
			Tool              struct {
				Driver struct {
					Rules []struct {
						ID, Name                          string
						ShortDescription, FullDescription struct{ Text string }
						Help                              struct{ Text, Markdown string }
					}
				}
			}
			Results []struct {
				RuleID    string `json:"ruleId"`
				RuleIndex int
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", sample(), Options{})), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || run.AutomationDetails.ID != "gpugate/cvd-1/" {
		t.Errorf("version %q, automation id %q", log.Version, run.AutomationDetails.ID)
	}
	if len(run.Results) != 2 {
		t.Fatalf("%d results, want the violation and the unknown", len(run.Results))
	}
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("rule index of %s points at %s", r.RuleID, got)
		}
		l := r.Locations[0].PhysicalLocation
		if l.ArtifactLocation.URI == "" || l.Region.StartLine < 1 || l.Region.StartColumn < 1 || l.Region.EndLine < 1 || l.Region.EndColumn < 1 {
			t.Errorf("%s has no full region: %+v", r.RuleID, l)
		}
		if r.PartialFingerprints["primaryLocationLineHash"] == "" {
			t.Errorf("%s has no fingerprint", r.RuleID)
		}
	}
	if got := run.Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != "launch.yaml" {
		t.Errorf("the violation points at %s; a person's file comes first", got)
	}
	if run.Results[1].RuleID != "OWNU004" || run.Results[1].Level != "warning" {
		t.Errorf("the unknown is %s at %s", run.Results[1].RuleID, run.Results[1].Level)
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || r.Help.Markdown == "" || strings.EqualFold(r.Name, r.ID) {
			t.Errorf("rule %s lacks help: %+v", r.ID, r)
		}
	}
}

func TestSARIFWithoutFindingsKeepsResults(t *testing.T) {
	a := sample()
	a.Rules = a.Rules[2:]
	if got := write(t, "sarif", a, Options{}); !strings.Contains(got, `"results": []`) {
		t.Error("results must be present even when empty")
	}
}

func TestFingerprints(t *testing.T) {
	hash := func(change func(*evaluator.Assessment)) string {
		a := sample()
		change(a)
		s := write(t, "sarif", a, Options{})
		_, after, _ := strings.Cut(s, `"primaryLocationLineHash": "`)
		h, _, _ := strings.Cut(after, `"`)
		return h
	}
	base := hash(func(*evaluator.Assessment) {})
	if got := hash(func(a *evaluator.Assessment) {
		a.AsOf = a.AsOf.AddDate(0, 0, 7)
		a.Rules[0].Subjects[0].Findings[0].Message = "another PID in the words"
		a.Rules[0].Subjects[0].Findings[0].Evidence[0].Line = 99
	}); got != base {
		t.Error("the same problem next week is another alert")
	}
	if hash(func(a *evaluator.Assessment) { a.Host.Name = "cvd-2" }) == base {
		t.Error("the same problem on another host is the same alert")
	}
}
