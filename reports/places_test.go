package reports

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/checkout"
)

// inCheckout makes a checkout and gives the options of a report made in it. The
// texts are those of the files in it.
func inCheckout(t *testing.T, files map[string]string) Options {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := checkout.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Repository, c.Revision, c.Branch = "https://git.example/gpu.git", strings.Repeat("a", 40), "main"
	return Options{Checkout: c, Text: func(file string) *Text {
		text, ok := files[strings.TrimPrefix(file, dir+"/")]
		if !ok {
			return nil
		}
		return &Text{SHA256: "ab", Lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), Changed: strings.HasPrefix(text, "changed")}
	}}
}

// where is the first place of the first result, as file:line:column-end.
func where(log sarifLog) string {
	p := log.Runs[0].Results[0].Locations[0].PhysicalLocation
	return fmt.Sprintf("%s %s:%d:%d-%d", p.ArtifactLocation.URIBaseID, p.ArtifactLocation.URI, p.Region.StartLine, p.Region.StartColumn, p.Region.EndColumn)
}

func TestWhereAFindingLives(t *testing.T) {
	const launch = "apiVersion: gpugate/v1\nkind: Launch\nmetadata: {name: a}\nowner: docker # 서버\n"
	evidence := func(files ...string) []evaluator.Evidence {
		var all []evaluator.Evidence
		for i, f := range files {
			e := evaluator.Evidence{Pointer: "/nvml/gpus/0", File: f, Line: 4, Column: 1 + i}
			if strings.HasSuffix(f, "launch.yaml") {
				e.Pointer = "/launch/manifest/owner"
			}
			if strings.HasSuffix(f, "policy.json") {
				e.Pointer = "/tione/policy/preempted"
			}
			all = append(all, e)
		}
		return all
	}
	for name, c := range map[string]struct {
		evidence []evaluator.Evidence
		facts    string
		anchor   string
		files    map[string]string
		change   func(*evaluator.Assessment)
		want     string
	}{
		"people's file before the facts":    {evidence: evidence("host.json", "launch.yaml"), facts: "host.json", want: "SRCROOT launch.yaml:4:2-3"},
		"with its text, to the line's end":  {evidence: evidence("launch.yaml"), files: map[string]string{"launch.yaml": launch}, want: "SRCROOT launch.yaml:4:1-19"},
		"the TI-ONE policy":                 {evidence: evidence("host.json", "tione/policy.json"), want: "SRCROOT tione/policy.json:4:2-3"},
		"a name that needs escaping":        {evidence: evidence("my hosts/100%/launch.yaml"), want: "SRCROOT my%20hosts/100%25/launch.yaml:4:1-2"},
		"else the facts":                    {evidence: evidence("/etc/gpugate/launch.yaml", "host.json"), facts: "host.json", want: "SRCROOT host.json:4:2-3"},
		"else the facts, though no line":    {evidence: nil, facts: "host.json", want: "SRCROOT host.json:1:1-2"},
		"not another file of the same name": {evidence: evidence("/etc/gpugate/launch.yaml"), files: map[string]string{"launch.yaml": launch}, want: "GPUGATE policies/owner/x.rego:20:1-2"},
		"not one that has changed":          {evidence: evidence("launch.yaml"), files: map[string]string{"launch.yaml": "changed\n"}, want: "GPUGATE policies/owner/x.rego:20:1-2"},
		"not one outside of the checkout":   {evidence: evidence("../launch.yaml", "../host.json"), facts: "../host.json", want: "GPUGATE policies/owner/x.rego:20:1-2"},
		"else the anchor, the host's line": {
			evidence: evidence("/tmp/host.json"), facts: "/tmp/host.json", anchor: "hosts.ini",
			files: map[string]string{"hosts.ini": "[gpu]\ncvd-10\nold-cvd-1\ncvd-1.example\nssh cvd-1 # ours\n"}, want: "SRCROOT hosts.ini:5:5-17",
		},
		"else the anchor's first line": {anchor: "hosts.ini", files: map[string]string{"hosts.ini": "[gpu]\ncvd-10\n"}, want: "SRCROOT hosts.ini:1:1-6"},
		"a line that the text has not": {evidence: evidence("launch.yaml"), files: map[string]string{"launch.yaml": "one\n"}, want: "SRCROOT launch.yaml:4:1-2"},
		"else the rule":                {want: "GPUGATE policies/owner/x.rego:20:1-2"},
		"a rule of the user's own": {
			change: func(a *evaluator.Assessment) { a.Rules[0].Custom, a.Rules[0].File = true, "rules/mine.rego" }, want: "SRCROOT rules/mine.rego:20:1-2",
		},
		"one in a bundle": {
			change: func(a *evaluator.Assessment) { a.Rules[0].Custom, a.Rules[0].File = true, "b.tar.gz!/mine.rego" }, want: "SRCROOT b.tar.gz:1:1-2",
		},
		"one outside of the checkout": {
			change: func(a *evaluator.Assessment) { a.Rules[0].Custom, a.Rules[0].File = true, "/opt/rules/mine.rego" }, want: "SRCROOT mine.rego:20:1-2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := sample()
			a.Rules[0].Subjects[0].Findings[0].Evidence = c.evidence
			a.Facts.File = c.facts
			if c.change != nil {
				c.change(a)
			}
			o := inCheckout(t, c.files)
			o.Anchor = c.anchor
			text, log := readSARIF(t, a, o, gitHubLimits)
			if got := where(log); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if strings.Contains(text, `"uri": "/`) || strings.Contains(text, `"uri": "..`) || regexp.MustCompile(`"uri": "[a-z]+:`).MatchString(text) {
				t.Error("a URI is not relative")
			}
			var issues []codeQualityIssue
			if err := json.Unmarshal([]byte(write(t, "codequality", a, o)), &issues); err != nil {
				t.Fatal(err)
			}
			p := log.Runs[0].Results[0]
			if d := cmp.Diff(p.PartialFingerprints["primaryLocationLineHash"], issues[0].Fingerprint); d != "" || issues[0].Location.Lines.Begin != p.Locations[0].PhysicalLocation.Region.StartLine {
				t.Errorf("Code Quality is elsewhere: %+v %s", issues[0], d)
			}
		})
	}
}

