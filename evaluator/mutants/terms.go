package mutants

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"
)

// aWord is text that decides something: a name, not a sentence, not an empty
// default and not a JSON pointer.
var aWord = regexp.MustCompile(`^[^\s/][^\s]*$`)

// term collects the changes of a value and of what is in it. set puts another
// term in its place: sets and objects remember hashes of what they hold and have
// to be made anew.
func (f *finder) term(t *ast.Term, set func(*ast.Term)) {
	put := func(v ast.Value) { set(ast.NewTerm(v).SetLocation(t.Location)) }
	if _, ok := t.Value.(ast.Call); ok && f.shown == nil {
		f.shown = t
		defer func() { f.shown = nil }()
	}
	switch v := t.Value.(type) {
	case ast.Boolean:
		f.other(Boolean, t, !v, put)
	case ast.Number:
		f.number(t, v, put)
	case ast.String:
		f.word(t, string(v), put)
	case ast.Call:
		f.call(v)
	case ast.Ref:
		f.ref(v)
	case *ast.Array:
		f.array(v, put)
	case ast.Set:
		for _, e := range v.Slice() {
			f.term(e, func(n *ast.Term) {
				put(ast.NewSet(replaced(v.Slice(), e, n)...))
			})
		}
	case ast.Object:
		f.object(v, put)
	case *ast.ArrayComprehension:
		f.term(v.Term, func(n *ast.Term) { v.Term = n })
		f.within(&v.Body)
	case *ast.SetComprehension:
		f.term(v.Term, func(n *ast.Term) { v.Term = n })
		f.within(&v.Body)
	case *ast.ObjectComprehension:
		f.term(v.Key, func(n *ast.Term) { v.Key = n })
		f.term(v.Value, func(n *ast.Term) { v.Value = n })
		f.within(&v.Body)
	}
}

// within collects the changes of the body of a comprehension: that decides, also
// where the whole is only said.
func (f *finder) within(b *ast.Body) {
	said := f.said
	f.said = false
	f.body(b)
	f.said = said
}

// other collects a change of a constant.
func (f *finder) other(kind Kind, t *ast.Term, by ast.Value, put func(ast.Value)) {
	f.add(kind, t.Location, func() { put(by) })
	last := &f.found[len(f.found)-1]
	last.Before, last.After = t.Value.String(), by.String()
}

func replaced(list []*ast.Term, old, by *ast.Term) []*ast.Term {
	list = slices.Clone(list)
	list[slices.Index(list, old)] = by
	return list
}

func (f *finder) number(t *ast.Term, v ast.Number, put func(ast.Value)) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || f.said {
		return
	}
	f.other(Number, t, ast.Number(strconv.FormatInt(n+1, 10)), put)
	if n > 0 {
		f.other(Number, t, ast.Number(strconv.FormatInt(n-1, 10)), put)
	}
}

// word changes a name into one that nothing has, and a message into another of
// the same rule.
func (f *finder) word(t *ast.Term, v string, put func(ast.Value)) {
	if f.said && !f.messages[v] || !aWord.MatchString(v) {
		return
	}
	other := v + "~"
	if f.messages[v] {
		for _, key := range sortedKeys(f.messages) {
			if key != v {
				other = key
				break
			}
		}
	}
	f.other(Word, t, ast.String(other), put)
}

// ref collects the changes of what a reference begins with or looks up, where
// that is more than a name.
func (f *finder) ref(r ast.Ref) {
	for i, t := range r {
		switch t.Value.(type) {
		case ast.Var, ast.String:
			continue
		}
		f.term(t, func(n *ast.Term) { r[i] = n })
	}
}

func (f *finder) array(a *ast.Array, put func(ast.Value)) {
	for i := range a.Len() {
		f.term(a.Elem(i), func(n *ast.Term) {
			var all []*ast.Term
			for j := range a.Len() {
				all = append(all, a.Elem(j))
			}
			all[i] = n
			put(ast.NewArray(all...))
		})
	}
}

// object collects the changes of the values of an object. Its keys are names
// that the lint and the evaluator look at. In a head, it is what a rule says.
func (f *finder) object(o ast.Object, put func(ast.Value)) {
	before := f.said
	defer func() { f.said = before }()
	for _, key := range o.Keys() {
		f.said = before || f.shown == nil
		f.term(o.Get(key), func(n *ast.Term) {
			var pairs [][2]*ast.Term
			o.Foreach(func(k, v *ast.Term) {
				if k.Equal(key) {
					v = n
				}
				pairs = append(pairs, ast.Item(k, v))
			})
			put(ast.NewObject(pairs...))
		})
	}
}
