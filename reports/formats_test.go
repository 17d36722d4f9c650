package reports

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/evaluator"
)

func TestCSVHasARowForEverythingSaid(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv", sample(), Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows[1:] {
		got = append(got, strings.Join([]string{r[2], r[6], r[8], r[9], r[11], r[12]}, "|"))
	}
	want := []string{
		"OWN001|fail|GPU 0|GPU 0 is held twice|launch.yaml|4",
		"OWN004|unknown|GPU 0|no launch manifest given||",
		"OWN005|pass|GPU 0|||",
		"OWN007|not-applicable|GPU 0|||",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCSVHoldsNoFormula(t *testing.T) {
	for _, hostile := range []string{"=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "|calc", "%0A", "\r=1"} {
		a := sample()
		a.Rules[0].Subjects[0].Findings[0].Message = hostile
		rows, err := csv.NewReader(strings.NewReader(write(t, "csv", a, Options{}))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if cell := rows[1][9]; !strings.HasPrefix(cell, "'") {
			t.Errorf("%q became %q, which a spreadsheet runs", hostile, cell)
		}
	}
}

func TestJUnitKeepsUnknownFromPassing(t *testing.T) {
	got := write(t, "junit", sample(), Options{})
	var suites junitSuites
	if err := xml.Unmarshal([]byte(got), &suites); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(junitCounts{Tests: 4, Failures: 1, Errors: 1, Skipped: 1}, suites.junitCounts); d != "" {
		t.Error(d)
	}
	if c := suites.Suites[0].Cases[0]; c.Failure == nil || c.Failure.Message != "GPU 0 is held twice" || c.File != "launch.yaml" || c.Line != 4 {
		t.Errorf("the violation is %+v", c)
	}
	if c := suites.Suites[0].Cases[1]; c.Error == nil || !strings.Contains(c.Error.Message, "no launch manifest given") {
		t.Errorf("the unknown is %+v", c)
	}
}

func TestJUnitStaysXML(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings[0].Message = "]]> <b> & \x00\x1b[31m \u0085 \xff"
	if err := xml.Unmarshal([]byte(write(t, "junit", a, Options{})), new(junitSuites)); err != nil {
		t.Error(err)
	}
}

func TestMarkdownShowsTextAsText(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings[0].Message = "@team <img src=x> [x](http://evil.example) `a|b` #12 www.evil.example"
	got := write(t, "markdown", a, Options{})
	for _, markup := range []string{"@team", "<img", "[x](", "://evil", "www.evil", " #12", " `a|b`"} {
		if strings.Contains(got, markup) {
			t.Errorf("%q is markup", markup)
		}
	}
}

func TestMarkdownIsBoundedAndSaysSo(t *testing.T) {
	a := sample()
	subject := a.Rules[0].Subjects[0]
	for i := range 5000 {
		s := subject
		s.Subject.Name = fmt.Sprintf("GPU %d", i)
		a.Rules[0].Subjects = append(a.Rules[0].Subjects, s)
	}
	got := write(t, "markdown", a, Options{})
	if len(got) > 65_536 {
		t.Errorf("%d bytes are more than a comment takes", len(got))
	}
	if !strings.Contains(got, "violations more; the other formats have them all") || !strings.Contains(got, "no launch manifest given") && !strings.Contains(got, "1 reason more") {
		t.Error("what was left out is not said")
	}
}

func TestPrometheusCountsVerdicts(t *testing.T) {
	got := write(t, "prometheus", sample(), Options{})
	for _, line := range []string{
		`gpugate_rule_subjects{host="cvd-1",rule="OWN001",severity="error",topic="owner",verdict="fail"} 1`,
		`gpugate_rule_subjects{host="cvd-1",rule="OWN004",severity="error",topic="owner",verdict="pass"} 0`,
		`gpugate_rule_subjects{host="cvd-1",rule="OWN004",severity="error",topic="owner",verdict="unknown"} 1`,
		`gpugate_gate_exit_code{host="cvd-1"} 1`,
		`gpugate_judged_rules_ratio{host="cvd-1"} 0.75`,
		`gpugate_source_status{host="cvd-1",source="launch",status="skipped"} 1`,
		`gpugate_gpu_claims{gpu="GPU-1",host="cvd-1",kind="running",manager="systemd"} 1`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %s in\n%s", line, got)
		}
	}
}

func TestPrometheusIsWhatPromtoolWants(t *testing.T) {
	tool, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no promtool: %v", err)
		}
		t.Skip("no promtool: apt-get install prometheus")
	}
	a := sample()
	a.Host.Name = "cvd\"1\\\n"
	check := exec.CommandContext(t.Context(), tool, "check", "metrics")
	check.Stdin = strings.NewReader(write(t, "prometheus", a, Options{}))
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// An assessment of nothing must be written too, and not look fine.
func TestEveryFormatWritesAnEmptyAssessment(t *testing.T) {
	a := &evaluator.Assessment{Gate: evaluator.Gate{ExitCode: evaluator.ExitUnknown, Reason: "nothing was judged"}}
	for _, f := range Formats() {
		if write(t, f, a, Options{}) == "" {
			t.Errorf("%s: nothing is written", f)
		}
	}
	if got := write(t, "html", a, Options{}); !strings.Contains(got, "Gate closed") {
		t.Error("the page does not say that the gate is closed")
	}
}

// A waived finding stays in every format, marked, and is no open failure.
func TestWaivedIsMarkedEverywhere(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Waiver = &evaluator.WaiverTerms{Rule: "OWN001", Reason: "moves in January", Approver: "Ann Li", Expires: "2027-01-31", File: "waivers.yaml", Line: 4, Column: 5}
	a.Waivers = &evaluator.WaiverReport{File: "waivers.yaml"}
	for _, f := range []string{"text", "json", "csv", "junit", "markdown", "html"} {
		if got := strings.Join(strings.Fields(write(t, f, a, Options{})), " "); !strings.Contains(got, "moves in January") || !strings.Contains(got, "Ann Li") {
			t.Errorf("%s does not say by whom and why", f)
		}
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(write(t, "junit", a, Options{})), &suites); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(junitCounts{Tests: 4, Errors: 1, Skipped: 2}, suites.junitCounts); d != "" {
		t.Error(d)
	}
	if got := write(t, "markdown", a, Options{}); strings.Contains(got, "### Violations") || !strings.Contains(got, "### Waived: 1 verdict") {
		t.Errorf("a waived finding is listed as open:\n%s", got)
	}
	if got := write(t, "prometheus", a, Options{}); !strings.Contains(got, `gpugate_rule_waived_subjects{host="cvd-1",rule="OWN001",severity="error",topic="owner"} 1`) {
		t.Error("no metric counts what is waived")
	}
}
