package evaluator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gpugate/gpugate/collector/facts"
)

// explainer asks, for every body of a rule, how many of its conditions hold
// together: the first, the first two, and so on. What holds for which subject
// follows from the subject that the body's head would name.
type explainer struct {
	policies *PolicySet
	rule     *Rule
	reads    []string
	asOf     time.Time
	places   *locator
	module   *ast.Module
	text     string
	input    ast.Value
	document any
}

// read makes the document ready and finds the rule's source.
func (x *explainer) read(d *facts.Document, o Options) error {
	text, err := d.Marshal()
	if err != nil {
		return err
	}
	if x.places, err = newLocator(d, text, o); err != nil {
		return err
	}
	if x.input, err = policyInput(text, x.asOf); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &x.document); err != nil {
		return fmt.Errorf("reading the facts: %w", err)
	}
	x.module, x.text = x.policies.parsed[x.rule.File], x.policies.texts[x.rule.File]
	return nil
}

// body is one body of a rule with what came of each of its beginnings.
type body struct {
	set, file string
	line      int
	says      string
	exprs     []source
	// rows[k] are the solutions of the first k conditions.
	rows [][]row
	// whose[k] tells whether the rows of k know their subject.
	whose []bool
}

type source struct {
	text string
	line int
}

// row is one solution: the subject it is about, as far as that is known, and
// what the names in the next condition stand for.
type row struct {
	kind, id string
	values   []NamedValue
}

