package launch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/strictyaml"
)

// checkTraining notes trainings of one name, steps that stand twice, and services
// that are not there.
func (t *tree) checkTraining(m *facts.Manifest, services map[string]int) {
	named := map[string]int{}
	for i, job := range m.Training {
		at := fmt.Sprintf("/training/%d", i)
		if first, again := named[job.Name]; again {
			p := at + "/name"
			t.Note(t.NearestPlace(p), p, "a second training %q: training[%d] in line %d has that name", job.Name, first, t.NearestPlace(fmt.Sprintf("/training/%d/name", first)).Line)
		} else {
			named[job.Name] = i
		}
		if _, known := services[job.Service]; !known && job.Service != "" {
			p := at + "/service"
			t.Note(t.NearestPlace(p), p, "no service is named %q%s", job.Service, strictyaml.DidYouMean(job.Service, slices.Sorted(maps.Keys(services))))
		}
		t.checkGPUs(at, job.GPUs)
		done := map[string]int{}
		for j, s := range job.Steps {
			p := fmt.Sprintf("%s/steps/%d/step", at, j)
			if first, again := done[s.Step]; again {
				t.Note(t.NearestPlace(p), p, "step %s stands in steps[%d] already", s.Step, first)
				continue
			}
			done[s.Step] = j
		}
	}
}
