package collector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// settle turns "the means of looking is not here" into "proven not there" where
// other sources prove it. Nothing else may: a missing kubectl says nothing about
// a kubelet, but a service manager that lists no kubelet together with a full
// list of listening sockets without its port does.
func settle(d *facts.Document) {
	settleWith(d, facts.SourceKubernetes, kubeletUnits, 10250)
	settleWith(d, facts.SourceDocker, engineUnits, 0)
}

// Units that run a kubelet, or contain one, and units that run a Docker API daemon.
var (
	kubeletUnits = []string{"kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent", "k0scontroller", "k0sworker", "snap.microk8s", "edged", "edgecore"}
	engineUnits  = []string{"docker", "snap.docker", "dockerd", "podman"}
)

// settleWith proves the absence of what the units stand for and, with a port,
// of anything that listens there.
func settleWith(d *facts.Document, source string, units []string, port int) {
	report := d.Source(source)
	onlyMeansMissing := len(report.Gaps) > 0 && !slices.ContainsFunc(report.Gaps, func(g facts.Gap) bool {
		return g.Reason != facts.ReasonAbsent && g.Reason != facts.ReasonSkipped
	})
	if !onlyMeansMissing || report.Status == facts.StatusPartial || hasGap(d, "systemd.units") || d.Source(facts.SourceSystemd).Status == facts.StatusAbsent {
		return
	}
	for _, u := range d.Systemd.Units {
		if isOneOf(u.Name, units) && u.LoadState != "not-found" && u.ActiveState != "inactive" && u.ActiveState != "failed" {
			return
		}
	}
	proof := fmt.Sprintf("no %s unit is active", units[0])
	if port != 0 {
		if hasGap(d, "host.listeners") || slices.ContainsFunc(d.Host.Listeners, func(l facts.Listener) bool { return l.Port == port }) {
			return
		}
		proof += fmt.Sprintf(" and nothing listens on port %d", port)
	}
	d.SetSource(facts.Absent(source, report.Via, proof))
}

// isOneOf reports whether the unit is one of the named services, also as an
// instance (kubelet@x) or a sub-unit (snap.microk8s.daemon-kubelite).
func isOneOf(unit string, names []string) bool {
	unit = strings.TrimSuffix(unit, ".service")
	return slices.ContainsFunc(names, func(n string) bool {
		return unit == n || strings.HasPrefix(unit, n+"@") || strings.HasPrefix(unit, n+".")
	})
}
