package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Lines gives the lines of a file that people wrote as they may be shown:
// where one would show a secret, the mark stands in its place. There are as many
// lines as before, without their ends.
//
// It reports whether there was any.
func Lines(text string) (lines []string, found bool) {
	lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	valued := afterFlags(lines)
	for i, line := range lines {
		if valued[i] {
			lines[i] = line[:len(line)-len(strings.TrimLeft(line, " \t-"))] + Mark
		} else {
			lines[i] = exceptKinds(line)
		}
		found = found || lines[i] != line
	}
	return lines, found
}

// kindOfAuth is a setting that says how callers prove who they are, which is
// called like a secret and is none.
var kindOfAuth = regexp.MustCompile(`\bauth["']?:\s*["']?(none|bearer|basic|mtls|oidc|oauth2|apiKey)(?:$|[\s"',}])`)

// exceptKinds removes the secrets of a line and leaves the kinds of
// authentication.
func exceptKinds(line string) string {
	kinds := kindOfAuth.FindAllStringSubmatchIndex(line, -1)
	var b strings.Builder
	at := 0
	for _, k := range kinds {
		b.WriteString(Text(line[at:k[0]]) + line[k[0]:k[3]])
		at = k[3]
	}
	return b.String() + Text(line[at:])
}

// afterFlags tells of each line whether a word in it is a secret because of the
// flag before it, which may stand on the line above: a list of arguments is
// written so. Key blocks are told by their borders.
func afterFlags(lines []string) []bool {
	separators := " \t\"',[]{}"
	var words []string
	var of []int
	secret := make([]bool, len(lines))
	inKey := false
	for i, line := range lines {
		if inKey || strings.Contains(line, "PRIVATE KEY-----") {
			secret[i] = true
			inKey = !strings.Contains(line, "-----END")
		}
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if word != "-" {
				words, of = append(words, word), append(of, i)
			}
		}
	}
	for n, word := range Args(words) {
		// A word that hides itself is hidden by Text as well, and the rest of its
		// line may be shown.
		if word == Mark && Text(words[n]) == words[n] {
			secret[of[n]] = true
		}
	}
	return slices.Clip(secret)
}
