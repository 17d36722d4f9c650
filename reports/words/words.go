// Package words says what reports say themselves, headings and labels, in the
// language of their reader. What rules say is worded in their METADATA.
package words

import (
	"fmt"
	"strings"
)

// Language is what a report is written in. The zero value is English.
type Language string

// The languages.
const (
	English Language = "en"
	Korean  Language = "ko"
)

// Languages lists them.
func Languages() []Language { return []Language{English, Korean} }

// Parse reads the value of --lang.
func Parse(s string) (Language, error) {
	for _, l := range Languages() {
		if s == string(l) {
			return l, nil
		}
	}
	return "", fmt.Errorf("unknown language %q: want en or ko", s)
}

// FromEnvironment is the language of the locale: LC_ALL before LC_MESSAGES
// before LANG, as everywhere. One that is not spoken here is English.
func FromEnvironment(getenv func(string) string) Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		locale := getenv(name)
		if locale == "" {
			continue
		}
		if language, _, _ := strings.Cut(locale, "."); language == "ko" || strings.HasPrefix(language, "ko_") {
			return Korean
		}
		return English
	}
	return English
}

// Tag names the language as HTML and SARIF do.
func (l Language) Tag() string {
	if l == Korean {
		return string(Korean)
	}
	return string(English)
}

// Say fills a format of fmt in this language. The English format is the key; a
// test sees to it that each one has a translation.
func (l Language) Say(format string, args ...any) string {
	if l == Korean {
		if translated, ok := korean[format]; ok {
			format = translated
		}
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// Count says how many there are of what a noun names: "3 rules".
func (l Language) Count(n int, noun string) string {
	if l == Korean {
		if counted, ok := koreanCounts[noun]; ok {
			return fmt.Sprintf(counted, n)
		}
	}
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Name says a fixed word of the data, such as a verdict, a severity or the
// status of a source. What is no such word is left as it is.
func (l Language) Name(word string) string {
	if l == Korean {
		if translated, ok := koreanNames[word]; ok {
			return translated
		}
	}
	return word
}
