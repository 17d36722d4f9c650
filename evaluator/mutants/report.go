package mutants

import (
	"fmt"
	"io"
	"strings"
)

// Report sums up a run.
type Report struct {
	results []Result
	dir     string
	count   map[Outcome]int
	files   map[string]map[Outcome]int
}

// NewReport sums up results. The paths of the files are shown below dir.
func NewReport(results []Result, dir string) *Report {
	r := &Report{results: results, dir: strings.TrimSuffix(dir, "/"), count: map[Outcome]int{}, files: map[string]map[Outcome]int{}}
	for _, one := range results {
		r.count[one.Outcome]++
		if r.files[one.File] == nil {
			r.files[one.File] = map[Outcome]int{}
		}
		r.files[one.File][one.Outcome]++
	}
	return r
}

// Score is the share of mutants, in percent, that the tests noticed. Those that
// do not compile, and those that are equivalent, do not count. Without any
// mutant nothing is shown, and the score is 0.
func (r *Report) Score() float64 { return score(r.count) }

func score(count map[Outcome]int) float64 {
	all := count[Killed] + count[Survived]
	if all == 0 {
		return 0
	}
	return 100 * float64(count[Killed]) / float64(all)
}

// Write lists the survivors, the share of each file, and the sum. With verbose it
// tells of every mutant what became of it.
func (r *Report) Write(w io.Writer, verbose bool) error {
	var b strings.Builder
	for _, one := range r.results {
		if verbose || one.Outcome == Survived {
			one.File = r.dir + "/" + one.File
			fmt.Fprintf(&b, "%s: %s", one.Outcome, one.Mutant)
			if one.By != "" {
				fmt.Fprintf(&b, " (%s)", one.By)
			}
			b.WriteString("\n")
		}
	}
	for _, file := range sortedKeys(r.files) {
		c := r.files[file]
		if all := c[Killed] + c[Survived]; all > 0 {
			fmt.Fprintf(&b, "%5.1f %%  %4d of %4d  %s/%s\n", score(c), c[Killed], all, r.dir, file)
		}
	}
	fmt.Fprintf(&b, "mutants: %d of %d noticed, %.1f %%; %d survived, %d equivalent, %d do not compile\n",
		r.count[Killed], r.count[Killed]+r.count[Survived], r.Score(), r.count[Survived], r.count[Equivalent], r.count[Invalid])
	_, err := io.WriteString(w, b.String())
	return err
}
