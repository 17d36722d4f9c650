// Package systemd reads the service units of a host: over D-Bus from systemd
// itself, or from what systemctl show printed into a capture. Both give the
// same raw properties, which one mapping turns into facts.
//
// Not every unit is kept, see [portrait.matters]. What a unit sets in files
// (EnvironmentFile=) is not read, for that is where secrets are.
//
// Only the system's own service manager is asked, not the managers of users.
package systemd

import (
	"context"
	"fmt"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// gapPath is the part of the document that this source fills.
const gapPath = "systemd.units"

// unitsFile is the file of a capture.
const unitsFile = "systemd/units"

// Options of reading a running systemd.
type Options struct {
	// Address is a D-Bus address, such as "unix:path=/run/systemd/private", of
	// a bus that systemd is on or of systemd's own socket. Empty means the
	// host's: the system bus, else the private socket.
	Address string
	// Named are the units that the launch manifest names, with or without
	// ".service". They are read even when systemd has not loaded them, and
	// listed as not-found when there is none.
	Named []string
}

// Live reads the systemd that runs on this host.
func Live(o Options) collector.Source { return live{o, thisHost()} }

// FromCapture reads the units of a capture. Of the units named in the launch
// manifest it can tell only those that systemd had loaded: systemctl show with
// a pattern passes over the others, which therefore did not run.
func FromCapture(dir *capture.Dir, named []string) collector.Source { return fromCapture{dir, named} }

type fromCapture struct {
	dir   *capture.Dir
	named []string
}

func (c fromCapture) Name() string { return facts.SourceSystemd }

func (c fromCapture) Collect(context.Context) collector.Result {
	via := "capture " + unitsFile
	text, failed := c.dir.Read(unitsFile)
	if failed != nil && strings.TrimSpace(string(text)) == "" {
		if failed.Reason == facts.ReasonAbsent && strings.Contains(failed.Detail, "not been booted with systemd") {
			return collector.Result{Report: facts.Absent(facts.SourceSystemd, via, "systemctl says that this host was not booted with systemd: "+failed.Detail)}
		}
		return collector.Result{Report: facts.Missing(facts.SourceSystemd, via, failed.Reason, failed.Detail)}
	}
	raws, flaws := parseShow(string(text))
	if len(raws) == 0 && len(flaws) == 0 {
		flaws = append(flaws, flaw{line: 1, what: "there is no unit in it, and no systemd is without one (write it with systemctl show '*.service' --all)"})
	}
	report := facts.Complete(facts.SourceSystemd, via)
	if len(raws) == 0 {
		report.Status = facts.StatusFailed
	}
	if failed != nil {
		report.AddGap(failed.Gap(gapPath))
	}
	for _, f := range firstFlaws(flaws) {
		e := c.dir.Malformed(unitsFile, fmt.Errorf("%s:%d: %s", c.dir.Path(unitsFile), f.line, f.what))
		gap := e.Gap(gapPath)
		gap.Item = f.unit
		report.AddGap(gap)
	}
	return result(report, "", raws, c.named)
}

// mostFlaws bounds the gaps of one file: garbage has a flaw on every line.
const mostFlaws = 20

func firstFlaws(flaws []flaw) []flaw {
	if len(flaws) <= mostFlaws {
		return flaws
	}
	rest := flaw{line: flaws[mostFlaws].line, what: fmt.Sprintf("and %d more lines like this", len(flaws)-mostFlaws)}
	return append(flaws[:mostFlaws:mostFlaws], rest)
}

// result maps the raw units and hands them over with the report.
func result(report facts.Source, version string, raws []raw, named []string) collector.Result {
	list, gaps := units(raws, named)
	for _, g := range gaps {
		report.AddGap(g)
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) {
		d.Systemd = facts.Systemd{Version: version, Units: list}
	}}
}
