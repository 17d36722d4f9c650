package mutants

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
)

// code is how an expression or the head of a rule is written, on one line.
func code(x any) string {
	var text string
	switch x := x.(type) {
	case *ast.Head:
		text = x.String()
	default:
		formatted, err := format.AstWithOpts(x, format.Opts{IgnoreLocations: true, RegoVersion: ast.RegoV1})
		if err != nil {
			formatted = []byte(fmt.Sprint(x))
		}
		text = string(formatted)
	}
	return strings.Join(strings.Fields(text), " ")
}

// most and around are how much of a line is shown, and how much of it beside what
// differs.
const most, around = 160, 40

// difference keeps lines readable: of long ones, the part in which they differ.
func difference(before, after string) (string, string) {
	a, b := []rune(before), []rune(after)
	if len(a) <= most && len(b) <= most {
		return before, after
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	rest := 0
	for rest < min(len(a), len(b))-same && a[len(a)-1-rest] == b[len(b)-1-rest] {
		rest++
	}
	return part(a, same-around, len(a)-rest+around), part(b, same-around, len(b)-rest+around)
}

// part is a line between two places, or as much of that as is shown.
func part(line []rune, from, to int) string {
	from, to = max(0, from), min(len(line), to)
	if to-from > most {
		to = from + most
	}
	text := string(line[from:to])
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
