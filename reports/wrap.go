package reports

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/lipgloss"
)

// clean makes text from a host safe to print: control characters, which could
// move the cursor or recolour a terminal, become visible question marks.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf):
			return '?'
		}
		return r
	}, s)
}

// wrap breaks a text between words into lines of at most width columns. A word
// is never broken: unit names and commands are there to be copied.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// wrapAll wraps each text; other stands in when there is none.
func wrapAll(texts []string, width int, other string) []string {
	if len(texts) == 0 {
		return []string{other}
	}
	var lines []string
	for _, s := range texts {
		for i, l := range wrap(s, width-2) {
			if i > 0 {
				l = "  " + l
			}
			lines = append(lines, l)
		}
	}
	return lines
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// Wrap makes text from a host safe to print and breaks it between words into
// lines of at most width columns.
func Wrap(s string, width int) []string { return wrap(clean(s), width) }