func TestExcerpts(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings[0].Evidence = []evaluator.Evidence{{Pointer: "/launch/manifest/owner", File: "launch.yaml", Line: 4, Column: 3}}
	long := strings.Repeat("x", 3*maxRegion)
	o := inCheckout(t, map[string]string{"launch.yaml": "1\n2\n3\n  owner: docker\t\n5\n6\n7\n8\n", "host.json": long})
	_, log := readSARIF(t, a, o, gitHubLimits)
	p := log.Runs[0].Results[0].Locations[0].PhysicalLocation
	if p.Region.Snippet.Text != "owner: docker" || p.ContextRegion.StartLine != 1 || p.ContextRegion.EndLine != 7 || p.ContextRegion.Snippet.Text != "1\n2\n3\n  owner: docker\t\n5\n6\n7" {
		t.Errorf("%+v %q %q", p, p.Region.Snippet.Text, p.ContextRegion.Snippet.Text)
	}
	artifact := log.Runs[0].Artifacts[*p.ArtifactLocation.Index]
	if artifact.Location.URI != "launch.yaml" || artifact.Hashes["sha-256"] != "ab" || !strings.HasPrefix(artifact.Contents.Text, "1\n2\n") {
		t.Errorf("%+v", artifact)
	}
	if got := log.Runs[0].VersionControlProvenance[0]; got["repositoryUri"] != "https://git.example/gpu.git" || got["revisionId"] != strings.Repeat("a", 40) || got["branch"] != "main" {
		t.Errorf("%v", got)
	}

	a.Rules[0].Subjects[0].Findings[0].Evidence = []evaluator.Evidence{{Pointer: "/nvml", File: "host.json", Line: 1, Column: 1}}
	_, log = readSARIF(t, a, o, gitHubLimits)
	if p := log.Runs[0].Results[0].Locations[0].PhysicalLocation; len(p.Region.Snippet.Text) != maxRegion {
		t.Errorf("a document on one line is quoted with %d characters", len(p.Region.Snippet.Text))
	}
}

