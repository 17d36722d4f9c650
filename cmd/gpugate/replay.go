package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// replayStale leaves the facts as old as they were found to be when the
// assessment was made: their age depends on the day, which is not now.
func replayStale(d *facts.Document, recorded *evaluator.Assessment) {
	maxAge, err := time.ParseDuration(recorded.Options.MaxAge)
	if err != nil {
		return
	}
	for _, s := range recorded.Sources {
		for _, g := range s.Gaps {
			if g.Reason != facts.ReasonStale {
				continue
			}
			now := d.CollectedAt.Add(maxAge + time.Second)
			if strings.Contains(g.Detail, "yet to come") {
				now = d.CollectedAt.Add(-24 * time.Hour)
			}
			d.Age(now, maxAge)
			return
		}
	}
}

// renameAsRecorded calls files by the names they had when the assessment was
// made, where their content is the same: verifying may happen elsewhere.
func renameAsRecorded(d *facts.Document, recorded *evaluator.Assessment, o *evaluator.Options) {
	for i := range d.Origins {
		origin := &d.Origins[i]
		for _, f := range recorded.Facts.Files {
			if f.Pointer != origin.Pointer || f.SHA256 != origin.SHA256 {
				continue
			}
			for j := range d.Sources {
				if d.Sources[j].Via == origin.File {
					d.Sources[j].Via = f.File
				}
			}
			origin.File = f.File
		}
	}
	if o.Waivers != nil && recorded.Waivers != nil && o.Waivers.SHA256 == recorded.Waivers.SHA256 {
		o.Waivers.Rename(recorded.Waivers.File)
	}
	if o.Baseline != nil && recorded.Baseline != nil && o.Baseline.SHA256 == recorded.Baseline.SHA256 {
		o.Baseline.File = recorded.Baseline.File
	}
}

// missingFiles hints at files that the assessment names and the facts do not
// hold.
func missingFiles(d *facts.Document, recorded *evaluator.Assessment) string {
	var missing []string
	for _, f := range recorded.Facts.Files {
		if !slices.ContainsFunc(d.Origins, func(o facts.Origin) bool { return o.Pointer == f.Pointer && o.SHA256 == f.SHA256 }) {
			missing = append(missing, fmt.Sprintf("%s (sha256:%.12s)", f.File, f.SHA256))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "; it was judged with " + strings.Join(missing, ", ") + ", which the facts do not hold: give --launch, --tione or --tione-group"
}
