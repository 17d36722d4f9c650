package launch

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/strictyaml"
)

// Problems are all faults of a manifest, with their places.
type Problems = strictyaml.Problems

// tree is a manifest as it was read, with the places of its values and the
// faults found so far.
type tree struct{ *strictyaml.Tree }

// decode reads a manifest. Every fault is reported, not only the first; the
// places of all values come along.
func decode(file string, text []byte) (*facts.Manifest, *tree, error) {
	f, err := loadFormat()
	if err != nil {
		return nil, nil, err
	}
	parsed, err := f.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	t := &tree{parsed.Tree}
	value := parsed.Value
	gpusAsText(value)
	b, err := json.Marshal(value)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	var m facts.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	t.checkRules(&m)
	if len(t.Problems) > 0 {
		return nil, nil, t.Problems.Sorted()
	}
	return &m, t, nil
}

// says puts what only a manifest can have wrong into words.
func says(k jsonschema.ErrorKind, location []string) string {
	switch k := k.(type) {
	case *kind.Pattern:
		if len(location) > 0 && location[len(location)-1] == "sha256" {
			return "a digest is 64 hexadecimal digits, as sha256sum prints them"
		}
		return "a GPU is its index in nvidia-smi's order, such as 0, or a UUID, such as GPU-… or MIG-…"
	case *kind.MinProperties, *kind.MaxProperties:
		return "a service has exactly one runtime: docker, systemd or kubernetes"
	case *kind.UniqueItems:
		return fmt.Sprintf("the same GPU stands here twice (items %d and %d)", k.Duplicates[0]+1, k.Duplicates[1]+1)
	}
	return ""
}

// wholeNumber is a number the manifest may write for a GPU's index.
var wholeNumber = regexp.MustCompile(`^[0-9]+$`)

// gpusAsText turns the numbers in services[].gpus and training[].gpus into text,
// which is what the document holds.
func gpusAsText(value any) {
	manifest, _ := value.(map[string]any)
	services, _ := manifest["services"].([]any)
	training, _ := manifest["training"].([]any)
	for _, s := range slices.Concat(services, training) {
		service, _ := s.(map[string]any)
		gpus, _ := service["gpus"].([]any)
		for i, g := range gpus {
			if n, ok := g.(json.Number); ok && wholeNumber.MatchString(n.String()) {
				gpus[i] = n.String()
			} else if s, ok := g.(string); ok && wholeNumber.MatchString(s) {
				if index, err := strconv.Atoi(s); err == nil {
					gpus[i] = strconv.Itoa(index)
				}
			}
		}
	}
}
