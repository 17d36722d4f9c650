package evaluator

import (
	"fmt"
	"strings"
)

// Exit codes of the command line.
const (
	ExitPass       = 0
	ExitViolations = 1
	ExitUsage      = 2
	ExitUnknown    = 3
)

// Never is the threshold that no severity reaches.
const Never Severity = "never"

// Threshold says when the gate closes.
type Threshold struct {
	// FailOn is the lightest severity that closes the gate; [Never] leaves it
	// open.
	FailOn Severity
	// AllowUnknown lets missing evidence through. The assessment says so.
	AllowUnknown bool
	// FailOnNew lets through what the baseline holds already.
	FailOnNew bool
}

// ParseFailOn reads a --fail-on value.
func ParseFailOn(s string) (Severity, error) {
	switch v := Severity(s); v {
	case Error, Warning, Note, Never:
		return v, nil
	}
	return "", fmt.Errorf("unknown severity %q: want error, warning, note or never", s)
}

// reached reports whether a rule of this severity counts for the gate.
func (t Threshold) reached(s Severity) bool {
	return t.FailOn != Never && s.weight() >= t.FailOn.weight()
}

// Gate is the decision for a pipeline.
type Gate struct {
	FailOn       Severity `json:"failOn"`
	AllowUnknown bool     `json:"allowUnknown"`
	// FailOnNew lets through what the baseline holds already.
	FailOnNew bool `json:"failOnNew"`
	// Violations and Unknowns count the rules at or above the threshold that
	// neither waivers nor, with FailOnNew, the baseline let through.
	Violations int `json:"violations"`
	Unknowns   int `json:"unknowns"`
	// Waived and Known count the rules at or above the threshold with a failed
	// or unknown subject that a waiver, or else the baseline, lets through.
	Waived int `json:"waived"`
	Known  int `json:"known"`
	// Outcome is "pass", "violations" or "unknown".
	Outcome  string `json:"outcome" jsonschema:"enum=pass,enum=violations,enum=unknown"`
	ExitCode int    `json:"exitCode"`
	// Reason says it in a sentence.
	Reason string `json:"reason"`
}

// decide closes or opens the gate. Proven violations come before missing
// evidence: a pipeline that tolerates the latter must still see the former.
func (t Threshold) decide(rules []RuleResult) Gate {
	g := Gate{FailOn: t.FailOn, AllowUnknown: t.AllowUnknown, FailOnNew: t.FailOnNew}
	for _, r := range rules {
		if t.reached(r.Severity) {
			g.count(r)
		}
	}
	switch {
	case g.Violations > 0:
		g.Outcome, g.ExitCode = "violations", ExitViolations
	case g.Unknowns > 0 && !t.AllowUnknown:
		g.Outcome, g.ExitCode = "unknown", ExitUnknown
	default:
		g.Outcome, g.ExitCode = "pass", ExitPass
	}
	g.Reason = g.reason() + g.letThrough()
	return g
}

// reason says in English why the gate is open or closed.
func (g *Gate) reason() string {
	switch {
	case g.Violations > 0:
		return fmt.Sprintf("%s violated at or above %s", count(g.Violations, "rule"), g.FailOn)
	case g.Unknowns > 0 && !g.AllowUnknown:
		return fmt.Sprintf("no violation at or above %s is proven, but evidence is missing for %s", g.FailOn, count(g.Unknowns, "rule"))
	case g.Unknowns > 0:
		return fmt.Sprintf("no violation at or above %s is proven; evidence is missing for %s, which --allow-unknown lets through", g.FailOn, count(g.Unknowns, "rule"))
	case g.FailOn == Never:
		return "the gate is open whatever is found (--fail-on never)"
	case g.Waived > 0 || g.Known > 0:
		return fmt.Sprintf("nothing at or above %s closes the gate", g.FailOn)
	}
	return fmt.Sprintf("every rule at or above %s could be judged and none is violated", g.FailOn)
}

// count counts one rule by the worst of the verdicts that nothing lets through.
func (g *Gate) count(r RuleResult) {
	var fails, unknowns, waived, known bool
	subjects := r.Subjects
	if len(subjects) == 0 {
		subjects = []SubjectResult{{Verdict: r.Verdict}}
	}
	for _, s := range subjects {
		switch {
		case !s.Bad():
		case s.Waived():
			waived = true
		case !g.Counts(s):
			known = true
		case s.Verdict == Fail:
			fails = true
		default:
			unknowns = true
		}
	}
	switch {
	case fails:
		g.Violations++
	case unknowns:
		g.Unknowns++
	}
	if waived {
		g.Waived++
	}
	if known {
		g.Known++
	}
}

// flags writes what was demanded of the gate other than by default.
func (g *Gate) flags() string {
	var words []string
	if g.FailOn != Error {
		words = append(words, "--fail-on "+string(g.FailOn))
	}
	if g.AllowUnknown {
		words = append(words, "--allow-unknown")
	}
	if g.FailOnNew {
		words = append(words, "--fail-on-new")
	}
	return strings.Join(words, " ")
}

// letThrough says what would have counted.
func (g *Gate) letThrough() string {
	var words string
	if g.Waived > 0 {
		words += fmt.Sprintf("; waivers cover what %s found", count(g.Waived, "rule"))
	}
	if g.Known > 0 {
		words += fmt.Sprintf("; the baseline holds what %s found already (--fail-on-new)", count(g.Known, "rule"))
	}
	return words
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
