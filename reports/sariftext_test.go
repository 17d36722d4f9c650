package reports

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/reports/words"
)

func TestMessageTemplate(t *testing.T) {
	for _, c := range []struct{ message, remediation, want string }{
		{"{gpu} is held by {holders}", "stop {holders} on {gpu}", "'{0}': '{1}' is held by '{2}'. What to do: stop '{2}' on '{1}'."},
		{"node '{node}' is {state}!", "Wait.", "'{0}': node '{1}' is '{2}'! What to do: Wait."},
		{`a set {"x": 1} of [{n}](x)`, "{}", `'{0}': a set {{"x": 1}} of ['{1}'] (x). What to do: {{}}.`},
		{"two\n  lines", "none", "'{0}': two lines. What to do: none."},
	} {
		if d := cmp.Diff(c.want, messageTemplate(words.English, c.message, c.remediation)); d != "" {
			t.Errorf("%q: %s", c.message, d)
		}
	}
}

func TestArguments(t *testing.T) {
	values := map[string]string{"a": "1", "b": "2", "c": "3"}
	if d := cmp.Diff([]string{"2", "1", "3"}, arguments("{b} and {a}", "'{c}' {a}", values)); d != "" {
		t.Error(d)
	}
	if got := arguments("{b} {d}", "", values); got != nil {
		t.Errorf("one has no value, but they are %q", got)
	}
	if got := arguments("none", "at all", nil); got == nil {
		t.Error("a message without placeholders needs no values")
	}
}

func TestFill(t *testing.T) {
	if got := fill("'{0}' {{1}} '{1}' {2}", []string{"{1}", "b"}); got != "'{1}' {1} 'b' {2}" {
		t.Error(got)
	}
}

// pascalForm is what the reference validator takes for PascalCase.
var pascalForm = regexp.MustCompile(`^(\p{Lu}[\p{Ll}\p{Nd}]+)*$`)

func TestPascal(t *testing.T) {
	for title, want := range map[string]string{
		"Two parties run on one GPU":     "TwoPartiesRunOnOneGpu",
		"The manifest is this server's":  "TheManifestIsThisServers",
		"What runs on a GPU is recorded": "WhatRunsOnGpuIsRecorded",
		"TI-ONE may not use 2 GPUs":      "TiOneMayNotUse2Gpus",
		"8 bit is enough":                "Rule8BitIsEnough",
		"LoRA/QLoRA":                     "LoraQlora",
		"모든 GPU에 관리자가 하나":                "Gpu",
		"한국어":                            "",
		"a":                              "",
		"x is y":                         "RulexIsy",
		"one_party_runs":                 "OnePartyRuns",
	} {
		got := pascal(title)
		if got != want || !pascalForm.MatchString(got) {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
	}
}

func TestRuleNameIsNeverEmpty(t *testing.T) {
	a := sample()
	r := a.Rules[0]
	r.Title, r.Package = "한국어", "gpugate.rules.team.restart_policy"
	if got := ruleName(&r, "Unknown"); got != "RestartPolicyUnknown" {
		t.Error(got)
	}
	r.Package = ""
	if got := ruleName(&r, ""); got != "Rule" {
		t.Error(got)
	}
	r.Title = strings.Repeat("long ", 100)
	if got := ruleName(&r, "Unknown"); len(got) != 255 || !strings.HasSuffix(got, "Unknown") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
