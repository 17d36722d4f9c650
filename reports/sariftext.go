package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// A result names one of its rule's message strings and the arguments for it, and
// holds the filled text as well: some views know only one of the two. Both are
// made from the same template here, so that they cannot differ. What an argument
// brings in stands in single quotes, as the standard's style wants it, which also
// shows what is the host's own words.

// placeholder is {name}, or '{name}', which is quoted already.
var placeholder = regexp.MustCompile(`'\{[a-zA-Z][a-zA-Z0-9]*\}'|\{[a-zA-Z][a-zA-Z0-9]*\}`)

// messageStrings are the templates of a rule's messages. {0} is the host.
func messageStrings(l words.Language, r *evaluator.RuleResult) map[string]sarif.MultiformatMessageString {
	all := map[string]sarif.MultiformatMessageString{}
	for key, template := range r.Messages {
		all[key] = multiformat(messageTemplate(l, template, r.Remediation))
	}
	return all
}

// messageTemplate joins what is wrong and what to do.
func messageTemplate(l words.Language, message, remediation string) string {
	var names []string
	number := func(template string) string {
		var b strings.Builder
		at := 0
		for _, m := range placeholder.FindAllStringIndex(template, -1) {
			name := strings.Trim(template[m[0]:m[1]], "'{}")
			i := slices.Index(names, name)
			if i < 0 {
				i, names = len(names), append(names, name)
			}
			b.WriteString(literal(template[at:m[0]]))
			fmt.Fprintf(&b, "'{%d}'", i+1)
			at = m[1]
		}
		b.WriteString(literal(template[at:]))
		return sentence(b.String())
	}
	return "'{0}': " + number(message) + " " + l.Say("What to do:") + " " + number(remediation)
}

// literal writes text that is no placeholder: its braces are doubled.
func literal(s string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(unlinked(s))
}

// unlinked keeps "[…](…)" from being taken for a link, which messages may hold.
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// arguments are the values of a template's placeholders, in the order of their
// numbers, without the host; nil where one has none.
func arguments(message, remediation string, values map[string]string) []string {
	names, args := []string{}, []string{}
	for _, p := range placeholder.FindAllString(message+"\n"+remediation, -1) {
		name := strings.Trim(p, "'{}")
		value, ok := values[name]
		switch {
		case !ok:
			return nil
		case !slices.Contains(names, name):
			names, args = append(names, name), append(args, value)
		}
	}
	return args
}

// numberForm is a placeholder of SARIF, or a doubled brace.
var numberForm = regexp.MustCompile(`\{\{|\}\}|\{[0-9]+\}`)

// fill writes the arguments into a template of SARIF.
func fill(template string, args []string) string {
	return numberForm.ReplaceAllStringFunc(template, func(p string) string {
		if p == "{{" || p == "}}" {
			return p[:1]
		}
		n, err := strconv.Atoi(strings.Trim(p, "{}"))
		if err != nil || n >= len(args) {
			return p
		}
		return args[n]
	})
}

// argument makes what a host says safe in a message: no control characters, and
// nothing that a view takes for a link.
func argument(s string) string {
	return unlinked(clean(strings.Join(strings.Fields(s), " ")))
}

func multiformat(text string) sarif.MultiformatMessageString {
	return sarif.MultiformatMessageString{Text: &text}
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	s = clean(strings.Join(strings.Fields(s), " "))
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// pascal turns a title into the PascalCase name of a rule: words of two letters
// or more, each with one capital. "a" and the s of "server's" are no words.
func pascal(title string) string {
	var b strings.Builder
	title = strings.NewReplacer("'", "", "’", "").Replace(title)
	for _, word := range strings.FieldsFunc(title, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		word = strings.ToLower(word)
		switch {
		case word == "a":
		case len(word) == 1 || word[0] <= '9':
			if b.Len() == 0 {
				b.WriteString("Rule")
			}
			b.WriteString(word)
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// truncate cuts a text to at most n bytes, at a rune's border, and shows that it
// did.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "…"
}
