package evaluator

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// messages tells which messages compiled rules say by their keys: in a statement
// itself, or by what they give to a function that makes statements. A key that is
// worked out is checked when it is said.
type messages struct {
	compiler *ast.Compiler
	said     map[*ast.Rule][]*ast.Term
}

func newMessages(c *ast.Compiler) *messages {
	m := &messages{compiler: c, said: map[*ast.Rule][]*ast.Term{}}
	// makers are the arguments that functions put under the key message.
	makers := map[string][]int{}
	m.each(func(r *ast.Rule) {
		for _, t := range underMessage(r) {
			if _, ok := t.Value.(ast.String); ok {
				m.said[r] = append(m.said[r], t)
			}
			if i := slices.IndexFunc(r.Head.Args, t.Equal); i >= 0 {
				makers[r.Ref().String()] = append(makers[r.Ref().String()], i)
			}
		}
	})
	m.each(func(r *ast.Rule) {
		ast.WalkExprs(r, func(e *ast.Expr) bool {
			if !e.IsCall() {
				return false
			}
			for _, i := range makers[e.Operator().String()] {
				if t := e.Operand(i); t != nil {
					if _, ok := t.Value.(ast.String); ok {
						m.said[r] = append(m.said[r], t)
					}
				}
			}
			return false
		})
	})
	return m
}

func (m *messages) each(do func(*ast.Rule)) {
	for _, file := range slices.Sorted(maps.Keys(m.compiler.Modules)) {
		for _, r := range m.compiler.Modules[file].Rules {
			do(r)
		}
	}
}

// underMessage are what a rule puts under the key message of any object.
func underMessage(r *ast.Rule) []*ast.Term {
	var found []*ast.Term
	ast.WalkTerms(r, func(t *ast.Term) bool {
		if o, ok := t.Value.(ast.Object); ok {
			if said := o.Get(ast.StringTerm("message")); said != nil {
				found = append(found, said)
			}
		}
		return false
	})
	return found
}

// of are the messages that sets of a rule's package say, itself or through
// libraries.
func (m *messages) of(pkg ast.Ref, sets ...string) []*ast.Term {
	var found []*ast.Term
	seen := map[*ast.Rule]bool{}
	var visit func(*ast.Rule)
	visit = func(r *ast.Rule) {
		if seen[r] {
			return
		}
		seen[r] = true
		found = append(found, m.said[r]...)
		for other := range m.compiler.Graph.Dependencies(r) {
			if o, ok := other.(*ast.Rule); ok {
				visit(o)
			}
		}
	}
	for _, set := range sets {
		for _, r := range m.compiler.GetRulesExact(pkg.Append(ast.StringTerm(set))) {
			visit(r)
		}
	}
	slices.SortFunc(found, func(a, b *ast.Term) int { return a.Location.Compare(b.Location) })
	return found
}

// lintMessages wants every message that a rule says to be in its METADATA: else
// it would be missing only on the server where it is said.
func lintMessages(m *messages, r *Rule) error {
	var errs []error
	for _, t := range m.of(r.ref, "fail", "unknown", "assumed") {
		text, ok := t.Value.(ast.String)
		if !ok {
			continue
		}
		key := string(text)
		if _, known := r.Messages[key]; !known {
			errs = append(errs, fmt.Errorf("%s: rule %s says the message %q, which custom.messages in the METADATA of %s does not have%s",
				t.Location, r.ID, key, r.File, nearest(key, slices.Sorted(maps.Keys(r.Messages)))))
		}
	}
	return errors.Join(errs...)
}