func TestWhatIsRedactedIsSaid(t *testing.T) {
	a := sample()
	a.Rules[0].Subjects[0].Findings[0].Evidence = []evaluator.Evidence{{Pointer: "/launch/manifest/services/0/args", File: "launch.yaml", Line: 1, Column: 30}}
	o := Options{Text: func(file string) *Text {
		if file != "launch.yaml" {
			return nil
		}
		return &Text{SHA256: "ab", Lines: []string{"args: [redacted]"}, Mark: "[redacted]"}
	}}
	text, log := readSARIF(t, a, o, sarifLimits{})
	if got := log.Runs[0].Artifacts[0].Contents.Text; got != "args: [redacted]\n" || !strings.Contains(text, `"redactionTokens"`) {
		t.Errorf("the text of the file is %q, and what the mark means is not said", got)
	}
	if got := where(log); got != "SRCROOT launch.yaml:1:30-31" {
		t.Errorf("a place behind the mark is %s", got)
	}
	if text, _ = readSARIF(t, sample(), Options{}, sarifLimits{}); strings.Contains(text, "redactionTokens") {
		t.Error("nothing was redacted")
	}
}

func TestObjectsAreNamed(t *testing.T) {
	a := sample()
	f := &a.Rules[0].Subjects[0].Findings[0]
	f.Evidence[0].Object = &evaluator.Object{Kind: "container", Name: "glm53-flash"}
	f.Evidence[1].Object = &evaluator.Object{Kind: "gpu", Name: "GPU 0"}
	_, log := readSARIF(t, a, Options{}, sarifLimits{})
	var got []string
	for _, l := range log.Runs[0].Results[0].Locations[0].LogicalLocations {
		got = append(got, l.Kind+" "+l.Name+" "+l.FullyQualifiedName)
	}
	if d := cmp.Diff([]string{"gpu GPU 0 cvd-1/gpu/GPU-1", "container glm53-flash cvd-1/container/glm53-flash"}, got); d != "" {
		t.Error(d)
	}
	if got := log.Runs[0].Results[0].RelatedLocations[0].Message.Text; got != "Evidence on container glm53-flash: /nvml/gpus/0." {
		t.Error(got)
	}
}

// What is unknown for want of a source points at what the facts say of it.
func TestGapPointsIntoTheFacts(t *testing.T) {
	a := sample()
	a.Facts.File = "host.json"
	o := inCheckout(t, map[string]string{"host.json": "{\n  \"host\": {},\n  \"sources\": [\n    {\"name\": \"launch\"}\n  ]\n}\n"})
	_, log := readSARIF(t, a, o, sarifLimits{})
	p := log.Runs[0].Results[1].Locations[0].PhysicalLocation
	if p.ArtifactLocation.URI != "host.json" || p.Region.StartLine != 4 || p.Region.Snippet.Text != `{"name": "launch"}` {
		t.Errorf("%+v", p)
	}
}

func TestCodeQuality(t *testing.T) {
	var issues []codeQualityIssue
	if err := json.Unmarshal([]byte(write(t, "codequality", sample(), Options{})), &issues); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range issues {
		got = append(got, fmt.Sprintf("%s %s %s:%d %s", i.CheckName, i.Severity, i.Location.Path, i.Location.Lines.Begin, i.Description))
	}
	want := []string{
		"OWN001 critical launch.yaml:4 cvd-1: GPU 0 is held twice.",
		"OWNU004 major policies/owner/x.rego:20 cvd-1: GPU 0 cannot be judged for OWN004: no launch manifest given.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(issues[0].Content.Body, "What to do: Stop deepseek-v4-flash.service.") {
		t.Errorf("the body is %q", issues[0].Content.Body)
	}
	waived := audited()
	if got := write(t, "codequality", waived, Options{}); strings.Contains(got, "OWN001") || !strings.Contains(got, "OWNU004") {
		t.Errorf("a waived finding is shown as an open one: %s", got)
	}
	waived.Rules = waived.Rules[:1]
	if got := write(t, "codequality", waived, Options{}); got != "[]\n" {
		t.Errorf("nothing open is %q", got)
	}
}
