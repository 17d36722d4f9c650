package facts

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// EscapeControls writes the characters of a JSON text that would move the cursor
// of a terminal, or turn the direction of what follows, as \u sequences. They can
// stand within strings alone, and mean the same there. [encoding/json] escapes
// only those below U+0020.
func EscapeControls(text []byte) []byte {
	s := string(text)
	if !strings.ContainsFunc(s, unseen) {
		return text
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(b.String())
}

// unseen are control and format characters. Line ends and tabs are the layout of
// the text: in strings they are escaped already.
func unseen(r rune) bool {
	return r >= 0x7F && (unicode.IsControl(r) || unicode.In(r, unicode.Cf))
}
