package evaluator

import (
	"strings"
	"testing"
)

// extra makes the module of a user's signatures out of its rules.
func extra(rules string) module {
	return module{File: "own/signatures.rego", Custom: true, Text: `# METADATA
# title: Our own tools
# schemas:
#   - input: schema.facts
package gpugate.signatures.extra

` + rules + "\n"}
}

func loadWithExtra(t *testing.T, rules string) (*PolicySet, error) {
	t.Helper()
	modules, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	return load(t.Context(), append(modules, extra(rules)), Selection{})
}

// serving is the scenario whose one container is judged by its command line.
func commandLine(t *testing.T, p *PolicySet, args ...any) RuleResult {
	t.Helper()
	doc := scenarios(t, "good")["serving"]
	daemon := doc["docker"].(map[string]any)["daemons"].([]any)[0].(map[string]any)
	daemon["containers"].([]any)[0].(map[string]any)["args"] = args
	return judgeAll(t, p, doc)["SCP002"]
}

// Users teach the scope rules their own tools.
func TestSignaturesOfUsers(t *testing.T) {
	p, err := loadWithExtra(t, `programs contains {"name": "acme-serve", "class": "inference"}

scripts contains {"pattern": "^fit_[a-z]+\\.py$", "class": "training"}`)
	if err != nil {
		t.Fatal(err)
	}
	builtIn := builtInSet(t)
	for _, tt := range []struct {
		args         []any
		before, with Verdict
	}{
		{[]any{"acme-serve", "--port", "80"}, Unknown, Pass},
		{[]any{"torchrun", "--nproc_per_node", "2", "fit_lima.py"}, Unknown, Fail},
		{[]any{"acme-other"}, Unknown, Unknown},
		{[]any{"python", "train.py"}, Fail, Fail},
	} {
		if r := commandLine(t, builtIn, tt.args...); r.Verdict != tt.before {
			t.Errorf("%v: %s without the user's signatures, want %s", tt.args, r.Verdict, tt.before)
		}
		if r := commandLine(t, p, tt.args...); r.Verdict != tt.with {
			t.Errorf("%v: %s with them, want %s: %s", tt.args, r.Verdict, tt.with, brief(r))
		}
	}
}

// A mistake in a signature is an error, not a workload that is never recognised.
func TestWrongSignatures(t *testing.T) {
	for rules, want := range map[string]string{
		`program contains {"name": "x", "class": "inference"}`:                      `"program" is no table of signatures`,
		`programs contains {"name": "acme", "class": "inferenze"}`:                  `did you mean "inference"`,
		`programs contains {"nme": "acme", "class": "inference"}`:                   `want an object with the members name, class`,
		`programs contains {"name": "acme", "kind": "lora", "class": "training"}`:   `there are only the members name, class`,
		`programs contains "acme"`:                                                  `want an object`,
		`modules contains {"pattern": "^acme(", "class": "inference"}`:              `missing closing )`,
		`scripts contains {"pattern": ".*", "class": "inference"}`:                  `matches any name`,
		`programs contains {"name": "python3", "class": "inference"}`:               `runs whatever it is given`,
		`programs contains {"name": "tritonserver", "class": "training"}`:           `built in, it is inference`,
		`subcommands contains {"program": "swift", "name": "sft", "class": "tool"}`: `built in, it is training`,
		`programs := "none"`: `each table is a set of objects`,
		`paths contains {"pattern": sprintf("%d", [1/0]), "class": "tool"}`: `divide by zero`,
	} {
		_, err := loadWithExtra(t, rules)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "own/signatures.rego") {
			t.Errorf("%s: got error %v, want one that says %q and names the file", rules, err, want)
		}
	}
}

// What a user's signatures repeat, or tell of what is built in as unknown, is right.
func TestSignaturesMayRepeat(t *testing.T) {
	if _, err := loadWithExtra(t, `programs contains {"name": "tritonserver", "class": "inference"}

programs contains {"name": "jupyter", "class": "tool"}`); err != nil {
		t.Error(err)
	}
}
