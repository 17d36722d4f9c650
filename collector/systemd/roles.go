package systemd

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// portrait is a unit as far as it matters which role it plays.
type portrait struct {
	raw
	// named is true when the launch manifest names the unit.
	named    bool
	launches []launch
	// wraps is the container that the unit only launches.
	wraps *wrapped
	// role is one of the roles of a unit.
	role string
}

// portray finds out what a unit is.
func portray(r raw, named bool) portrait {
	// systemd tells these in no order that lasts.
	r.devices = slices.SortedFunc(slices.Values(r.devices), func(a, b facts.DeviceAllow) int {
		return strings.Compare(a.Device+" "+a.Permissions, b.Device+" "+b.Permissions)
	})
	p := portrait{raw: r, named: named, launches: launches(r)}
	p.wraps = p.findWrapped()
	p.role = p.findRole()
	return p
}

// matters reports whether a unit belongs into the document: one with a hint of
// a GPU, one that may run a model, one that launches a container, container
// engines, parts of a cluster, what serves the GPUs, and what the launch
// manifest names. Beyond these every unit that somebody wrote for this host,
// for which of them owns a process on a GPU is not known until all sources
// have ended; and one that runs although its file is gone, for nobody can say
// what it is.
func (p portrait) matters() bool {
	return p.named || p.role != roleOther || p.wraps != nil || p.isSupport() || p.isLost() ||
		p.isAdminMade() && len(p.commands) > 0 ||
		slices.ContainsFunc(p.launches, launch.mayBeModel)
}

func (p portrait) findRole() string {
	switch {
	case p.runs(enginePrograms[:]):
		return roleContainer
	case p.wraps == nil && isOneOf(p.bareName(), engineUnits[:]):
		return roleContainer
	case p.wraps == nil && (isOneOf(p.bareName(), clusters[:]) || p.runs(clusters[:])):
		return roleCluster
	case p.isSupport():
		return roleOther
	case p.wraps != nil && p.wraps.isModel():
		return roleModel
	case p.named, p.hintsGPU(), slices.ContainsFunc(p.launches, launch.isModel), p.isNamedAfterModel():
		return roleModel
	}
	return roleOther
}

// bareName is the unit's name without ".service".
func (p portrait) bareName() string { return strings.TrimSuffix(p.name(), ".service") }

// runs reports whether one of its commands is one of these programs.
func (p portrait) runs(programs []string) bool {
	return slices.ContainsFunc(p.launches, func(l launch) bool { return slices.Contains(programs, l.program()) })
}

func (p portrait) isSupport() bool { return isOneOf(p.bareName(), support[:]) || p.runs(support[:]) }

// isLost reports whether the unit runs although its file is gone, so that
// systemd no longer knows what it runs.
func (p portrait) isLost() bool {
	return p.scalars["LoadState"] == "not-found" && p.isActive()
}

// hintsGPU reports whether the unit says something about GPUs.
func (p portrait) hintsGPU() bool {
	for _, pair := range p.lists["Environment"] {
		if strings.HasPrefix(pair, "CUDA_") || strings.HasPrefix(pair, "NVIDIA_") {
			return true
		}
	}
	return slices.Contains(p.lists["PassEnvironment"], cudaVisibleDevices) || p.allowsGPU() ||
		slices.ContainsFunc(p.launches, func(l launch) bool { return l.sets(cudaVisibleDevices) })
}

// isNamedAfterModel judges by the unit's name where the command line is only a
// script, which tells nothing.
func (p portrait) isNamedAfterModel() bool {
	name := p.bareName()
	return p.wraps == nil && modelWord.MatchString(name) && !noModelWord.MatchString(name) &&
		slices.ContainsFunc(p.launches, launch.isOpaque)
}

// isOpaque reports whether the command line leaves open what runs: a script or
// a program that is not known here.
func (l launch) isOpaque() bool {
	return !slices.Contains(bystanders[:], l.program()) && !l.mayBeModel() && l.wraps() == nil
}

// findWrapped returns the container that the unit only launches: not when it
// also runs a model itself. A script that tells nothing, in a unit that cannot
// be without a container engine, launches a container of which no more is
// known.
func (p portrait) findWrapped() *wrapped {
	var first *wrapped
	opaque := false
	for _, l := range p.launches {
		w := l.wraps()
		switch {
		case w != nil && first == nil:
			first = w
		case w != nil:
		case l.isModel():
			return nil
		default:
			opaque = opaque || l.isOpaque()
		}
	}
	if first == nil && opaque && !p.hintsGPU() && !p.runs(enginePrograms[:]) && !p.runs(clusters[:]) {
		if engine := p.neededEngine(); engine != "" {
			return &wrapped{WrappedContainer: facts.WrappedContainer{Engine: engine}}
		}
	}
	return first
}

// neededEngine is the container engine the unit cannot be without.
func (p portrait) neededEngine() string {
	for _, property := range [...]string{"Requires", "Requisite", "BindsTo"} {
		for _, unit := range p.lists[property] {
			switch unit {
			case "docker.service", "docker.socket", "snap.docker.dockerd.service":
				return "docker"
			case "podman.service", "podman.socket":
				return "podman"
			}
		}
	}
	return ""
}

// isModel reports whether what runs in a launched container computes on GPUs,
// by all that the command says.
func (w wrapped) isModel() bool {
	for _, word := range w.words {
		if strings.HasPrefix(word, "--gpus") || strings.Contains(word, "nvidia.com/gpu") || strings.HasPrefix(word, "NVIDIA_VISIBLE_DEVICES=") ||
			strings.HasPrefix(word, "/dev/nvidia") || modelWord.MatchString(word) && !noModelWord.MatchString(word) || modelFlags.MatchString(word) {
			return true
		}
	}
	return false
}
