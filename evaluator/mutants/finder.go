package mutants

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// swaps are the operators and functions that are put in the place of others.
var swaps = map[string][]string{
	"equal": {"neq"}, "neq": {"equal"},
	"lt": {"lte", "gte"}, "lte": {"lt", "gt"}, "gt": {"gte", "lte"}, "gte": {"gt", "lt"},
	"or": {"and"}, "and": {"or"}, "minus": {"plus"}, "plus": {"minus"}, "mul": {"div"}, "div": {"mul"}, "rem": {"mul"},
	"startswith": {"endswith"}, "endswith": {"startswith"}, "min": {"max"}, "max": {"min"},
	"floor": {"ceil"}, "ceil": {"floor"}, "lower": {"upper"}, "upper": {"lower"}, "trim_prefix": {"trim_suffix"}, "trim_suffix": {"trim_prefix"},
}

// kindOf tells operators apart.
func kindOf(operator string) Kind {
	switch operator {
	case "equal", "neq", "lt", "lte", "gt", "gte":
		return Comparison
	case "or", "and", "minus", "plus", "mul", "div", "rem":
		return Operator
	}
	return Function
}

// finder walks one module and collects its changes.
type finder struct {
	file     string
	module   *ast.Module
	messages map[string]bool
	found    []change

	// row is the first line of the definition at hand, and shown what a change is
	// shown in: the innermost expression, or the value itself in a head.
	row   int
	shown any
	at    *ast.Location
	// said is true within what a definition only says: a constant, whose entries are
	// data, and the arguments and evidence of a finding.
	said bool
}

// add collects a change at a place, or where the expression at hand stands.
func (f *finder) add(kind Kind, at *ast.Location, apply func()) {
	if at == nil || at.Row == 0 {
		at = f.at
	}
	f.found = append(f.found, change{
		Mutant: Mutant{Kind: kind, File: f.file, Row: at.Row, Col: at.Col, rule: f.row},
		shown:  f.shown, apply: apply,
	})
}

// leftOut collects a change that takes something away.
func (f *finder) leftOut(kind Kind, at *ast.Location, what any, apply func()) {
	f.add(kind, at, apply)
	last := &f.found[len(f.found)-1]
	last.Before, last.After, last.shown, last.gone = "", "", what, true
}

// rule collects the changes of one definition and of what follows with else.
func (f *finder) rule(r *ast.Rule) {
	f.row, f.at = r.Loc().Row, r.Loc()
	if f.definitions(r) > 1 {
		f.leftOut(Clause, r.Loc(), r.Head, func() {
			f.module.Rules = slices.DeleteFunc(f.module.Rules, func(o *ast.Rule) bool { return o == r })
		})
	}
	for each := r; each != nil; each = each.Else {
		f.definition(each)
		if other := each.Else; other != nil {
			f.leftOut(Clause, other.Loc(), other.Head, func() { each.Else = other.Else })
		}
	}
}

// definitions counts those of the rule's name. The only one cannot be left out:
// nothing that uses it would compile.
func (f *finder) definitions(r *ast.Rule) int {
	n := 0
	for _, o := range f.module.Rules {
		if o.Head.Ref().GroundPrefix().Equal(r.Head.Ref().GroundPrefix()) {
			n++
		}
	}
	return n
}

func (f *finder) definition(r *ast.Rule) {
	f.shown, f.at = nil, r.Loc()
	f.said = isTable(r)
	for i, a := range r.Head.Args {
		f.term(a, func(t *ast.Term) { r.Head.Args[i] = t })
	}
	if r.Head.Key != nil {
		f.term(r.Head.Key, func(t *ast.Term) { r.Head.Key = t })
	}
	if r.Head.Value != nil && !generated(r) {
		f.term(r.Head.Value, func(t *ast.Term) { r.Head.Value = t })
	}
	f.said = false
	f.body(&r.Body)
}

// generated reports whether the parser gave the rule its value: `x if …` is true.
func generated(r *ast.Rule) bool {
	return r.Head.Value.Location == nil || r.Head.Value.Location.Offset == r.Head.Location.Offset
}

