// Package planning judges a server as if it were registered already, so that
// people see what would conflict before it does. It changes nothing, and nothing
// it supposes enters a facts document that is kept.
package planning

import (
	"context"
	"fmt"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// PlanVersion names the shape of a plan.
const PlanVersion = "gpugate.plan/v1"

// Party is whom the server is to be registered with.
type Party string

// The parties.
const (
	TKE   Party = "tke"
	TIONE Party = "ti-one"
)

// Parse reads the value of --as.
func Parse(s string) (Party, error) {
	switch p := Party(s); p {
	case TKE, TIONE:
		return p, nil
	}
	return "", fmt.Errorf("unknown party %q: want tke or ti-one", s)
}

// Plan is what registering a server would lead to, and what to do before.
type Plan struct {
	SchemaVersion string                 `json:"schemaVersion"`
	As            Party                  `json:"as"`
	Host          evaluator.HostIdentity `json:"host"`
	// CollectedAt is the time of the facts.
	CollectedAt time.Time `json:"collectedAt"`
	// Registered is true when the server is registered with the party already:
	// then the conflicts are those that there are.
	Registered bool `json:"registered"`
	// Conflicts are the rules on owners, judged as if it were registered.
	Conflicts []evaluator.RuleResult `json:"conflicts"`
	// Steps free the GPUs, in their order.
	Steps []Step `json:"steps"`
	// Before are rules that are to hold before, judged on the server as it is;
	// After are those that only a registered server can be judged by.
	Before []evaluator.RuleResult `json:"before"`
	After  []evaluator.Rule       `json:"after"`
	// Violations and Unknowns count the rules of severity error among conflicts
	// and Before.
	Violations int `json:"violations"`
	Unknowns   int `json:"unknowns"`
	// ExitCode is 1 with violations, 3 with unknowns alone, 0 with neither.
	ExitCode int `json:"exitCode"`
}

// rulesFor are the rules that a plan is made of.
var rulesFor = map[Party]struct{ conflicts, before, after []string }{
	TKE: {
		conflicts: []string{"OWN001", "OWN002", "OWN003", "OWN010"},
		before:    []string{"OSP001", "OSP003", "REG003", "REG005", "REG006", "OWN005", "OWN006", "OWN008", "PRE002"},
		after:     []string{"OSP002", "REG001", "REG002", "REG004", "REG008", "REG009"},
	},
	TIONE: {
		conflicts: []string{"OWN001", "OWN003", "OWN010", "OWN011"},
		before:    []string{"OSP001", "TIO001", "TIO002", "TIO003", "TIO005", "TIO006", "TIO007", "TIO008", "OWN005", "OWN006", "OWN008", "PRE002"},
		after:     []string{"TIO004", "TIO009"},
	},
}

// Make plans the registration of the server that the facts are of.
func Make(ctx context.Context, d *facts.Document, as Party, o evaluator.Options) (*Plan, error) {
	rules := rulesFor[as]
	supposed, err := suppose(d, as)
	if err != nil {
		return nil, err
	}
	o.Threshold = evaluator.Threshold{FailOn: evaluator.Error}
	conflicts, err := judge(ctx, supposed, rules.conflicts, o)
	if err != nil {
		return nil, fmt.Errorf("judging the server as if it were registered: %w", err)
	}
	intended, err := intend(d, as)
	if err != nil {
		return nil, err
	}
	before, err := judge(ctx, intended, rules.before, o)
	if err != nil {
		return nil, fmt.Errorf("judging what is to hold before: %w", err)
	}
	p := &Plan{
		SchemaVersion: PlanVersion, As: as, Host: before.Host, CollectedAt: d.CollectedAt, Registered: registered(d, as),
		Conflicts: conflicts.Rules, Before: before.Rules, Steps: steps(conflicts.Ownership, d, as),
		Violations: conflicts.Gate.Violations + before.Gate.Violations, Unknowns: conflicts.Gate.Unknowns + before.Gate.Unknowns,
	}
	if p.After, err = described(ctx, rules.after); err != nil {
		return nil, err
	}
	switch {
	case p.Violations > 0:
		p.ExitCode = evaluator.ExitViolations
	case p.Unknowns > 0:
		p.ExitCode = evaluator.ExitUnknown
	}
	return p, nil
}

func judge(ctx context.Context, d *facts.Document, rules []string, o evaluator.Options) (*evaluator.Assessment, error) {
	p, err := evaluator.Load(ctx, nil, evaluator.Selection{Select: rules})
	if err != nil {
		return nil, err
	}
	return p.Evaluate(ctx, d, o)
}

func described(ctx context.Context, ids []string) ([]evaluator.Rule, error) {
	p, err := evaluator.Load(ctx, nil, evaluator.Selection{})
	if err != nil {
		return nil, err
	}
	var rules []evaluator.Rule
	for _, id := range ids {
		r, err := p.Rule(id)
		if err != nil {
			return nil, err
		}
		rules = append(rules, *r)
	}
	return rules, nil
}
