package evaluator

import "fmt"

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
	// Violations and Unknowns count the rules at or above the threshold.
	Violations int `json:"violations"`
	Unknowns   int `json:"unknowns"`
	// Outcome is "pass", "violations" or "unknown".
	Outcome  string `json:"outcome" jsonschema:"enum=pass,enum=violations,enum=unknown"`
	ExitCode int    `json:"exitCode"`
	// Reason says it in a sentence.
	Reason string `json:"reason"`
}

// decide closes or opens the gate. Proven violations come before missing
// evidence: a pipeline that tolerates the latter must still see the former.
func (t Threshold) decide(rules []RuleResult) Gate {
	g := Gate{FailOn: t.FailOn, AllowUnknown: t.AllowUnknown}
	for _, r := range rules {
		if !t.reached(r.Severity) {
			continue
		}
		switch r.Verdict {
		case Fail:
			g.Violations++
		case Pass, NotApplicable:
		default:
			g.Unknowns++
		}
	}
	switch {
	case g.Violations > 0:
		g.Outcome, g.ExitCode = "violations", ExitViolations
		g.Reason = fmt.Sprintf("%s violated at or above %s", count(g.Violations, "rule"), t.FailOn)
	case g.Unknowns > 0 && !t.AllowUnknown:
		g.Outcome, g.ExitCode = "unknown", ExitUnknown
		g.Reason = fmt.Sprintf("no violation at or above %s is proven, but evidence is missing for %s", t.FailOn, count(g.Unknowns, "rule"))
	case g.Unknowns > 0:
		g.Outcome, g.ExitCode = "pass", ExitPass
		g.Reason = fmt.Sprintf("no violation at or above %s is proven; evidence is missing for %s, which --allow-unknown lets through", t.FailOn, count(g.Unknowns, "rule"))
	case t.FailOn == Never:
		g.Outcome, g.ExitCode, g.Reason = "pass", ExitPass, "the gate is open whatever is found (--fail-on never)"
	default:
		g.Outcome, g.ExitCode = "pass", ExitPass
		g.Reason = fmt.Sprintf("every rule at or above %s could be judged and none is violated", t.FailOn)
	}
	return g
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
