// Package docker reads every container daemon of a host that speaks the Docker
// API: the system's Docker, further daemons beside it, rootless ones, Podman.
//
// The live client and the reader of captures meet in one raw form, [snapshot],
// in which the answers of a daemon are kept as the JSON they came as. There is
// one mapping from it to the facts.
//
// What is missing is told apart as follows.
//
//   - A daemon that could not be asked, or not to the end, is a gap at
//     docker.daemons: a container unseen may hold a GPU.
//   - A container that could not be inspected is a gap at docker.daemons with
//     its id as the item. One that ended between being listed and being
//     inspected is none.
//   - An image that could not be inspected is no gap. A gap anywhere below
//     docker.daemons would blind every rule that reads a container, and most
//     need no image. Instead the container says imageKnown=false, its daemon is
//     partial, and a rule that needs digests must itself conclude "unknown"
//     from imageKnown=false. The same holds for `docker info` missing from a
//     capture: what it would have told is absent, and GPUs that depend on the
//     default runtime become unknown references.
//   - A daemon whose socket nobody answers is absent, without a gap: that is
//     its own proof. That no docker command was found proves nothing and is a
//     gap of reason absent.
package docker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// daemonsPath is the one path at which this source reports gaps.
const daemonsPath = "docker.daemons"

// gap is a gap that concerns all daemons.
func gap(reason facts.Reason, format string, args ...any) facts.Gap {
	return facts.Gap{Path: daemonsPath, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// reading is everything one run found, before it becomes a report.
type reading struct {
	via       string
	snapshots []snapshot
	// gaps that belong to no single daemon.
	gaps []facts.Gap
	// notes are for people: what was left out on purpose, and why.
	notes []string
	// proof says how it is known that there is no daemon, when there is none.
	proof string
}

// result turns a reading into the section and the report on it.
func (r reading) result() collector.Result {
	var section facts.Docker
	gaps := slices.Clone(r.gaps)
	anyRead, allComplete := false, true
	proofs, notes := []string{}, slices.Clone(r.notes)
	for _, s := range r.snapshots {
		d := s.daemon()
		section.Daemons = append(section.Daemons, d)
		gaps = append(gaps, s.gaps...)
		notes = append(notes, s.notes...)
		switch d.Status {
		case facts.StatusComplete:
			anyRead = true
		case facts.StatusPartial:
			anyRead, allComplete = true, false
		default:
			if s.detail != "" {
				proofs = append(proofs, s.detail)
			}
		}
	}
	if r.proof != "" {
		proofs = append(proofs, r.proof)
	}

	report := facts.Complete(facts.SourceDocker, r.via)
	for _, g := range gaps {
		report.AddGap(g)
	}
	switch {
	case anyRead && !allComplete:
		report.Status = facts.StatusPartial
	case anyRead:
	case len(gaps) == 0:
		report = facts.Absent(facts.SourceDocker, r.via, strings.Join(proofs, "; "))
	default:
		report.Status = worst(gaps)
	}
	if report.Detail != "" {
		notes = append([]string{report.Detail}, notes...)
	}
	report.Detail = strings.Join(notes, "; ")
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.Docker = section }}
}

// worst is the status of a source of which nothing but gaps is known: the
// reason that leaves most open.
func worst(gaps []facts.Gap) facts.Status {
	for _, r := range []facts.Reason{facts.ReasonDenied, facts.ReasonTimeout, facts.ReasonFailed, facts.ReasonAbsent} {
		if slices.ContainsFunc(gaps, func(g facts.Gap) bool { return g.Reason == r }) {
			return r.Status()
		}
	}
	return facts.StatusSkipped
}
