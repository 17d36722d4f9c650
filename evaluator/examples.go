package evaluator

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gpugate/gpugate/collector/facts"
)

// Example is a violation on one of the documents that the policies are tested
// with.
type Example struct {
	// Scenario is what the document is called, Subject what is wrong in it.
	Scenario    string
	Subject     string
	Message     string
	Remediation string
}

// Examples returns a violation of each built-in rule, by its id: that of the
// scenario in which the fewest rules are violated.
func (p *PolicySet) Examples(ctx context.Context) (map[string]Example, error) {
	documents, err := badScenarios(ctx)
	if err != nil {
		return nil, err
	}
	examples := map[string]Example{}
	violated := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		var d facts.Document
		if err := json.Unmarshal(documents[name], &d); err != nil {
			return nil, fmt.Errorf("reading the scenario %q: %w", name, err)
		}
		a, err := p.Evaluate(ctx, &d, Options{})
		if err != nil {
			return nil, fmt.Errorf("judging the scenario %q: %w", name, err)
		}
		for _, r := range a.Rules {
			if best, known := violated[r.Rule.ID]; r.Verdict == Fail && (!known || a.Summary.Rules.Fail < best) {
				first := r.Subjects[0]
				violated[r.Rule.ID] = a.Summary.Rules.Fail
				examples[r.Rule.ID] = Example{name, first.Subject.Name, first.Findings[0].Message, first.Findings[0].Remediation}
			}
		}
	}
	return examples, nil
}

// badScenarios are the documents of the policies' tests on which something is
// wrong, by name.
func badScenarios(ctx context.Context) (map[string]json.RawMessage, error) {
	modules, err := builtIn()
	if err != nil {
		return nil, err
	}
	parsed, err := parse(modules)
	if err != nil {
		return nil, err
	}
	c := ast.NewCompiler().WithCapabilities(capabilities()).WithSkipStages(ast.StageCheckTypes)
	if c.Compile(parsed); c.Failed() {
		return nil, fmt.Errorf("compiling the scenarios: %w", c.Errors)
	}
	results, err := rego.New(rego.Compiler(c), rego.Query("bad = data.gpugate.lib.scenarios.bad")).Eval(ctx)
	if err != nil {
		return nil, fmt.Errorf("making the scenarios: %w", err)
	}
	if len(results) != 1 {
		return nil, fmt.Errorf("making the scenarios: got %d answers instead of one", len(results))
	}
	text, err := json.Marshal(results[0].Bindings["bad"])
	if err != nil {
		return nil, fmt.Errorf("making the scenarios: %w", err)
	}
	var documents map[string]json.RawMessage
	if err := json.Unmarshal(text, &documents); err != nil {
		return nil, fmt.Errorf("reading the scenarios: %w", err)
	}
	return documents, nil
}
