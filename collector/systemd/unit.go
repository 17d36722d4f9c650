package systemd

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// units maps the raw units to facts: those that matter, one for each name,
// sorted. A unit that runs although its file is gone is a gap as well.
func units(raws []raw, named []string) ([]facts.Unit, []facts.Gap) {
	list, gaps := []facts.Unit{}, []facts.Gap{}
	seen := map[string]bool{}
	for _, r := range raws {
		p := portray(r, isNamed(r, named))
		if seen[r.name()] || !p.matters() {
			continue
		}
		seen[r.name()] = true
		list = append(list, p.unit())
		if p.isLost() {
			gaps = append(gaps, facts.Gap{Path: gapPath, Item: r.name(), Reason: facts.ReasonFailed,
				Detail: r.name() + " runs although its unit file is gone, so systemd no longer knows its commands (restore the file and run systemctl daemon-reload)"})
		}
	}
	slices.SortFunc(list, func(a, b facts.Unit) int { return strings.Compare(a.Name, b.Name) })
	return list, gaps
}

func isNamed(r raw, named []string) bool {
	return slices.ContainsFunc(named, func(n string) bool {
		return serviceName(n) == r.name() || slices.Contains(r.lists["Names"], serviceName(n))
	})
}

// unit writes the facts of one unit, without its secrets.
func (p portrait) unit() facts.Unit {
	u := facts.Unit{
		Name:              p.name(),
		Aliases:           p.aliases(),
		LoadState:         p.text("LoadState"),
		ActiveState:       p.text("ActiveState"),
		SubState:          p.text("SubState"),
		UnitFileState:     p.text("UnitFileState"),
		Result:            p.text("Result"),
		FragmentPath:      p.text("FragmentPath"),
		DropInPaths:       append([]string{}, p.lists["DropInPaths"]...),
		ExecStart:         []facts.Command{},
		Environment:       redact.Environment(p.lists["Environment"]),
		EnvironmentFiles:  []string{},
		DeviceAllow:       append([]facts.DeviceAllow{}, p.devices...),
		DevicePolicy:      p.text("DevicePolicy"),
		ControlGroup:      p.text("ControlGroup"),
		Restarts:          count(p.scalars["NRestarts"]),
		MemlockLimitBytes: limit(p.scalars["LimitMEMLOCK"]),
		User:              p.text("User"),
		StartedAt:         moment(p.scalars["ExecMainStartTimestamp"]),
		Role:              p.role,
		GPUs:              p.selections(),
	}
	if pid := count(p.scalars["MainPID"]); pid != nil {
		u.MainPID = *pid
	}
	for _, c := range p.commands {
		u.ExecStart = append(u.ExecStart, facts.Command{Path: c.path, Args: redact.Args(c.argv)})
	}
	for _, f := range p.files {
		u.EnvironmentFiles = append(u.EnvironmentFiles, f.path)
	}
	if p.wraps != nil {
		u.Wraps = &p.wraps.WrappedContainer
	}
	return u
}

// aliases are the unit's names but its own, sorted.
func (p portrait) aliases() []string {
	var names []string
	for _, n := range p.lists["Names"] {
		if n != p.name() {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
