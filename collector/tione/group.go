package tione

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// groupRead is everything the group's files gave.
type groupRead struct {
	group   *facts.ResourceGroup
	gaps    []facts.Gap
	origins []facts.Origin
}

func (g *groupRead) gap(path string, reason facts.Reason, format string, args ...any) {
	g.gaps = append(g.gaps, facts.Gap{Path: path, Reason: reason, Detail: fmt.Sprintf(format, args...)})
}

// readGroup reads the answer of DescribeBillingResourceGroup or, of
// DescribeBillingResourceGroups, the group that this host is in.
func readGroup(in input, host collector.Identity) groupRead {
	var g groupRead
	if in.text == nil {
		return g
	}
	a, reason, err := decode(in)
	if err != nil {
		g.gap(groupPath, reason, "%v", err)
		return g
	}
	group, ok := g.choose(in.file, a, host)
	if !ok {
		return g
	}
	g.group = &facts.ResourceGroup{
		File:         in.file,
		ID:           value0(group.ResourceGroupId),
		Name:         value0(group.ResourceGroupName),
		SoftwareType: value0(group.ResourceGroupSWType),
		TotalCount:   group.TotalCount,
		Instances:    []facts.Instance{},
	}
	g.addScheduling(group.scheduling)
	places := g.addInstances(in.file, group, host)
	g.origins = append(g.origins, groupOrigin(in, places))
	return g
}

// choose picks the group to judge where the answer lists several.
func (g *groupRead) choose(file string, a *answer, host collector.Identity) (*groupAnswer, bool) {
	if a.ResourceGroupSet == nil {
		a.pointer = a.root
		return &a.groupAnswer, true
	}
	set := *a.ResourceGroupSet
	if a.TotalCount != nil && *a.TotalCount > int64(len(set)) {
		g.gap(groupPath, facts.ReasonFailed, "%s: %d of %d groups listed: page through with --Offset and --Limit", file, len(set), *a.TotalCount)
	}
	var mine []int
	for i := range set {
		set[i].pointer = fmt.Sprintf("%s/ResourceGroupSet/%d", a.root, i)
		if slices.ContainsFunc(set[i].instances(), func(n instance) bool { return n.isHost(host) }) {
			mine = append(mine, i)
		}
	}
	switch {
	case len(mine) == 1:
		return &set[mine[0]], true
	case len(set) == 1:
		return &set[0], true
	}
	g.gap(groupPath, facts.ReasonFailed, "%s: %d of the %d groups list this server; export its own with DescribeBillingResourceGroup", file, len(mine), len(set))
	return nil, false
}

// addInstances maps the nodes and returns, by node in the order of the facts,
// the JSON pointers they came from.
func (g *groupRead) addInstances(file string, a *groupAnswer, host collector.Identity) []string {
	if a.InstanceSet == nil {
		g.gap(instancesPath, facts.ReasonFailed, "%s: it lists no nodes (no InstanceSet); export the group with DescribeBillingResourceGroup", file)
		return nil
	}
	listed := a.instances()
	if a.TotalCount != nil && *a.TotalCount > int64(len(listed)) {
		g.gap(instancesPath, facts.ReasonFailed, "%s: %d of %d nodes listed: page through with --Offset and --Limit", file, len(listed), *a.TotalCount)
	}
	order := make([]int, len(listed))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return strings.Compare(value0(listed[x].InstanceId), value0(listed[y].InstanceId))
	})
	var places []string
	for _, i := range order {
		g.group.Instances = append(g.group.Instances, listed[i].facts(host))
		places = append(places, fmt.Sprintf("%s/InstanceSet/%d", a.pointer, i))
	}
	g.doubt(file, host)
	return places
}

// doubt records that it cannot be told whether the group holds this server: no
// node is known to be it, and one may be, since it carries an address that
// cannot be compared or is translated on the way.
func (g *groupRead) doubt(file string, host collector.Identity) {
	why := ""
	for _, n := range g.group.Instances {
		address, err := netip.ParseAddr(n.IP)
		switch {
		case n.ThisHost:
			return
		case why != "":
		case err != nil:
			why = fmt.Sprintf("node %s has no InstanceIP, and its name is not this host's", n.ID)
		case !host.KnowsAddresses():
			why = fmt.Sprintf("node %s is %s, and the addresses of this host are not known", n.ID, n.IP)
		case !address.IsPrivate():
			why = fmt.Sprintf("node %s is %s, a public address that may be translated to one of this host's", n.ID, n.IP)
		}
	}
	if why != "" {
		g.gap(instancesPath, facts.ReasonFailed, "%s: whether this server is in the group is not known: %s", file, why)
	}
}

// addService adds what only a service's own record tells: the group's kind and
// whether its work may go to other groups' nodes.
func (g *groupRead) addService(in input) {
	if in.text == nil {
		return
	}
	a, reason, err := decode(in)
	if err == nil && a.Service == nil {
		reason, err = facts.ReasonFailed, fmt.Errorf("%s: it holds no Service; export one with DescribeModelService", in.file)
	}
	if err != nil {
		g.gap(groupPath+".crossGroupScheduling", reason, "%v", err)
		return
	}
	s := a.Service
	if g.group == nil {
		g.group = &facts.ResourceGroup{File: in.file, Instances: []facts.Instance{}}
		g.gap(instancesPath, facts.ReasonSkipped, "%s tells no nodes; export the group with DescribeBillingResourceGroup", in.file)
		g.origins = append(g.origins, groupOrigin(in, nil))
	}
	if id := value0(s.ResourceGroupId); g.group.ID != "" && id != "" && id != g.group.ID {
		g.gap(groupPath+".crossGroupScheduling", facts.ReasonFailed, "%s: the service runs in group %s, the group given is %s", in.file, id, g.group.ID)
		return
	}
	fill(&g.group.ID, s.ResourceGroupId)
	fill(&g.group.Name, s.ResourceGroupName)
	fill(&g.group.SoftwareType, s.ResourceGroupSWType)
	g.addScheduling(s.scheduling)
}

func (g *groupRead) addScheduling(s scheduling) {
	if p := s.SchedulingPolicy; p != nil && p.CrossResourceGroupScheduling != nil {
		g.group.CrossGroupScheduling = p.CrossResourceGroupScheduling
	}
	for _, borrowed := range s.ExternalResourceGroups {
		if id := value0(borrowed.ResourceGroupId); id != "" && !slices.Contains(g.group.BorrowedGroups, id) {
			g.group.BorrowedGroups = append(g.group.BorrowedGroups, id)
		}
	}
}

// groupOrigin says where the nodes stand in the file.
func groupOrigin(in input, places []string) facts.Origin {
	const base = "/tione/resourceGroup"
	o := facts.Origin{Pointer: base, File: in.file, SHA256: digest(in.text), Positions: []facts.Position{{Pointer: base, Line: 1, Column: 1}}}
	located, err := facts.LocateJSON(in.file, withoutMark(in.text))
	if err != nil {
		return o
	}
	for i, pointer := range places {
		p := located.Position(pointer)
		p.Pointer = base + "/instances/" + itoa(i)
		o.Positions = append(o.Positions, p)
	}
	return o
}

// fill sets an unknown text.
func fill(to, from *string) {
	if *to == "" {
		*to = value0(from)
	}
}

// value0 reads an optional value; absent and null are its zero.
func value0[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// clean keeps credentials out of the API's messages.
func clean(message *string) string { return redact.Text(value0(message)) }
