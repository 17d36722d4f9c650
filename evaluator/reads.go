package evaluator

import (
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// alwaysKnown are the parts of the document every rule may read without saying
// so: they are never missing.
var alwaysKnown = []string{"schemaVersion", "collectedAt", "sources"}

// readers tells what compiled rules read. It remembers what it found, since most
// rules reach the same libraries.
//
// OPA's own dependencies package answers the same question one rule at a time,
// which takes a third of the time of loading, and leaves out references whose
// values it thinks unused. Here every reference counts: a gap in something that a
// rule only touches must not pass unseen.
type readers struct {
	compiler *ast.Compiler
	// all are the paths each rule reads, itself or through others.
	all map[*ast.Rule]map[string]bool
}

func newReaders(c *ast.Compiler) *readers {
	return &readers{compiler: c, all: map[*ast.Rule]map[string]bool{}}
}

// of returns the dotted fact paths that the members of a package need, or the
// whole package if none is named, down to the first variable, through every
// library they call. A member that is not defined needs nothing.
func (r *readers) of(pkg ast.Ref, members ...string) []string {
	rules := r.compiler.GetRulesWithPrefix(pkg)
	if len(members) > 0 {
		rules = nil
	}
	for _, m := range members {
		rules = append(rules, r.compiler.GetRulesExact(pkg.Append(ast.StringTerm(m)))...)
	}
	paths := map[string]bool{}
	for _, rule := range rules {
		maps.Copy(paths, r.reached(rule))
	}
	return slices.Sorted(maps.Keys(paths))
}

// reached returns the paths that one rule reads, itself or through others.
// Rules cannot be recursive, so this ends.
func (r *readers) reached(rule *ast.Rule) map[string]bool {
	if paths, known := r.all[rule]; known {
		return paths
	}
	paths := map[string]bool{}
	ast.WalkRefs(rule, func(ref ast.Ref) bool {
		if p, ok := factPath(ref); ok {
			paths[p] = true
		}
		return false
	})
	ast.WalkExprs(rule, func(e *ast.Expr) bool {
		if p, ok := askedFor(e); ok {
			paths[p] = true
		}
		return false
	})
	for other := range r.compiler.Graph.Dependencies(rule) {
		if o, ok := other.(*ast.Rule); ok {
			maps.Copy(paths, r.reached(o))
		}
	}
	r.all[rule] = paths
	return paths
}

// indexRef is the library that tells whether a part of the facts is whole, and
// completeness are its functions that do. The dotted path of the part is their
// first argument.
const indexRef = "data.gpugate.lib.index"

var completeness = []string{"complete", "complete_for", "whole"}

// asks reports whether an expression asks whether a part of the facts is whole.
func asks(e *ast.Expr) bool {
	if !e.IsCall() || len(e.Operands()) == 0 {
		return false
	}
	name, ok := strings.CutPrefix(e.Operator().String(), indexRef+".")
	return ok && slices.Contains(completeness, name)
}

// askedFor is the path of which an expression asks whether it is whole. That is a
// read of all of it: a rule that withholds a violation because of a gap must not
// pass because of the same gap.
func askedFor(e *ast.Expr) (string, bool) {
	if !asks(e) {
		return "", false
	}
	p, ok := e.Operand(0).Value.(ast.String)
	return string(p), ok
}

// factPath is the dotted path of a reference into the facts, down to its first
// variable.
func factPath(ref ast.Ref) (string, bool) {
	if !ref.HasPrefix(ast.InputRootRef) {
		return "", false
	}
	var parts []string
	for _, t := range ref[1:] {
		s, ok := t.Value.(ast.String)
		if !ok {
			break
		}
		parts = append(parts, string(s))
	}
	p := strings.Join(parts, ".")
	return p, !slices.Contains(alwaysKnown, p)
}
