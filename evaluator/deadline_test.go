package evaluator

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// endless is a rule whose violation takes longer than anybody waits.
var endless = strings.Replace(demo, `	gpu.state == "unreadable"
`, `	count([1 | some a in numbers.range(1, 100000); some b in numbers.range(1, 100000); a * b == -1]) > 0
`, 1)

func endlessSet(t *testing.T) *PolicySet {
	t.Helper()
	modules, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	p, err := load(t.Context(), append(modules, module{File: "mine/demo.rego", Text: endless, Custom: true}), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Policies that never end are an error that names the user's own, not a hang and
// not a verdict.
func TestPoliciesThatNeverEnd(t *testing.T) {
	d, err := decode(scenarios(t, "good")["serving"])
	if err != nil {
		t.Fatal(err)
	}
	p := endlessSet(t)
	a, err := p.Evaluate(t.Context(), d, Options{Timeout: 50 * time.Millisecond})
	if err == nil || a != nil {
		t.Fatalf("got %v and error %v, want an error", a, err)
	}
	for _, words := range []string{"within 50ms", "in mine/demo.rego", "nothing was judged"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("the error %q does not say %q", err, words)
		}
	}
}

// Who is interrupted is not told that the policies are slow.
func TestInterruptedJudging(t *testing.T) {
	d, err := decode(scenarios(t, "good")["serving"])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := endlessSet(t).Evaluate(ctx, d, Options{Timeout: time.Hour}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want that of the context", err)
	}
}
