package strictyaml

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

const (
	// maxNodes bounds a file after its aliases are expanded.
	maxNodes = 20_000
	// maxDepth bounds nesting; the formats need seven levels.
	maxDepth = 32
)

// Place is where a value stands. The value of a key stands where the key
// begins.
type Place struct {
	Line, Column int
	// Raw is a scalar as the file writes it.
	Raw string
}

// Tree turns YAML nodes into plain values (the ones encoding/json decodes to,
// with json.Number for numbers) and notes the place of each.
type Tree struct {
	kind    Kind
	file    string
	anchors map[string]ast.Node
	open    map[ast.Node]bool
	nodes   int
	places  map[string]Place
	// Problems are the faults found so far.
	Problems Problems
}

func newTree(kind Kind, file string) *Tree {
	return &Tree{kind: kind, file: file, anchors: map[string]ast.Node{}, open: map[ast.Node]bool{}, places: map[string]Place{}}
}

// File is the file as the user gave it.
func (t *Tree) File() string { return t.file }

// Places are the places of all values, by their JSON pointers.
func (t *Tree) Places() map[string]Place { return t.places }

// Note notes a fault at a place, of the value at a JSON pointer.
func (t *Tree) Note(at Place, pointer, format string, args ...any) {
	t.Problems = append(t.Problems, Problem{File: t.file, Line: at.Line, Column: at.Column, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

// value converts the node whose place is already noted.
func (t *Tree) value(n ast.Node, pointer string, depth int) any {
	at := t.places[pointer]
	t.nodes++
	if t.nodes > maxNodes {
		if t.nodes == maxNodes+1 {
			t.Note(at, pointer, "the %s has more than %d values, counting each use of an alias", t.kind.Name, maxNodes)
		}
		return nil
	}
	if depth > maxDepth {
		t.Note(at, pointer, "nested more than %d deep", maxDepth)
		return nil
	}
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return t.mapping(n, pointer, depth)
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for i, item := range n.Values {
			p := pointer + "/" + strconv.Itoa(i)
			t.place(p, item, item)
			list = append(list, t.value(item, p, depth+1))
		}
		return list
	case *ast.AnchorNode:
		t.define(n)
		t.open[n.Value] = true
		defer delete(t.open, n.Value)
		return t.value(n.Value, pointer, depth)
	case *ast.AliasNode:
		target, leave := t.follow(n, at, pointer)
		defer leave()
		if target == nil {
			return nil
		}
		at.Raw = raw(target)
		t.places[pointer] = at
		return t.value(target, pointer, depth+1)
	case *ast.TagNode:
		return t.tagged(n, pointer, depth)
	default:
		return t.scalar(n, pointer)
	}
}

// scalars as JSON writes them: YAML's other forms (0x10, 012, 1_000, .inf)
// mean different things to different readers.
var (
	decimal  = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})$`)
	fraction = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})\.[0-9]{1,15}$`)
)

func (t *Tree) scalar(n ast.Node, pointer string) any {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.NullNode:
		return nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		if text := raw(n); decimal.MatchString(text) || fraction.MatchString(text) {
			return json.Number(text)
		}
		t.Note(t.places[pointer], pointer, "%s: write a number in plain decimal digits, or a text in quotes", raw(n))
		return nil
	}
	t.Note(t.places[pointer], pointer, "a %s has no place here", n.Type())
	return nil
}

// tagged reads the standard tags; others would give types the format does not
// have.
func (t *Tree) tagged(n *ast.TagNode, pointer string, depth int) any {
	switch n.Start.Value {
	case "!!str":
		if _, ok := n.Value.(ast.ScalarNode); ok {
			if s, ok := n.Value.(*ast.LiteralNode); ok {
				return s.Value.Value
			}
			return raw(n.Value)
		}
	case "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq":
		return t.value(n.Value, pointer, depth+1)
	}
	t.Note(t.places[pointer], pointer, "the tag %s has no place here", n.Start.Value)
	return nil
}

// pair is one key of a mapping and its value.
type pair struct {
	key        string
	keyNode    ast.Node
	value      ast.Node
	fromMerged bool
}

func (t *Tree) mapping(n ast.Node, pointer string, depth int) any {
	object := map[string]any{}
	for _, p := range t.pairs(n, pointer, depth) {
		child := pointer + "/" + Escape(p.key)
		if _, twice := object[p.key]; twice {
			if first := t.places[child]; !p.fromMerged {
				at := placeOf(p.keyNode, p.value)
				t.Note(at, child, "duplicate key %q: it stands in line %d already", p.key, first.Line)
			}
			continue
		}
		t.place(child, p.keyNode, p.value)
		object[p.key] = t.value(p.value, child, depth+1)
	}
	return object
}

