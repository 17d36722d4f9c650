package planning

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// registered reports whether the server is registered with the party already.
func registered(d *facts.Document, as Party) bool {
	if as == TKE {
		return d.Kubernetes.Node != nil
	}
	group := d.TIONE.ResourceGroup
	return group != nil && slices.ContainsFunc(group.Instances, func(i facts.Instance) bool { return i.ThisHost })
}

// suppose returns a copy of the facts in which the server is registered: a Ready
// node that offers every card, or a member of a resource group. What else is
// known of the cluster, and what could not be looked at, stays.
func suppose(d *facts.Document, as Party) (*facts.Document, error) {
	c, err := intend(d, as)
	if err != nil || registered(d, as) {
		return c, err
	}
	if as == TKE {
		supposeNode(c)
	} else {
		supposeMember(c)
	}
	return c, nil
}

func supposeNode(d *facts.Document) {
	resource, count := "nvidia.com/gpu", int64(len(d.NVML.GPUs))
	items := []facts.ResourceItem{{Resource: resource, Quantity: count}}
	ids := []string{}
	for _, g := range d.NVML.GPUs {
		ids = append(ids, g.UUID)
	}
	d.Kubernetes.Node = &facts.Node{
		Name: d.Host.Name, Taints: []facts.Taint{}, Addresses: slices.Clone(d.Host.Addresses),
		Labels:     []facts.Label{{Key: "node.kubernetes.io/instance-type", Value: "external"}},
		Conditions: []facts.Condition{{Type: "Ready", Status: "True"}},
		Capacity:   items, Allocatable: items,
	}
	d.Kubernetes.Kubelet.Registered = []facts.RegisteredDevices{{Resource: resource, IDs: ids}}
	settle(d, facts.SourceKubernetes, "kubernetes.node", "kubernetes.kubelet")
}

func supposeMember(d *facts.Document) {
	group := &facts.ResourceGroup{BorrowedGroups: []string{}}
	if m := d.Launch.Manifest; m != nil && m.TIONE != nil {
		group.ID = m.TIONE.ResourceGroup
	}
	cards, one := int64(100*len(d.NVML.GPUs)), int64(1)
	group.TotalCount = &one
	group.Instances = []facts.Instance{{ID: d.Host.Name, Name: d.Host.Name, Status: "RUNNING", ThisHost: true, TotalGPUHundredths: &cards}}
	d.TIONE.ResourceGroup = group
	settle(d, facts.SourceTIONE, "tione.resourceGroup")
}

// settle takes away the gaps about what is supposed. A source that nobody asked
// has one gap for all of it; the parts that are not supposed keep it.
func settle(d *facts.Document, source string, paths ...string) {
	others := map[string][]string{
		facts.SourceKubernetes: {"kubernetes.access", "kubernetes.pods", "kubernetes.daemonSets"},
		facts.SourceTIONE:      {"tione.policy"},
	}[source]
	i := slices.IndexFunc(d.Sources, func(s facts.Source) bool { return s.Name == source })
	if i < 0 {
		return // a source that is not listed counts as skipped, and stays so
	}
	s := &d.Sources[i]
	var gaps []facts.Gap
	for _, g := range s.Gaps {
		switch {
		case g.Path == source:
			for _, path := range others {
				rest := g
				rest.Path = path
				gaps = append(gaps, rest)
			}
		case !slices.ContainsFunc(paths, func(p string) bool { return g.Path == p || strings.HasPrefix(g.Path, p+".") }):
			gaps = append(gaps, g)
		}
	}
	s.Gaps, s.Status = gaps, facts.StatusComplete
	if len(gaps) > 0 {
		s.Status = facts.StatusPartial
	}
}

// intend returns a copy of the facts whose manifest means to register the server
// with the party, whatever it says of that now.
func intend(d *facts.Document, as Party) (*facts.Document, error) {
	text, err := d.Marshal()
	if err != nil {
		return nil, err
	}
	c, _, err := facts.Decode("the facts", text)
	if err != nil {
		return nil, err
	}
	m := c.Launch.Manifest
	switch {
	case m == nil:
	case as == TKE && m.TKE == nil:
		m.TKE = &facts.TKERegistration{}
	case as == TKE:
		m.TKE.Registered = nil
	case m.TIONE == nil:
		m.TIONE = &facts.TIONERegistration{}
	default:
		m.TIONE.Registered = nil
	}
	return c, nil
}
