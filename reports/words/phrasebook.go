package words

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Phrasebook translates sentences that were worded elsewhere.
type Phrasebook struct {
	whole    map[string]string
	patterns func() []pattern
}

// pattern is a sentence with holes.
type pattern struct {
	english *regexp.Regexp
	korean  string
}

// NewPhrasebook makes one of pairs, English and Korean. %s in the English is a
// hole for whatever stands there, which is translated in turn; %[2]s in the
// Korean is the second of them. Of two that match the first is taken.
func NewPhrasebook(pairs [][2]string) *Phrasebook {
	b := &Phrasebook{whole: map[string]string{}}
	for _, p := range pairs {
		if !strings.Contains(p[0], "%s") {
			b.whole[p[0]] = p[1]
		}
	}
	b.patterns = sync.OnceValue(func() []pattern {
		var compiled []pattern
		for _, p := range pairs {
			if strings.Contains(p[0], "%s") {
				english := strings.ReplaceAll(regexp.QuoteMeta(p[0]), "%s", "(.+?)")
				compiled = append(compiled, pattern{regexp.MustCompile("(?s)^" + english + "$"), p[1]})
			}
		}
		return compiled
	})
	return b
}

// Sentences are short and nest little. What does not is no sentence of ours.
const (
	longestSentence = 2000
	deepestNesting  = 4
)

// Has reports whether it knows the sentence as a whole.
func (b *Phrasebook) Has(s string) bool {
	_, known := b.sentence(s, 0)
	return known
}

// Tell translates a sentence, or each part of a list of sentences; what it does
// not know stays as it is.
func (b *Phrasebook) Tell(s string) string { return b.tell(s, 0) }

func (b *Phrasebook) tell(s string, depth int) string {
	if told, known := b.sentence(s, depth); known {
		return told
	}
	if len(s) > longestSentence || depth > deepestNesting {
		return s
	}
	for _, separator := range []string{"; ", ", "} {
		if strings.Contains(s, separator) {
			parts := strings.Split(s, separator)
			for i, part := range parts {
				parts[i] = b.tell(part, depth+1)
			}
			return strings.Join(parts, separator)
		}
	}
	return s
}

func (b *Phrasebook) sentence(s string, depth int) (string, bool) {
	if told, known := b.whole[s]; known {
		return told, true
	}
	if len(s) > longestSentence || depth > deepestNesting {
		return s, false
	}
	for _, p := range b.patterns() {
		if found := p.english.FindStringSubmatch(s); found != nil {
			holes := make([]any, len(found)-1)
			for i, hole := range found[1:] {
				holes[i] = b.tell(hole, depth+1)
			}
			return fmt.Sprintf(p.korean, holes...), true
		}
	}
	return s, false
}
