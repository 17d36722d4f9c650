package evaluator

import (
	"bytes"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// nameable are the references and variables in a condition whose values may be
// shown: not those that it declares itself, nor what it calls, nor what stands
// in a comprehension of its own.
func nameable(e *ast.Expr) []*ast.Term {
	var terms []*ast.Term
	declared := declaredBy(e)
	var walk func(t *ast.Term) bool
	add := func(t *ast.Term) {
		if !slices.ContainsFunc(terms, func(o *ast.Term) bool { return o.Equal(t) }) {
			terms = append(terms, t)
		}
	}
	walk = func(t *ast.Term) bool {
		switch v := t.Value.(type) {
		case ast.Ref:
			if !isBuiltin(v) && !isFunction(t, e) {
				add(t)
			}
			return true
		case ast.Var:
			if !declared[v] && !v.IsWildcard() && !v.IsGenerated() {
				add(t)
			}
		case *ast.ArrayComprehension, *ast.SetComprehension, *ast.ObjectComprehension:
			return true
		case ast.Call:
			for _, argument := range v[1:] {
				ast.WalkTerms(argument, walk)
			}
			return true
		}
		return false
	}
	ast.WalkTerms(e, walk)
	return terms
}

// declaredBy are the variables that a condition binds.
func declaredBy(e *ast.Expr) map[ast.Var]bool {
	declared := map[ast.Var]bool{}
	note := func(t *ast.Term) {
		ast.WalkVars(t, func(v ast.Var) bool { declared[v] = true; return false })
	}
	if e.IsAssignment() {
		note(e.Operand(0))
	}
	if s, ok := e.Terms.(*ast.SomeDecl); ok {
		for _, symbol := range s.Symbols {
			if call, ok := symbol.Value.(ast.Call); ok {
				for _, t := range call[1 : len(call)-1] {
					note(t)
				}
			}
		}
	}
	return declared
}

// isFunction reports whether the term is what the expression calls.
func isFunction(t *ast.Term, e *ast.Expr) bool {
	terms, ok := e.Terms.([]*ast.Term)
	return ok && len(terms) > 0 && terms[0] == t
}

// sources cuts the conditions of a rule out of its file.
func (x *explainer) sources(r *ast.Rule) []source {
	end := r.Location.Offset + len(r.Location.Text)
	var all []source
	for i, e := range r.Body {
		stop := end
		if i+1 < len(r.Body) {
			stop = r.Body[i+1].Location.Offset
		}
		text := ""
		if e.Location.Offset < stop && stop <= len(x.text) {
			text = tidy(x.text[e.Location.Offset:stop], i+1 == len(r.Body))
		}
		if text == "" {
			text = e.String()
		}
		all = append(all, source{text, e.Location.Row})
	}
	return all
}

// tidy drops comments and, after the last condition, the brace that closes the
// body.
func tidy(text string, last bool) string {
	var b bytes.Buffer
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(line)
		}
	}
	text = strings.TrimRight(b.String(), "; ")
	if last && strings.Count(text, "}") > strings.Count(text, "{") {
		text = strings.TrimSpace(strings.TrimSuffix(text, "}"))
	}
	return text
}
