package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// sarifLog is what the tests read of a log.
type sarifLog struct {
	Runs []struct {
		AutomationDetails *struct {
			ID         string
			Properties map[string]string
		}
		Tool struct {
			Driver struct {
				Rules         []sarifTestRule
				Notifications []struct{ ID string }
			}
		}
		Artifacts []struct {
			Location struct{ URI string }
			Hashes   map[string]string
			Contents *struct{ Text string }
		}
		Invocations []struct {
			ExitCode                   int
			ToolExecutionNotifications []struct {
				Descriptor struct {
					ID    string
					Index int
				}
				Level   string
				Message struct{ Text string }
			}
		}
		VersionControlProvenance []map[string]any
		Results                  []sarifTestResult
	}
}

type sarifTestRule struct {
	ID, Name, HelpURI                 string
	ShortDescription, FullDescription struct{ Text string }
	Help                              struct{ Text, Markdown string }
	MessageStrings                    map[string]struct{ Text string }
	Properties                        map[string]any
}

type sarifTestResult struct {
	RuleID        string `json:"ruleId"`
	RuleIndex     int
	Level, Kind   string
	BaselineState string
	Message       struct {
		ID, Text  string
		Arguments []string
	}
	Locations, RelatedLocations []sarifTestLocation
	PartialFingerprints         map[string]string
	Suppressions                []struct {
		Kind, Status, Justification string
		Properties                  map[string]string
	}
}

type sarifTestLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI, URIBaseID string
			Index          *int
		}
		Region, ContextRegion struct {
			StartLine, StartColumn, EndLine, EndColumn int
			Snippet                                    *struct{ Text string }
		}
	}
	LogicalLocations []struct{ Name, Kind, FullyQualifiedName string }
	Message          struct{ Text string }
}

// readSARIF writes an assessment with these limits and reads it. The standard's
// schema is what .ci/sarif holds it to.
func readSARIF(t *testing.T, a *evaluator.Assessment, o Options, limits sarifLimits) (string, sarifLog) {
	t.Helper()
	text, err := sarifWithin(a, o, limits)
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	return string(text), log
}

func results(log sarifLog) []string {
	var ids []string
	for _, r := range log.Runs[0].Results {
		ids = append(ids, strings.Join(strings.Fields(r.RuleID+" "+r.Kind+" "+r.Level+" "+r.BaselineState), " "))
	}
	return ids
}

func notes(log sarifLog, id string) []string {
	var texts []string
	for _, n := range log.Runs[0].Invocations[0].ToolExecutionNotifications {
		if n.Descriptor.ID == id {
			texts = append(texts, n.Message.Text)
		}
	}
	return texts
}

func TestSARIFResultsAndRules(t *testing.T) {
	_, log := readSARIF(t, sample(), Options{}, gitHubLimits)
	run := log.Runs[0]
	if run.AutomationDetails.ID != "gpugate/cvd-1/" {
		t.Errorf("automation id %q", run.AutomationDetails.ID)
	}
	if d := cmp.Diff([]string{"OWN001 error", "OWNU004 warning"}, results(log)); d != "" {
		t.Fatal(d)
	}
	first := run.Results[0]
	if got := first.Locations[0].PhysicalLocation.ArtifactLocation.URI; got != "launch.yaml" {
		t.Errorf("the violation points at %s; a person's file comes first", got)
	}
	if len(first.RelatedLocations) != 1 || first.RelatedLocations[0].PhysicalLocation.ArtifactLocation.URI != "host.json" {
		t.Errorf("the other evidence is %+v", first.RelatedLocations)
	}
	if d := cmp.Diff("'cvd-1': 'GPU 0' is held twice. What to do: Stop 'deepseek-v4-flash.service'.", first.Message.Text); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"cvd-1", "GPU 0", "deepseek-v4-flash.service"}, first.Message.Arguments); d != "" {
		t.Error(d)
	}
	for _, r := range run.Results {
		rule := run.Tool.Driver.Rules[r.RuleIndex]
		if rule.ID != r.RuleID {
			t.Errorf("rule index of %s points at %s", r.RuleID, rule.ID)
		}
		if got := fill(rule.MessageStrings[r.Message.ID].Text, r.Message.Arguments); got != r.Message.Text {
			t.Errorf("%s: the text is %q, its message and arguments give %q", r.RuleID, r.Message.Text, got)
		}
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || !strings.Contains(r.Help.Markdown, "### What to do") || r.HelpURI == "" || strings.EqualFold(r.Name, r.ID) {
			t.Errorf("rule %s lacks help: %+v", r.ID, r)
		}
	}
	if got := notes(log, gapNote); len(got) != 1 || !strings.Contains(got[0], "no launch manifest given") {
		t.Errorf("the gap is said as %q", got)
	}
}

