package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The SARIF library writes out every default of the standard: -1 for "no
// index", and empty arrays. Readers take them for values; validators complain.

// keptWhenEmpty must be present even when there is nothing in them.
var keptWhenEmpty = map[string]bool{"results": true, "rules": true}

// sentinels are members whose -1 means absent.
var sentinels = map[string]bool{"index": true, "ruleIndex": true, "parentIndex": true, "rank": true, "byteOffset": true, "charOffset": true, "length": true, "absoluteAddress": true, "id": true}

// withoutDefaults returns a JSON tree without sentinels and empty members.
func withoutDefaults(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			member = withoutDefaults(member)
			if isDefault(key, member) {
				delete(v, key)
				continue
			}
			v[key] = member
		}
		return v
	case []any:
		for i := range v {
			v[i] = withoutDefaults(v[i])
		}
		return v
	}
	return v
}

func isDefault(key string, v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0 && !keptWhenEmpty[key]
	case map[string]any:
		return len(v) == 0
	case float64:
		return v == -1 && sentinels[key]
	case string:
		// kind "fail" and language "en-US" are the defaults.
		return key == "kind" && v == "fail" || key == "language"
	}
	return false
}

// pascal turns a title into the PascalCase name of a rule.
func pascal(title string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(title, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		if word == strings.ToUpper(word) {
			word = strings.ToLower(word)
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

var placeholder = regexp.MustCompile(`\{[a-zA-Z][a-zA-Z0-9]*\}`)

// numbered turns {named} placeholders into SARIF's {0}, {1}, ….
func numbered(template string) string {
	var names []string
	return placeholder.ReplaceAllStringFunc(template, func(p string) string {
		i := slices.Index(names, p)
		if i < 0 {
			i, names = len(names), append(names, p)
		}
		return fmt.Sprintf("{%d}", i)
	})
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	s = clean(strings.Join(strings.Fields(s), " "))
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// truncate cuts a text to at most n bytes, at a rune's border.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "…"
}
