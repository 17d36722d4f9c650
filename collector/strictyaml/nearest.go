package strictyaml

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the known word that was most likely meant, or nothing where
// none is close. Case, dashes and underscores do not count: max_model_len is
// maxModelLen.
func Nearest(word string, known []string) string {
	best, distance := "", max(1, len(word)/3)+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(plain(word), plain(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

func plain(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

// DidYouMean is the tail of a message about an unknown word, or nothing.
func DidYouMean(word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return `: did you mean "` + n + `"?`
	}
	return ""
}