func TestSARIFRuleProperties(t *testing.T) {
	a := sample()
	a.Rules[0].SecuritySeverity = "7.5"
	a.Rules[0].Covers = []string{"O1", "O2", "O1"}
	_, log := readSARIF(t, a, Options{}, gitHubLimits)
	rules := log.Runs[0].Tool.Driver.Rules
	want := map[string]any{
		"tags": []any{"gpu", "owner", "security", "row:O1", "row:O2"}, "rows": []any{"O1", "O2", "O1"},
		"precision": "very-high", "problem.severity": "error", "security-severity": "7.5",
	}
	if d := cmp.Diff(want, rules[0].Properties); d != "" {
		t.Error(d)
	}
	if tags := fmt.Sprint(rules[1].Properties["tags"]); !strings.Contains(tags, "missing-evidence") {
		t.Errorf("missing evidence cannot be filtered: %s", tags)
	}
}

func TestSARIFWithoutFindingsKeepsResults(t *testing.T) {
	a := sample()
	a.Rules = a.Rules[2:]
	for _, p := range []SARIFProfile{SARIFGitHub, SARIFAzDO} {
		if text, _ := readSARIF(t, a, Options{SARIF: SARIFOptions{Profile: p}}, sarifLimits{}); !strings.Contains(text, `"results": []`) {
			t.Errorf("%s: results must be present even when empty", p)
		}
	}
}

// audited is the sample with a waived finding, a baseline and what became of it.
func audited() *evaluator.Assessment {
	a := sample()
	waiver := &evaluator.WaiverTerms{Rule: "OWN001", Subject: "*", Reason: "moved on Friday", Approver: "kim", Expires: "2026-12-31", File: "waivers.yaml", Line: 3, Column: 3}
	a.Rules[0].Subjects[0].Waiver, a.Rules[0].Subjects[0].Baseline, a.Rules[0].Waived = waiver, evaluator.StateUnchanged, true
	a.Rules[1].Subjects[0].Baseline = evaluator.StateNew
	a.Waivers = &evaluator.WaiverReport{File: "waivers.yaml", Waivers: []evaluator.WaiverUse{{
		WaiverTerms: *waiver, State: evaluator.WaiverActive, Notices: []evaluator.WaiverNotice{{Kind: "broad", Message: "it covers every subject"}},
	}}}
	gpu := evaluator.Subject{Kind: "gpu", ID: "GPU-9", Name: "GPU 9"}
	entry := func(rule string, v evaluator.Verdict, now string) evaluator.BaselineEntry {
		return evaluator.BaselineEntry{Rule: rule, Severity: evaluator.Error, Subject: gpu, Verdict: v, Messages: []string{"it was so"}, Now: now}
	}
	a.Baseline = &evaluator.BaselineReport{
		Notices:   []string{"the policies differ"},
		Absent:    []evaluator.BaselineEntry{entry("OWN001", evaluator.Fail, "gone"), entry("OWN004", evaluator.Unknown, "pass"), entry("OLD001", evaluator.Fail, "gone")},
		Unsettled: []evaluator.BaselineEntry{entry("OWN005", evaluator.Fail, "not-seen")},
	}
	return a
}