// isTable reports whether a definition is a list, set or object of constants, or
// joins such sets: its words are data.
func isTable(r *ast.Rule) bool {
	if r.Head.Value == nil || len(r.Head.Args) > 0 || len(r.Body) > 1 || len(r.Body) == 1 && !isTrue(r.Body[0]) {
		return false
	}
	switch v := r.Head.Value.Value.(type) {
	case ast.Set, ast.Object, *ast.Array:
		return r.Head.Value.IsGround()
	case ast.Call:
		return kindOf(v[0].Value.String()) == Operator
	}
	return false
}

// body collects the changes of a body: of each expression, and each left out.
func (f *finder) body(b *ast.Body) {
	for i, e := range *b {
		if isTrue(e) {
			continue
		}
		if !binds(e) {
			f.leftOut(Condition, e.Location, e, without(b, i))
		}
		f.expr(e)
	}
}

// binds reports whether an expression gives names that the rest uses: without it
// nothing would compile.
func binds(e *ast.Expr) bool {
	if _, ok := e.Terms.(*ast.SomeDecl); ok {
		return true
	}
	return e.IsAssignment()
}

// without takes one expression out of a body.
func without(b *ast.Body, i int) func() {
	at := (*b)[i].Location
	return func() {
		rest := slices.Delete(slices.Clone(*b), i, i+1)
		if len(rest) == 0 {
			rest = ast.NewBody(ast.NewExpr(ast.BooleanTerm(true)).SetLocation(at))
		}
		for j := range rest {
			rest[j].Index = j
		}
		*b = rest
	}
}

// isTrue reports whether an expression is the one the parser puts into an empty
// body.
func isTrue(e *ast.Expr) bool {
	t, ok := e.Terms.(*ast.Term)
	return ok && t.Value.Compare(ast.Boolean(true)) == 0
}

func (f *finder) expr(e *ast.Expr) {
	shown, at := f.shown, f.at
	f.shown, f.at = e, e.Location
	defer func() { f.shown, f.at = shown, at }()
	if negatable(e) {
		f.add(Negation, e.Location, func() { e.Negated = !e.Negated })
	}
	switch terms := e.Terms.(type) {
	case *ast.Term:
		f.term(terms, func(t *ast.Term) { e.Terms = t })
	case []*ast.Term:
		f.call(terms)
	case *ast.Every:
		f.term(terms.Domain, func(t *ast.Term) { terms.Domain = t })
		f.body(&terms.Body)
	case *ast.SomeDecl:
		for _, s := range terms.Symbols {
			if call, ok := s.Value.(ast.Call); ok {
				f.operands(call)
			}
		}
	}
}

// negatable reports whether turning an expression round says something new:
// comparisons have changes of their own, assignments are none.
func negatable(e *ast.Expr) bool {
	if e.Negated {
		return true
	}
	switch e.Terms.(type) {
	case *ast.Term:
		return true
	case []*ast.Term:
		operator := e.Operator().String()
		return operator != "assign" && operator != "eq" && kindOf(operator) != Comparison && operator != "print"
	}
	return false
}

// call collects the changes of an operator or function, and of its operands.
func (f *finder) call(terms []*ast.Term) {
	operator := terms[0]
	name := operator.Value.String()
	for _, other := range swaps[name] {
		f.add(kindOf(name), operator.Location, func() {
			terms[0] = ast.NewTerm(ast.Ref{ast.VarTerm(other)}).SetLocation(operator.Location)
		})
	}
	f.operands(terms)
}

// operands collects the changes of what a function is given. What only words it
// is left alone: formats, bases, the keys of object.get and the paths of which
// completeness is asked, since what is in no document does not pass the lint.
func (f *finder) operands(terms []*ast.Term) {
	name := terms[0].Value.String()
	if name == "print" {
		return
	}
	said := f.said
	f.said = said || name == "sprintf" || name == "concat"
	defer func() { f.said = said }()
	for i, t := range terms[1:] {
		asked := i == 0 && strings.HasPrefix(name, "index.")
		if asked || name == "sprintf" && i == 0 || name == "concat" && i == 0 || (name == "object.get" || name == "format_int") && i == 1 {
			continue
		}
		f.term(t, func(n *ast.Term) { terms[i+1] = n })
	}
}