// pairs lists the keys of a mapping: its own, then those merged by "<<".
func (t *Tree) pairs(n ast.Node, pointer string, depth int) []pair {
	var own, merged []pair
	for _, v := range entries(n) {
		if v.Key.IsMergeKey() {
			merged = append(merged, t.mergedPairs(v.Value, pointer, depth+1)...)
			continue
		}
		key, ok := keyText(v.Key)
		if !ok {
			t.Note(placeOf(v.Key, v.Key), pointer, "a key is a plain text")
			continue
		}
		own = append(own, pair{key: key, keyNode: v.Key, value: v.Value})
	}
	return append(own, merged...)
}

func (t *Tree) mergedPairs(n ast.Node, pointer string, depth int) []pair {
	if depth > maxDepth {
		return nil
	}
	switch v := n.(type) {
	case *ast.AliasNode:
		target, leave := t.follow(v, placeOf(v, v), pointer)
		defer leave()
		if target == nil {
			return nil
		}
		return t.mergedPairs(target, pointer, depth+1)
	case *ast.AnchorNode:
		t.define(v)
		t.open[v.Value] = true
		defer delete(t.open, v.Value)
		return t.mergedPairs(v.Value, pointer, depth+1)
	case *ast.SequenceNode:
		var all []pair
		for _, item := range v.Values {
			all = append(all, t.mergedPairs(item, pointer, depth+1)...)
		}
		return all
	case *ast.MappingNode, *ast.MappingValueNode:
		pairs := t.pairs(v, pointer, depth)
		for i := range pairs {
			pairs[i].fromMerged = true
		}
		t.nodes += len(pairs)
		return pairs
	}
	t.Note(placeOf(n, n), pointer, "only a mapping can be merged by <<")
	return nil
}

func (t *Tree) define(n *ast.AnchorNode) {
	t.anchors[n.Name.GetToken().Value] = n.Value
}

// follow returns what an alias stands for, and what to call when done with it.
func (t *Tree) follow(n *ast.AliasNode, at Place, pointer string) (ast.Node, func()) {
	name := n.Value.GetToken().Value
	target, ok := t.anchors[name]
	if !ok {
		t.Note(at, pointer, "nothing before it is marked &%s", name)
		return nil, func() {}
	}
	if t.open[target] {
		t.Note(at, pointer, "*%s stands within itself", name)
		return nil, func() {}
	}
	t.open[target] = true
	return target, func() { delete(t.open, target) }
}

// place records the place of a value: where the node at stands, and the text
// of the value if it is a scalar.
func (t *Tree) place(pointer string, at, value ast.Node) {
	t.places[pointer] = placeOf(at, value)
}

// NearestPlace is the place of a pointer or, where the file does not hold it,
// of the nearest value around it.
func (t *Tree) NearestPlace(pointer string) Place {
	for {
		if p, ok := t.places[pointer]; ok {
			return p
		}
		cut := lastSlash(pointer)
		if cut < 0 {
			return Place{Line: 1, Column: 1}
		}
		pointer = pointer[:cut]
	}
}

func lastSlash(pointer string) int {
	for i := len(pointer) - 1; i >= 0; i-- {
		if pointer[i] == '/' {
			return i
		}
	}
	return -1
}

func placeOf(at, value ast.Node) Place {
	p := Place{Line: 1, Column: 1, Raw: raw(value)}
	// A block mapping has no token of its own: it begins with its first key.
	for {
		if e := entries(at); len(e) > 0 && at.GetToken().Value == ":" {
			at = e[0].Key
			continue
		}
		break
	}
	if token := at.GetToken(); token != nil && token.Position != nil {
		p.Line, p.Column = token.Position.Line, token.Position.Column
	}
	return p
}

func entries(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// keyText returns the text of a key; numbers and truth values are read as
// they are written.
func keyText(n ast.Node) (string, bool) {
	if k, ok := n.(*ast.MappingKeyNode); ok {
		n = k.Value
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return raw(n), true
	}
	return "", false
}

// raw is a scalar as the file writes it, without quotes.
func raw(n ast.Node) string {
	switch n := n.(type) {
	case *ast.AnchorNode:
		return raw(n.Value)
	case *ast.TagNode:
		return raw(n.Value)
	case *ast.StringNode:
		return n.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return ""
}
