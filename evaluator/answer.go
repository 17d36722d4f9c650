package evaluator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// The policies' answer is walked as AST values: turning it into JSON and back
// would cost more than judging.

// member returns a member of an object, or nil.
func member(o ast.Object, key string) ast.Value {
	if t := o.Get(ast.StringTerm(key)); t != nil {
		return t.Value
	}
	return nil
}

// object returns a member that is an object; an empty one if it is not.
func object(o ast.Object, key string) ast.Object {
	if m, ok := member(o, key).(ast.Object); ok {
		return m
	}
	return ast.NewObject()
}

// set returns the elements of a member that is a set or an array, in order.
func set(o ast.Object, key string) []ast.Value { return elements(member(o, key)) }

// elements returns the elements of a set (sorted) or an array (as it is).
func elements(v ast.Value) []ast.Value {
	var values []ast.Value
	switch v := v.(type) {
	case ast.Set:
		v.Sorted().Foreach(func(t *ast.Term) { values = append(values, t.Value) })
	case *ast.Array:
		v.Foreach(func(t *ast.Term) { values = append(values, t.Value) })
	}
	return values
}

// isFalse reports whether a one-element array holds false.
func isFalse(o ast.Object, key string) bool {
	values := set(o, key)
	return len(values) == 1 && values[0].Compare(ast.Boolean(false)) == 0
}

func text(o ast.Object, key string) string {
	s, _ := member(o, key).(ast.String)
	return string(s)
}

// readSubject reads {kind, id, name}.
func readSubject(v ast.Value) (Subject, error) {
	o, ok := v.(ast.Object)
	if !ok {
		return Subject{}, fmt.Errorf("subject %v is not an object with kind, id and name", v)
	}
	s := Subject{Kind: text(o, "kind"), ID: text(o, "id"), Name: text(o, "name"), Key: text(o, "key")}
	s.Name = cmp.Or(s.Name, s.ID)
	if s.Kind == "" || s.ID == "" {
		return s, fmt.Errorf("subject %v lacks kind or id", v)
	}
	return s, nil
}

// readArguments turns argument values into text: lists are joined by commas.
func readArguments(v ast.Value) map[string]string {
	o, ok := v.(ast.Object)
	if !ok {
		return nil
	}
	args := make(map[string]string, o.Len())
	o.Foreach(func(k, v *ast.Term) {
		if key, ok := k.Value.(ast.String); ok {
			args[string(key)] = argument(v.Value)
		}
	})
	return args
}

func argument(v ast.Value) string {
	switch v := v.(type) {
	case ast.String:
		return string(v)
	case ast.Set, *ast.Array:
		var parts []string
		for _, e := range elements(v) {
			parts = append(parts, argument(e))
		}
		return strings.Join(parts, ", ")
	}
	return v.String()
}

// readOwnership reads who claims which GPU.
func readOwnership(answer ast.Object) ([]GPUOwnership, error) {
	gpus := []GPUOwnership{}
	for _, list := range set(answer, "ownership") {
		o, ok := list.(ast.Object)
		if !ok {
			return nil, fmt.Errorf("%s: %v is not an object", ownershipRef, list)
		}
		g := GPUOwnership{GPU: text(o, "gpu"), Name: text(o, "name"), Claims: []Claim{}}
		if n, ok := member(o, "index").(ast.Number); ok {
			if i, ok := n.Int(); ok {
				g.Index = &i
			}
		}
		for _, v := range set(o, "claims") {
			c, ok := v.(ast.Object)
			if !ok {
				return nil, fmt.Errorf("%s: claim %v is not an object", ownershipRef, v)
			}
			g.Claims = append(g.Claims, Claim{Kind: text(c, "kind"), Manager: text(c, "manager"), Claimant: text(c, "claimant"), Note: text(c, "note")})
		}
		order := []string{"running", "configured", "allocatable", "registered"}
		slices.SortFunc(g.Claims, func(a, b Claim) int {
			return cmp.Or(cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind)),
				cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Claimant, b.Claimant), cmp.Compare(a.Note, b.Note))
		})
		gpus = append(gpus, g)
	}
	slices.SortFunc(gpus, func(a, b GPUOwnership) int {
		return cmp.Or(compareIndices(a.Index, b.Index), cmp.Compare(a.GPU, b.GPU))
	})
	return gpus, nil
}

// compareIndices puts cards whose index is not known last.
func compareIndices(a, b *int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}
