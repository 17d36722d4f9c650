package launch

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/strictyaml"
)

// checkRules notes the faults that a schema cannot see: names that refer to
// nothing, texts of a form of their own.
func (t *tree) checkRules(m *facts.Manifest) {
	named := map[string]int{}
	for i, s := range m.Services {
		p := fmt.Sprintf("/services/%d/name", i)
		if first, again := named[s.Name]; again {
			t.Note(t.NearestPlace(p), p, "a second service %q: services[%d] in line %d has that name", s.Name, first, t.NearestPlace(fmt.Sprintf("/services/%d/name", first)).Line)
			continue
		}
		named[s.Name] = i
	}
	for i, s := range m.Services {
		t.checkService(fmt.Sprintf("/services/%d", i), s, named)
	}
	t.checkTraining(m, named)
	for _, r := range references(m) {
		if problem := r.malformed(); problem != "" {
			t.Note(t.NearestPlace(r.pointer), r.pointer, "%s", problem)
		}
	}
}

func (t *tree) checkService(at string, s facts.Service, named map[string]int) {
	names := make([]string, 0, len(named))
	for n := range named {
		if n != s.Name {
			names = append(names, n)
		}
	}
	for i, other := range s.SharedWith {
		p := fmt.Sprintf("%s/sharedWith/%d", at, i)
		if _, known := named[other]; !known {
			t.Note(t.NearestPlace(p), p, "no service is named %q%s", other, strictyaml.DidYouMean(other, sorted(names)))
		} else if other == s.Name {
			t.Note(t.NearestPlace(p), p, "a service does not share with itself; name the other one")
		}
	}
	t.checkGPUs(at, s.GPUs)
	if s.Endpoint == nil {
		return
	}
	for i, cidr := range s.Endpoint.AllowedCIDRs {
		if problem := badCIDR(cidr); problem != "" {
			p := fmt.Sprintf("%s/endpoint/allowedCidrs/%d", at, i)
			t.Note(t.NearestPlace(p), p, "%s", problem)
		}
	}
}

func (t *tree) checkGPUs(at string, gpus []string) {
	seen := map[string]bool{}
	for i, g := range gpus {
		p := fmt.Sprintf("%s/gpus/%d", at, i)
		if seen[g] {
			t.Note(t.NearestPlace(p), p, "GPU %s stands in this list already", g)
		}
		seen[g] = true
	}
}

func badCIDR(s string) string {
	if _, err := netip.ParsePrefix(s); err == nil {
		return ""
	}
	if a, err := netip.ParseAddr(s); err == nil {
		return fmt.Sprintf("%s is one address: write %s/%d", s, s, a.BitLen())
	}
	if strings.ContainsAny(s, " \t") {
		return fmt.Sprintf("%q is not an address range: white space", s)
	}
	return fmt.Sprintf("%q is not an address range: write it as 10.0.0.0/8", s)
}
