package launch

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest returns the known word that was most likely meant, or nothing where
// none is close. Case, dashes and underscores do not count: max_model_len is
// maxModelLen.
func nearest(word string, known []string) string {
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

// didYouMean is the tail of a message about an unknown word, or nothing.
func didYouMean(word string, known []string) string {
	if n := nearest(word, known); n != "" {
		return `: did you mean "` + n + `"?`
	}
	return ""
}
