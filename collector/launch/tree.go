package launch

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

const (
	// maxNodes bounds a manifest after its aliases are expanded.
	maxNodes = 20_000
	// maxDepth bounds nesting; the format itself needs seven levels.
	maxDepth = 32
)

// place is where a value stands. The value of a key stands where the key
// begins.
type place struct {
	line, column int
	// raw is a scalar as the file writes it.
	raw string
}

// tree turns YAML nodes into plain values (the ones encoding/json decodes to,
// with json.Number for numbers) and notes the place of each.
type tree struct {
	file     string
	anchors  map[string]ast.Node
	open     map[ast.Node]bool
	nodes    int
	places   map[string]place
	problems Problems
}

func newTree(file string) *tree {
	return &tree{file: file, anchors: map[string]ast.Node{}, open: map[ast.Node]bool{}, places: map[string]place{}}
}

func (t *tree) problem(at place, pointer, format string, args ...any) {
	t.problems = append(t.problems, Problem{File: t.file, Line: at.line, Column: at.column, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

// value converts the node whose place is already noted.
func (t *tree) value(n ast.Node, pointer string, depth int) any {
	at := t.places[pointer]
	t.nodes++
	if t.nodes > maxNodes {
		if t.nodes == maxNodes+1 {
			t.problem(at, pointer, "the manifest has more than %d values, counting each use of an alias", maxNodes)
		}
		return nil
	}
	if depth > maxDepth {
		t.problem(at, pointer, "nested more than %d deep", maxDepth)
		return nil
	}
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return t.mapping(n, pointer, depth)
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for i, item := range n.Values {
			p := pointer + "/" + strconv.Itoa(i)
			t.note(p, item, item)
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
		at.raw = raw(target)
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

func (t *tree) scalar(n ast.Node, pointer string) any {
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
		t.problem(t.places[pointer], pointer, "%s: write a number in plain decimal digits, or a text in quotes", raw(n))
		return nil
	}
	t.problem(t.places[pointer], pointer, "a %s has no place here", n.Type())
	return nil
}

// tagged reads the standard tags; others would give types the format does not
// have.
func (t *tree) tagged(n *ast.TagNode, pointer string, depth int) any {
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
	t.problem(t.places[pointer], pointer, "the tag %s has no place here", n.Start.Value)
	return nil
}

// pair is one key of a mapping and its value.
type pair struct {
	key        string
	keyNode    ast.Node
	value      ast.Node
	fromMerged bool
}

func (t *tree) mapping(n ast.Node, pointer string, depth int) any {
	object := map[string]any{}
	for _, p := range t.pairs(n, pointer, depth) {
		child := pointer + "/" + escape(p.key)
		if _, twice := object[p.key]; twice {
			if first := t.places[child]; !p.fromMerged {
				at := placeOf(p.keyNode, p.value)
				t.problem(at, child, "duplicate key %q: it stands in line %d already", p.key, first.line)
			}
			continue
		}
		t.note(child, p.keyNode, p.value)
		object[p.key] = t.value(p.value, child, depth+1)
	}
	return object
}

// pairs lists the keys of a mapping: its own, then those merged by "<<".
func (t *tree) pairs(n ast.Node, pointer string, depth int) []pair {
	var own, merged []pair
	for _, v := range entries(n) {
		if v.Key.IsMergeKey() {
			merged = append(merged, t.mergedPairs(v.Value, pointer, depth+1)...)
			continue
		}
		key, ok := keyText(v.Key)
		if !ok {
			t.problem(placeOf(v.Key, v.Key), pointer, "a key is a plain text")
			continue
		}
		own = append(own, pair{key: key, keyNode: v.Key, value: v.Value})
	}
	return append(own, merged...)
}

func (t *tree) mergedPairs(n ast.Node, pointer string, depth int) []pair {
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
	t.problem(placeOf(n, n), pointer, "only a mapping can be merged by <<")
	return nil
}

func (t *tree) define(n *ast.AnchorNode) {
	t.anchors[n.Name.GetToken().Value] = n.Value
}

// follow returns what an alias stands for, and what to call when done with it.
func (t *tree) follow(n *ast.AliasNode, at place, pointer string) (ast.Node, func()) {
	name := n.Value.GetToken().Value
	target, ok := t.anchors[name]
	if !ok {
		t.problem(at, pointer, "nothing before it is marked &%s", name)
		return nil, func() {}
	}
	if t.open[target] {
		t.problem(at, pointer, "*%s stands within itself", name)
		return nil, func() {}
	}
	t.open[target] = true
	return target, func() { delete(t.open, target) }
}

// note records the place of a value: where the node at stands, and the text
// of the value if it is a scalar.
func (t *tree) note(pointer string, at, value ast.Node) {
	t.places[pointer] = placeOf(at, value)
}

// nearestPlace is the place of a pointer or, where the file does not hold it,
// of the nearest value around it.
func (t *tree) nearestPlace(pointer string) place {
	for {
		if p, ok := t.places[pointer]; ok {
			return p
		}
		cut := lastSlash(pointer)
		if cut < 0 {
			return place{line: 1, column: 1}
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

func placeOf(at, value ast.Node) place {
	p := place{line: 1, column: 1, raw: raw(value)}
	// A block mapping has no token of its own: it begins with its first key.
	for {
		if e := entries(at); len(e) > 0 && at.GetToken().Value == ":" {
			at = e[0].Key
			continue
		}
		break
	}
	if token := at.GetToken(); token != nil && token.Position != nil {
		p.line, p.column = token.Position.Line, token.Position.Column
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