// bodies explains every body of the rule, in the order of the file.
func (x *explainer) bodies(ctx context.Context) ([]*body, error) {
	var all []*body
	for _, r := range x.module.Rules {
		set := setOf(r.Head)
		if !slices.Contains([]string{"fail", "unknown", "applicable"}, set) || len(r.Body) == 0 {
			continue
		}
		b := &body{set: set, file: x.rule.File, line: r.Location.Row, says: x.says(r.Head), exprs: x.sources(r)}
		conditions, subject := r.Body, x.subjectTerm(r.Head)
		if r.Head.Key == nil && set != "applicable" {
			conditions, b.exprs, subject = wholeSet(r)
		}
		for k := range len(conditions) + 1 {
			rows, whose, err := x.solve(ctx, conditions, k, subject)
			if err != nil {
				return nil, fmt.Errorf("explaining %s:%d: %w", x.rule.File, r.Location.Row, err)
			}
			b.rows, b.whose = append(b.rows, rows), append(b.whose, whose)
			if len(rows) == 0 {
				break
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// setOf is the name of what a definition adds to.
func setOf(h *ast.Head) string {
	if len(h.Reference) > 0 {
		return strings.Trim(h.Reference[0].String(), `"`)
	}
	return string(h.Name)
}

// wholeSet is the body of a rule that gives all its findings at once: the one
// condition is that a finding is among them.
func wholeSet(r *ast.Rule) (ast.Body, []source, *ast.Term) {
	given, finding := ast.VarTerm("explained_set"), ast.VarTerm("explained_finding")
	body := ast.NewBody(ast.Assign.Expr(given, r.Head.Value.Copy()),
		&ast.Expr{Terms: &ast.SomeDecl{Symbols: []*ast.Term{ast.Member.Call(finding, given)}}})
	exprs := []source{{r.Head.Value.String() + " can be told", r.Location.Row}, {"some finding in it", r.Location.Row}}
	return body, exprs, ast.RefTerm(finding, ast.StringTerm("subject"))
}

// solve finds the solutions of the first k conditions.
func (x *explainer) solve(ctx context.Context, whole ast.Body, k int, subject *ast.Term) ([]row, bool, error) {
	var next *ast.Expr
	if k < len(whole) {
		next = whole[k]
	}
	for _, ask := range []struct{ subject, values bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		if ask.subject && subject == nil {
			continue
		}
		query := ast.Body{}
		for _, e := range whole[:k] {
			query.Append(e.Copy())
		}
		if ask.subject {
			query.Append(collect("explained_subject", subject))
		}
		var names []*ast.Term
		if ask.values && next != nil {
			names = nameable(next)
			for i, n := range names {
				query.Append(collect(fmt.Sprintf("explained_value_%d", i), n))
			}
		}
		if len(query) == 0 {
			query.Append(ast.NewExpr(ast.BooleanTerm(true)))
		}
		rs, err := x.ask(ctx, query)
		if err != nil {
			// A name that is not bound yet cannot be asked for; less is.
			if ast.IsError(ast.UnsafeVarErr, err) || isCompileError(err) {
				continue
			}
			return nil, false, err
		}
		return rowsOf(rs, names), ask.subject, nil
	}
	return nil, false, fmt.Errorf("its first %d conditions cannot be judged on their own", k)
}

func isCompileError(err error) bool {
	switch err.(type) { //nolint:errorlint // rego returns the list as it is
	case ast.Errors, rego.Errors:
		return true
	}
	return false
}

// collect writes name := [v | v := term]: an undefined term must not take the
// solution with it.
func collect(name string, t *ast.Term) *ast.Expr {
	v := ast.VarTerm("explained_element")
	inner := ast.NewBody(ast.Assign.Expr(v, t.Copy()))
	return ast.Assign.Expr(ast.VarTerm(name), ast.ArrayComprehensionTerm(v, inner))
}

// ask runs a query within the rule's package.
func (x *explainer) ask(ctx context.Context, query ast.Body) (rego.ResultSet, error) {
	return rego.New(
		rego.ParsedQuery(query), rego.Compiler(x.policies.compiler), rego.Capabilities(capabilities()),
		rego.ParsedPackage(x.module.Package), rego.ParsedImports(x.module.Imports),
		rego.ParsedInput(x.input),
	).Eval(ctx)
}

// rowsOf reads the solutions.
func rowsOf(rs rego.ResultSet, names []*ast.Term) []row {
	var rows []row
	for _, r := range rs {
		var out row
		if list, ok := r.Bindings["explained_subject"].([]any); ok && len(list) > 0 {
			if o, ok := list[0].(map[string]any); ok {
				out.kind, _ = o["kind"].(string)
				out.id, _ = o["id"].(string)
			}
		}
		for i, n := range names {
			list, _ := r.Bindings[fmt.Sprintf("explained_value_%d", i)].([]any)
			value := "undefined"
			if len(list) > 0 {
				value = shortJSON(list[0])
			}
			out.values = append(out.values, NamedValue{Name: n.String(), Value: value})
		}
		rows = append(rows, out)
	}
	return rows
}

// of keeps the rows of a subject; all where it is not known whose they are.
func (b *body) of(k int, s *Subject) []row {
	if k >= len(b.rows) || s == nil || !b.whose[k] {
		if k >= len(b.rows) {
			return nil
		}
		return b.rows[k]
	}
	return slices.DeleteFunc(slices.Clone(b.rows[k]), func(r row) bool { return r.kind != s.Kind || r.id != s.ID })
}

// way says which conditions hold for a subject.
func (b *body) way(s *Subject) Way {
	w := Way{Set: b.set, Says: b.says, File: b.file, Line: b.line, Conditions: []Condition{}}
	reached := true
	for k, e := range b.exprs {
		c := Condition{Text: e.text, Line: e.line, State: "not-reached"}
		if reached {
			before := b.of(k, s)
			if len(before) == 0 && k > 0 {
				before = b.of(k-1, s)
			}
			if len(before) > 0 {
				c.Values = before[0].values
			}
			c.State = "holds"
			if len(b.of(k+1, s)) == 0 {
				c.State, reached = "fails", false
			}
		}
		w.Conditions = append(w.Conditions, c)
	}
	w.Holds = reached
	return w
}

// subjectTerm is the term of a head that names the subject: the member of an
// object, or that of what a function of the rule's own makes of its arguments.
func (x *explainer) subjectTerm(h *ast.Head) *ast.Term {
	key := h.Key
	if key == nil {
		return nil
	}
	if t := memberTerm(key, "subject"); t != nil {
		return t
	}
	call, ok := key.Value.(ast.Call)
	if ok {
		for _, r := range x.module.Rules {
			if r.Head.Name.String() != call[0].String() || len(r.Head.Args) != len(call)-1 || r.Head.Value == nil {
				continue
			}
			t := memberTerm(r.Head.Value, "subject")
			if t == nil {
				continue
			}
			return substitute(t, r.Head.Args, call[1:])
		}
	}
	return nil
}

func memberTerm(t *ast.Term, key string) *ast.Term {
	if o, ok := t.Value.(ast.Object); ok {
		return o.Get(ast.StringTerm(key))
	}
	return nil
}

// substitute puts the arguments of a call in the place of a function's
// parameters.
func substitute(t *ast.Term, parameters, arguments []*ast.Term) *ast.Term {
	values := map[ast.Var]ast.Value{}
	for i, p := range parameters {
		if v, ok := p.Value.(ast.Var); ok {
			values[v] = arguments[i].Value
		}
	}
	out, err := ast.TransformVars(t.Copy(), func(v ast.Var) (ast.Value, error) {
		if value, ok := values[v]; ok {
			return value, nil
		}
		return v, nil
	})
	value, ok := out.(ast.Value)
	if err != nil || !ok {
		return nil
	}
	return ast.NewTerm(value)
}

// says is the template of the message that a head gives.
func (x *explainer) says(h *ast.Head) string {
	if h.Key == nil {
		return ""
	}
	id := ""
	if t := memberTerm(h.Key, "message"); t != nil {
		if s, ok := t.Value.(ast.String); ok {
			id = string(s)
		}
	}
	if call, ok := h.Key.Value.(ast.Call); ok {
		for _, arg := range call[1:] {
			if s, ok := arg.Value.(ast.String); ok && x.rule.Messages[string(s)] != "" {
				id = string(s)
			}
		}
	}
	return x.rule.Messages[id]
}
