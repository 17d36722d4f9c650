package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Problem is one fault of a file, with its place.
type Problem struct {
	// File as the user gave it.
	File string
	// Line and Column count from 1; columns count Unicode code points.
	Line, Column int
	// Pointer is the JSON pointer of the value concerned; empty for the whole
	// file.
	Pointer string
	// Message says what is wrong and what to write instead.
	Message string
}

// String gives the place first, in the file:line:column form editors follow.
func (p Problem) String() string {
	where := fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	if key := readable(p.Pointer); key != "" {
		return where + ": " + key + ": " + p.Message
	}
	return where + ": " + p.Message
}

// Problems are all faults of a file, in the order of the file.
type Problems []Problem

// Error gives one line a problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Sorted returns the problems in the order of the file. Of several about one
// value the first is kept: the others follow from it.
func (ps Problems) Sorted() Problems {
	type spot struct {
		pointer      string
		line, column int
	}
	seen := map[spot]bool{}
	kept := slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool {
		s := spot{p.Pointer, p.Line, p.Column}
		again := p.Pointer != "" && seen[s]
		seen[s] = true
		return again
	})
	slices.SortStableFunc(kept, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return kept
}

// readable writes a JSON pointer the way people name a key:
// services[0].endpoint.port.
func readable(pointer string) string {
	var b strings.Builder
	for i, token := range strings.Split(pointer, "/") {
		if i == 0 {
			continue
		}
		token = unescape(token)
		if _, err := strconv.Atoi(token); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}

// Escape writes a key as a token of a JSON pointer.
func Escape(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}

func unescape(token string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