func TestSARIFProfiles(t *testing.T) {
	want := map[SARIFProfile][]string{
		SARIFGitHub: {"OWNU004 warning"},
		SARIFAzDO:   {"OWN001 error unchanged", "OWNU004 warning new"},
		SARIFFull: {
			"OWN001 error unchanged", "OWNU004 warning new", "OWN005 pass none", "OWN007 notApplicable none",
			"OWN001 error absent", "OWNU004 warning absent",
		},
	}
	for profile, expected := range want {
		_, log := readSARIF(t, audited(), Options{SARIF: SARIFOptions{Profile: profile}}, sarifLimits{})
		if d := cmp.Diff(expected, results(log)); d != "" {
			t.Errorf("%s: %s", profile, d)
		}
		for _, r := range log.Runs[0].Results {
			waived := r.RuleID == "OWN001" && r.BaselineState == "unchanged"
			if waived != (len(r.Suppressions) == 1) {
				t.Errorf("%s: %s %s has %d suppressions", profile, r.RuleID, r.BaselineState, len(r.Suppressions))
			}
			if waived {
				x := r.Suppressions[0]
				if x.Kind != "external" || x.Status != "accepted" || x.Justification != "moved on Friday" || x.Properties["approver"] != "kim" || x.Properties["expires"] != "2026-12-31" {
					t.Errorf("the suppression is %+v", x)
				}
			}
		}
		if got := notes(log, waiverNote); len(got) != 1 || !strings.Contains(got[0], "waivers.yaml:3: it covers every subject") {
			t.Errorf("%s: the waiver's notice is said as %q", profile, got)
		}
		// What cannot be compared is said, and never looks solved.
		said := strings.Join(notes(log, baseNote), "\n")
		for _, words := range []string{"the policies differ", "OWN005 of the baseline is solved for GPU 9 cannot be told", "OLD001 of the baseline for GPU 9 is gone"} {
			if !strings.Contains(said, words) {
				t.Errorf("%s: notifications do not say %q: %s", profile, words, said)
			}
		}
	}
}

