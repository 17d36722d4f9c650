package evaluator

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestDiff(t *testing.T) {
	bad, good, bare := gpu("GPU-a", "unreadable"), gpu("GPU-a", "ok"), facts.GPU{UUID: "GPU-a", State: "ok"}
	of := func(cards ...facts.GPU) *Assessment { return judged(t, document(cards...), Options{}) }
	waived := judged(t, document(bad), Options{Waivers: &WaiverSet{SHA256: "w", Waivers: []*Waiver{waiver(t, WaiverTerms{Expires: "2027-01-31"})}}})
	lapsed := judged(t, document(bad), Options{AsOf: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC), Waivers: &WaiverSet{SHA256: "w", Waivers: []*Waiver{waiver(t, WaiverTerms{Expires: "2027-01-31"})}}})
	blind := judged(t, denied(document(), "nvml.gpus"), Options{})
	fewer := of(bad)
	fewer.Rules = nil
	otherPolicies := of(bad)
	otherPolicies.Policies.SHA256 = "p2"
	for _, tc := range []struct {
		name     string
		old, now *Assessment
		kinds    string
		why      string
	}{
		{"nothing", of(bad), of(bad), "", ""},
		{"a violation", of(good), of(bad), "worse", "the facts differ"},
		{"evidence lost", of(good), of(bare), "worse", "the facts differ"},
		{"a violation that cannot be seen any more", of(bad), of(bare), "worse", "the facts differ"},
		{"settled", of(bad), of(good), "better", "the facts differ"},
		{"gone", of(gpu("GPU-b", "ok"), bad), of(gpu("GPU-b", "ok")), "better", "the facts differ"},
		{"not to be seen", of(bad), blind, "worse worse", "the facts differ"},
		{"waived", of(bad), waived, "better", "waived by who until 2027-01-31: why"},
		{"not waived any more", waived, of(bad), "worse", "is not given any more"},
		{"the waiver has expired", waived, lapsed, "worse", "expired on 2027-01-31"},
		{"not judged any more", of(bad), fewer, "worse", "not judged any more"},
		{"not judged before", fewer, of(bad), "worse", "not judged before"},
		{"a new subject that is fine", of(), of(good), "", ""},
		{"policies alone change no verdict", of(bad), otherPolicies, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Compare("old.json", tc.old, "new.json", tc.now)
			var kinds, why []string
			for _, c := range d.Changes {
				kinds, why = append(kinds, c.Kind), append(why, c.Why)
			}
			if strings.Join(kinds, " ") != tc.kinds || !strings.Contains(strings.Join(why, "\n"), tc.why) {
				t.Errorf("got %v because %v; want %q because %q", kinds, why, tc.kinds, tc.why)
			}
			if d.Worse+d.Better+d.Other != len(d.Changes) {
				t.Errorf("%+v does not add up", d)
			}
		})
	}
}

func TestDiffNamesTheInputs(t *testing.T) {
	old := judged(t, document(gpu("GPU-a", "ok")), Options{})
	now := judged(t, document(gpu("GPU-b", "ok")), Options{AsOf: old.AsOf.AddDate(0, 0, 1), ToolVersion: "2", MaxAge: time.Hour})
	now.Policies.SHA256, now.Host.Name = "other", "cvd-9"
	now.Waivers = &WaiverReport{SHA256: "w"}
	var names []string
	for _, i := range Compare("a", old, "b", now).Inputs {
		names = append(names, i.Name)
	}
	if got := strings.Join(names, " "); got != "host tool facts policies waivers options asOf" {
		t.Error(got)
	}
}

// A verdict that changed by hand is said to have been.
func TestDiffTellsOfTampering(t *testing.T) {
	old := judged(t, document(gpu("GPU-a", "unreadable")), Options{})
	now := judged(t, document(gpu("GPU-a", "unreadable")), Options{})
	now.Rules[0].Subjects[0].Verdict, now.Rules[0].Subjects[0].Findings = Pass, nil
	d := Compare("a", old, "b", now)
	if len(d.Changes) != 1 || !strings.Contains(d.Changes[0].Why, "by hand") {
		t.Errorf("%+v", d.Changes)
	}
}

func TestVerification(t *testing.T) {
	d := document(gpu("GPU-a", "unreadable"))
	encode := func(a *Assessment) []byte {
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a := judged(t, d, Options{})
	v := NewVerification("a.json", a)
	if v.Judged || v.Identical {
		t.Error("verified before anything was judged")
	}
	v.Compare(a, encode(a), judged(t, d, Options{}), encode(judged(t, d, Options{})))
	if !v.Holds() || !v.Judged || len(v.Differences) > 0 {
		t.Errorf("%+v", v)
	}
	v.Signature = &SignatureCheck{Problem: "no"}
	if v.Holds() {
		t.Error("a signature that does not hold is overlooked")
	}

	for name, tc := range map[string]struct {
		change func(*Assessment)
		first  string
	}{
		"verdict": {func(a *Assessment) { a.Rules[0].Subjects[0].Verdict = Pass }, "/rules/0/subjects/0/verdict"},
		"gate":    {func(a *Assessment) { a.Gate.ExitCode = 0 }, "/gate/exitCode"},
		"facts":   {func(a *Assessment) { a.Facts.SHA256 = "other" }, "facts"},
		"policy":  {func(a *Assessment) { a.Policies.SHA256 = "other" }, "policies"},
		"waivers": {func(a *Assessment) { a.Waivers = &WaiverReport{SHA256: "w"} }, "waivers"},
		"tool":    {func(a *Assessment) { a.Tool.Version = "0" }, "version of gpugate"},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := judged(t, d, Options{})
			tc.change(recorded)
			v := NewVerification("a.json", recorded)
			v.Compare(recorded, encode(recorded), a, encode(a))
			if v.Holds() || v.Differences[0].What != tc.first {
				t.Errorf("%+v", v)
			}
		})
	}
	pretty, err := json.MarshalIndent(a, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	rewritten := NewVerification("a.json", a)
	rewritten.Compare(a, pretty, a, encode(a))
	if rewritten.Holds() || rewritten.Differences[0].What != "the file's form" {
		t.Errorf("%+v", rewritten)
	}
}

func TestDecodeAssessment(t *testing.T) {
	text, err := json.MarshalIndent(judged(t, document(gpu("GPU-a", "unreadable")), Options{}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeAssessment("a.json", text); err != nil {
		t.Fatal(err)
	}
	for want, broken := range map[string]string{
		"a.json:2:3: /schemaVersion: want an assessment": strings.Replace(string(text), AssessmentVersion, "gpugate.facts/v1", 1),
		"no schemaVersion":               `{}`,
		"the file is empty":              "",
		"a.json:1:1: this is not an ass": "[]",
		"ends in the middle":             string(text[:len(text)/2]),
		"additional properties":          strings.Replace(string(text), `"gate": {`, `"gate": {"extra": 1,`, 1),
		"/gate/exitCode":                 strings.Replace(string(text), `"exitCode": 1`, `"exitCode": "1"`, 1),
	} {
		if _, err := DecodeAssessment("a.json", []byte(broken)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
