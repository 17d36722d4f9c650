package reports

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/gpugate/gpugate/evaluator"
)

// sarifLimits are what a view takes of one file. Zero means no limit.
type sarifLimits struct {
	// results, rules, tags a rule and related locations a result.
	results, rules, tags, locations int
	// shown is how many results the view shows at most.
	shown int
	// gzipBytes is the size of the compressed file.
	gzipBytes int
}

// gitHubLimits are those of GitHub's code scanning. Of tags and locations more
// may be sent than are kept; what is not kept would be lost without a word.
var gitHubLimits = sarifLimits{results: 25_000, shown: 5_000, rules: 25_000, tags: 20, locations: 100, gzipBytes: 10_000_000}

// cut is what is left out of a file for its size.
type cut struct {
	snippets, related bool
	// results is how many results are kept at most; 0 is all.
	results int
}

// sarifWithin writes the SARIF within the limits: first what only helps to read
// is left out, then the lightest results. Whatever is left out is said in the
// file, by a notification; that results are, also by a result.
func sarifWithin(a *evaluator.Assessment, o Options, limits sarifLimits) ([]byte, error) {
	attempt := func(c cut) ([]byte, int, error) {
		run := newSARIFRun(a, o, limits, c).build()
		text, err := encodeSARIF(run)
		return text, len(run.Results), err
	}
	text, results, err := attempt(cut{})
	if err != nil || limits.fits(text) {
		return text, err
	}
	for _, c := range []cut{{snippets: true}, {snippets: true, related: true}} {
		if text, results, err = attempt(c); err != nil || limits.fits(text) {
			return text, err
		}
	}
	// The largest number of results that fits lies between low and high.
	var best []byte
	for low, high := 1, results; low < high; {
		n := (low + high) / 2
		text, _, err := attempt(cut{snippets: true, related: true, results: n})
		switch {
		case err != nil:
			return nil, err
		case limits.fits(text):
			best, low = text, n+1
		default:
			high = n
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the SARIF cannot be made smaller than the %d bytes that may be uploaded: select fewer rules (--select), or give it another profile (--sarif-profile full)", limits.gzipBytes)
	}
	return best, nil
}

func (l sarifLimits) fits(text []byte) bool {
	return l.gzipBytes == 0 || len(text) <= l.gzipBytes || compressed(text) <= l.gzipBytes
}

// compressed is the size of a file as it is uploaded.
func compressed(text []byte) int {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	// Writing to memory does not fail.
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Len()
}

// say remembers what was left out.
func (s *sarifRun) say(format string, args ...any) {
	s.cuts = append(s.cuts, s.words(format, args...))
}