func TestSARIFCategory(t *testing.T) {
	pipeline := &AzurePipeline{Organization: "org", Project: "p", DefinitionID: "7", DefinitionName: "nightly", PhaseID: "x", PhaseName: "scan", Branch: "refs/heads/main", BuildID: "42"}
	for _, c := range []struct {
		o    SARIFOptions
		want string
	}{
		{SARIFOptions{}, "gpugate/cvd-1/"},
		{SARIFOptions{Category: "gpu/prod"}, "gpu/prod/"},
		{SARIFOptions{Category: "gpu/prod/"}, "gpu/prod/"},
		{SARIFOptions{Category: NoCategory}, ""},
		{SARIFOptions{Pipeline: pipeline}, "gpugate/cvd-1/"},
		{SARIFOptions{Profile: SARIFAzDO}, "gpugate/cvd-1/"},
		{SARIFOptions{Profile: SARIFAzDO, Pipeline: pipeline}, "azuredevops/pipeline/build/org/p/7/x/refs/heads/main/42"},
		{SARIFOptions{Profile: SARIFAzDO, Pipeline: pipeline, Category: "mine"}, "mine/"},
	} {
		_, log := readSARIF(t, sample(), Options{SARIF: c.o}, sarifLimits{})
		got := ""
		if d := log.Runs[0].AutomationDetails; d != nil {
			got = d.ID
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

func TestAzurePipelineFrom(t *testing.T) {
	env := map[string]string{
		"SYSTEM_COLLECTIONURI": "https://dev.azure.com/org/", "SYSTEM_TEAMPROJECT": "p", "SYSTEM_DEFINITIONID": "7", "BUILD_DEFINITIONNAME": "nightly",
		"SYSTEM_PHASEID": "x", "SYSTEM_PHASENAME": "scan", "BUILD_SOURCEBRANCH": "refs/heads/main", "BUILD_BUILDID": "42",
	}
	get := func(name string) string { return env[name] }
	want := &AzurePipeline{Organization: "org", Project: "p", DefinitionID: "7", DefinitionName: "nightly", PhaseID: "x", PhaseName: "scan", Branch: "refs/heads/main", BuildID: "42"}
	if d := cmp.Diff(want, AzurePipelineFrom(get)); d != "" {
		t.Error(d)
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		kept := env[name]
		env[name] = ""
		if AzurePipelineFrom(get) != nil {
			t.Errorf("without %s it is no pipeline that can be named", name)
		}
		env[name] = kept
	}
}

func TestFingerprints(t *testing.T) {
	prints := func(change func(*evaluator.Assessment)) []string {
		a := sample()
		change(a)
		_, log := readSARIF(t, a, Options{}, sarifLimits{})
		var all []string
		for _, r := range log.Runs[0].Results {
			all = append(all, r.PartialFingerprints["primaryLocationLineHash"])
		}
		return all
	}
	base := prints(func(*evaluator.Assessment) {})
	same := map[string]func(*evaluator.Assessment){
		"time": func(a *evaluator.Assessment) { a.AsOf = a.AsOf.AddDate(0, 0, 7) },
		"the words and the line": func(a *evaluator.Assessment) {
			a.Rules[0].Subjects[0].Findings[0].Message = "another PID in the words"
			a.Rules[0].Subjects[0].Findings[0].Evidence[0].Line = 99
		},
		"an id that has a lasting key beside it": func(a *evaluator.Assessment) {
			a.Rules[0].Subjects[0].Subject.Key, a.Rules[0].Subjects[0].Subject.ID = "GPU-1", "4711"
		},
		"the reason why it is unknown": func(a *evaluator.Assessment) { a.Rules[1].Subjects[0].Causes[0].Message = "timeout" },
		"another rule":                 func(a *evaluator.Assessment) { a.Rules = a.Rules[:2] },
	}
	for what, change := range same {
		if d := cmp.Diff(base, prints(change)); d != "" {
			t.Errorf("%s makes another alert of the same problem: %s", what, d)
		}
	}
	other := map[string]func(*evaluator.Assessment){
		"host":    func(a *evaluator.Assessment) { a.Host.Name = "cvd-2" },
		"subject": func(a *evaluator.Assessment) { a.Rules[0].Subjects[0].Subject.ID = "GPU-2" },
		"kind":    func(a *evaluator.Assessment) { a.Rules[0].Subjects[0].Subject.Kind = "container" },
		"rule":    func(a *evaluator.Assessment) { a.Rules[0].ID = "OWN002" },
		"problem": func(a *evaluator.Assessment) {
			a.Rules[0].Messages["more"] = "{gpu} is held thrice"
			a.Rules[0].Subjects[0].Findings[0].MessageID = "more"
		},
	}
	for what, change := range other {
		if prints(change)[0] == base[0] {
			t.Errorf("another %s has the same fingerprint", what)
		}
	}
}

func TestFingerprintsOfTwoAlikeDiffer(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings = append(a.Rules[0].Subjects[0].Findings, a.Rules[0].Subjects[0].Findings[0])
	_, log := readSARIF(t, a, Options{}, sarifLimits{})
	first, second := log.Runs[0].Results[0].PartialFingerprints, log.Runs[0].Results[1].PartialFingerprints
	if h := "primaryLocationLineHash"; first[h] == second[h] || first[h][:16] != second[h][:16] {
		t.Errorf("%v and %v", first, second)
	}
}

// A stored assessment may lack what its messages need: then the message that it
// holds is shown as it is.
func TestSARIFMessageWithoutArguments(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings[0].Arguments = nil
	_, log := readSARIF(t, a, Options{}, sarifLimits{})
	m := log.Runs[0].Results[0].Message
	if m.ID != "" || m.Arguments != nil || m.Text != "cvd-1: GPU 0 is held twice. What to do: Stop deepseek-v4-flash.service." {
		t.Errorf("%+v", m)
	}
}

func TestSARIFMessagesHoldNoLink(t *testing.T) {
	a := sample()
	f := &a.Rules[0].Subjects[0].Findings[0]
	f.Arguments = map[string]string{"gpu": "[GPU](https://evil.example) {0} {9} \x1b[31m", "unit": "a\nb"}
	_, log := readSARIF(t, a, Options{}, sarifLimits{})
	got := log.Runs[0].Results[0].Message.Text
	if want := "'cvd-1': '[GPU] (https://evil.example) {0} {9} ?[31m' is held twice. What to do: Stop 'a b'."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// many is the sample with n findings, of which the last is the heaviest.
func many(n int) *evaluator.Assessment {
	a := sample()
	light := a.Rules[0]
	light.ID, light.Severity, light.Subjects = "OWN000", evaluator.Note, nil
	for i := range n - 2 {
		s := a.Rules[0].Subjects[0]
		s.Subject.ID = fmt.Sprintf("GPU-%d", i+100)
		light.Subjects = append(light.Subjects, s)
	}
	a.Rules = slices.Insert(a.Rules, 0, light)
	return a
}

func TestSARIFLimitOfResults(t *testing.T) {
	a := many(60)
	_, log := readSARIF(t, a, Options{}, sarifLimits{results: 60})
	if got := results(log); len(got) != 60 || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, limitRule) }) {
		t.Errorf("60 of 60 fit, but there are %d", len(got))
	}
	_, log = readSARIF(t, a, Options{}, sarifLimits{results: 10, shown: 5})
	got := results(log)
	if len(got) != 10 || got[0] != "OWN001 error" || got[1] != "OWNU004 warning" || got[9] != limitRule+" error" {
		t.Errorf("want the heaviest nine and the result that says so, got %v", got)
	}
	last := log.Runs[0].Results[9]
	if d := cmp.Diff("'cvd-1': '51' of '60' results are left out of this file, the lightest ones.", last.Message.Text); d != "" {
		t.Error(d)
	}
	if rule := log.Runs[0].Tool.Driver.Rules[last.RuleIndex]; rule.ID != limitRule {
		t.Errorf("its rule is %s", rule.ID)
	}
	said := notes(log, limitNote)
	if len(said) != 2 || !strings.Contains(said[0], "60 results, and GitHub shows only the 5 heaviest") || !strings.Contains(said[1], "51 of 60 results are left out") {
		t.Errorf("it is said as %q", said)
	}
}

func TestSARIFLimitOfBytes(t *testing.T) {
	a := many(200)
	o := Options{Text: func(file string) *Text { return &Text{SHA256: "ab", Lines: slices.Repeat([]string{file}, 100)} }}
	whole, _ := readSARIF(t, a, o, sarifLimits{})
	if n := compressed([]byte(whole)); n > len(whole)/5 || !(sarifLimits{gzipBytes: n}).fits([]byte(whole)) || (sarifLimits{gzipBytes: n - 1}).fits([]byte(whole)) {
		t.Fatal("the size is that of the compressed file")
	}
	size := func(c cut) int {
		text, err := encodeSARIF(newSARIFRun(a, o, sarifLimits{gzipBytes: 1}, c).build())
		if err != nil {
			t.Fatal(err)
		}
		return compressed(text) + 20
	}
	_, log := readSARIF(t, a, o, sarifLimits{gzipBytes: size(cut{snippets: true})})
	if r := log.Runs[0].Results[0]; len(log.Runs[0].Results) != 200 || r.Locations[0].PhysicalLocation.Region.Snippet != nil || r.RelatedLocations == nil {
		t.Errorf("excerpts go first, and alone: %d results", len(log.Runs[0].Results))
	}
	if said := notes(log, limitNote); len(said) != 1 || !strings.Contains(said[0], "excerpts of the files are left out") {
		t.Errorf("it is said as %q", said)
	}
	limit := size(cut{snippets: true, related: true, results: 60})
	text, log := readSARIF(t, a, o, sarifLimits{gzipBytes: limit})
	if n := len(log.Runs[0].Results); n < 55 || n > 70 || results(log)[n-1] != limitRule+" error" {
		t.Errorf("%d results are kept in %d bytes", n, limit)
	}
	if !(sarifLimits{gzipBytes: limit}).fits([]byte(text)) {
		t.Error("the file is too large all the same")
	}
	if said := notes(log, limitNote); len(said) != 3 {
		t.Errorf("it is said as %q", said)
	}
	if _, err := sarifWithin(a, o, sarifLimits{gzipBytes: 100}); err == nil || !strings.Contains(err.Error(), "cannot be made smaller") {
		t.Errorf("nothing fits 100 bytes, and that is %v", err)
	}
}

func TestSARIFLimitsOfRulesTagsAndLocations(t *testing.T) {
	a := sample()
	for i := range 5 {
		a.Rules[0].Covers = append(a.Rules[0].Covers, fmt.Sprintf("X%d", i))
		a.Rules[0].Subjects[0].Findings[0].Evidence = append(a.Rules[0].Subjects[0].Findings[0].Evidence, evaluator.Evidence{Pointer: "/nvml", File: "host.json", Line: 100 + i, Column: 1})
	}
	_, log := readSARIF(t, a, Options{}, sarifLimits{rules: 3, tags: 4, locations: 2})
	run := log.Runs[0]
	if len(run.Tool.Driver.Rules) != 2 || run.Tool.Driver.Rules[run.Results[1].RuleIndex].ID != "OWNU004" {
		t.Errorf("rules with a result are kept, and only they: %d", len(run.Tool.Driver.Rules))
	}
	if tags, ok := run.Tool.Driver.Rules[0].Properties["tags"].([]any); !ok || len(tags) != 4 {
		t.Errorf("tags: %v", tags)
	}
	if n := len(run.Results[0].RelatedLocations); n != 2 {
		t.Errorf("%d related locations", n)
	}
	said := strings.Join(notes(log, limitNote), "\n")
	for _, words := range []string{"6 of 8 rule descriptions", "4 of 8 tags of rule OWN001", "4 of 6 related locations of a result of OWN001"} {
		if !strings.Contains(said, words) {
			t.Errorf("not said: %s, only %s", words, said)
		}
	}
}

func TestGitHubLimits(t *testing.T) {
	want := sarifLimits{results: 25_000, shown: 5_000, rules: 25_000, tags: 20, locations: 100, gzipBytes: 10_000_000}
	if gitHubLimits != want {
		t.Errorf("got %+v, want %+v", gitHubLimits, want)
	}
}

func TestSARIFGapsAreAllSaid(t *testing.T) {
	a := sample()
	a.Sources = nil
	for _, r := range []facts.Reason{facts.ReasonDenied, facts.ReasonTimeout, facts.ReasonSkipped} {
		a.Sources = append(a.Sources, facts.Missing(facts.SourceDocker, "", r, "because "+string(r)))
	}
	_, log := readSARIF(t, a, Options{}, sarifLimits{})
	var got []string
	for _, n := range log.Runs[0].Invocations[0].ToolExecutionNotifications {
		got = append(got, n.Level+" "+n.Message.Text)
	}
	if len(got) != 3 || !strings.HasPrefix(got[0], "warning docker: denied") || !strings.HasPrefix(got[1], "warning docker: timeout") || !strings.HasPrefix(got[2], "note docker: skipped") {
		t.Errorf("%q", got)
	}
}
