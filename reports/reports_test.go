package reports

import (
	"bytes"
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
					Statement: evaluator.Statement{MessageID: "conflict", Message: "GPU 0 is held twice", Arguments: map[string]string{"gpu": "GPU 0", "unit": "deepseek-v4-flash.service"}, Evidence: []evaluator.Evidence{
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
