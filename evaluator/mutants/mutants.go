// Package mutants asks of the policies' tests whether they would notice a fault.
// It puts one small fault at a time into a policy (a comparison turned round, a
// condition left out, another word) and runs the Rego tests that reach it. A
// fault that no test notices is a survivor: something the policy says that
// nobody holds it to.
package mutants

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Kind is what is changed in a policy.
type Kind string

// The kinds of faults.
const (
	Comparison Kind = "comparison" // == for !=, < for <=
	Condition  Kind = "condition"  // one expression of a body left out
	Negation   Kind = "negation"   // not x for x, and x for not x
	Operator   Kind = "operator"   // | for &, + for -
	Function   Kind = "function"   // startswith for endswith, min for max
	Number     Kind = "number"     // one more, one less
	Boolean    Kind = "boolean"    // true for false
	Word       Kind = "word"       // another word, or another message
	Clause     Kind = "clause"     // one of several definitions left out
)

// Mutant is one fault in one place of a policy.
type Mutant struct {
	Kind     Kind
	File     string
	Row, Col int
	// Before and After are the changed code.
	Before, After string

	// rule is the first line of the definition that is changed.
	rule int
}

func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s → %s", m.File, m.Row, m.Col, m.Kind, m.Before, m.After)
}

// change is a mutant of one module that can be put into it. Putting it in
// changes the module for good: each change needs a copy of its own.
type change struct {
	Mutant
	// shown is the code that the change is in, or that is left out; nil where Before
	// and After say it.
	shown any
	gone  bool
	apply func()
}

// changes lists what can be changed in a module, always in the same order.
func changes(file string, m *ast.Module) []change {
	f := &finder{file: file, module: m, messages: messageKeys(m)}
	for _, r := range m.Rules {
		f.rule(r)
	}
	return f.found
}

// mutated returns a copy of the module with its nth change made.
func mutated(file string, m *ast.Module, n int) (*ast.Module, Mutant) {
	copied := m.Copy()
	c := changes(file, copied)[n]
	if c.shown == nil {
		c.apply()
		return copied, c.Mutant
	}
	before, after := code(c.shown), "nothing"
	c.apply()
	if !c.gone {
		after = code(c.shown)
	}
	c.Before, c.After = difference(before, after)
	return copied, c.Mutant
}

// messageKeys are the keys of the templates in the METADATA of a rule's package.
func messageKeys(m *ast.Module) map[string]bool {
	keys := map[string]bool{}
	for _, a := range m.Annotations {
		messages, _ := a.Custom["messages"].(map[string]any)
		for key := range messages {
			keys[key] = true
		}
	}
	return keys
}
