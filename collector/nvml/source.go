// Package nvml reads what the NVIDIA driver says of the GPUs: through NVML, the
// driver's library, or where that cannot be loaded through nvidia-smi -q -x.
//
// Both ways meet in one raw form, [snapshot], and there is one mapping from it
// to the facts. A capture holds the output of nvidia-smi.
//
// What is not known is a gap. In particular: a card that answers with an error
// is listed as unreadable, with a gap for itself and one for its processes; a
// driver that finds no card at all is a failure, for that is mostly what cards
// that failed to start look like; and that a host has no GPU is taken as proven
// only when there is neither library nor nvidia-smi, nor a GPU on the PCI bus,
// nor a device node.
package nvml

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// Options of the live source. Zero values mean the usual places.
type Options struct {
	// Libraries are tried in order until one can be loaded: names for the
	// dynamic linker, or paths.
	Libraries []string
	// Command is nvidia-smi: a name looked up in PATH, or a path.
	Command string
	// PCIRoot is the root of the bus in sysfs, /sys/bus/pci.
	PCIRoot string
	// DevRoot is /dev.
	DevRoot string
	// Unprivileged says that the driver may hide processes of MIG instances
	// from this program. Unless set, that is so when it is not run by root.
	Unprivileged *bool
}

func (o Options) withDefaults() Options {
	if len(o.Libraries) == 0 {
		o.Libraries = usualLibraries()
	}
	if o.Command == "" {
		o.Command = "nvidia-smi"
	}
	if o.PCIRoot == "" {
		o.PCIRoot = "/sys/bus/pci"
	}
	if o.DevRoot == "" {
		o.DevRoot = "/dev"
	}
	if o.Unprivileged == nil {
		o.Unprivileged = new(os.Geteuid() != 0)
	}
	return o
}

// usualLibraries are the linker's own places, then those of a driver that runs
// in a container (GPU operator) and of WSL, which the linker does not know.
func usualLibraries() []string {
	const name = "libnvidia-ml.so.1"
	return []string{
		name,
		"/run/nvidia/driver/usr/lib/x86_64-linux-gnu/" + name,
		"/run/nvidia/driver/usr/lib/aarch64-linux-gnu/" + name,
		"/run/nvidia/driver/usr/lib64/" + name,
		"/usr/lib/wsl/lib/" + name,
	}
}

// Live reads the driver of this host.
func Live(o Options) collector.Source {
	return &live{options: o.withDefaults()}
}

type live struct {
	options Options
	// stuck is set while the library is being read. A call that never returns
	// leaves it set, so that the next scan does not lose another thread to it.
	stuck atomic.Bool
	// waiting is the same for nvidia-smi, which a hanging driver keeps from
	// dying.
	waiting atomic.Bool
}

func (l *live) Name() string { return facts.SourceNVML }

// reading is what one way of asking gave.
type reading struct {
	via      string
	snapshot snapshot
	// trouble is set when nothing could be read that way.
	trouble *trouble
}

// trouble says why one way of asking the driver gave nothing.
type trouble struct {
	reason facts.Reason
	detail string
	// elsewhere is true when the other way may still work: the library (or
	// the command) itself is the problem, not the driver.
	elsewhere bool
	// notThere is true when the library (or the command) was not found.
	notThere bool
	// noCards is true when the driver works and lists no card.
	noCards bool
}

// Collect reads through the library, and else through nvidia-smi.
func (l *live) Collect(ctx context.Context) collector.Result {
	found := look(l.options.PCIRoot, l.options.DevRoot)
	if len(found.nodes) == 0 && found.nodesErr == nil {
		// Asking would make the library (or nvidia-smi) load the kernel module
		// and create the nodes: it would change the host.
		return collector.Result{Report: found.withoutDriver("", "there is no NVIDIA device node, so the driver is not running; it is not started to be asked")}
	}
	library := l.readLibrary(ctx)
	if library.trouble == nil {
		return l.result(library, found)
	}
	if !library.trouble.elsewhere {
		return l.failed(library, found)
	}
	command := l.readCommand(ctx)
	switch {
	case command.trouble == nil:
		return l.result(command, found)
	case command.trouble.notThere && library.trouble.notThere:
		return collector.Result{Report: found.withoutDriver("", library.trouble.detail+"; "+command.trouble.detail)}
	case command.trouble.notThere:
		return l.failed(library, found)
	}
	return l.failed(command, found)
}

// result completes a reading with what the host shows and maps it.
func (l *live) result(r reading, found presence) collector.Result {
	// After an answer that is not whole, that a card is not listed says nothing.
	if found.busErr == nil && len(r.snapshot.gaps) == 0 {
		r.snapshot.placeOnBus(found.bus)
	}
	if *l.options.Unprivileged {
		r.snapshot.doubtInstances()
	}
	return r.result()
}

// failed reports that the driver could not be asked.
func (l *live) failed(r reading, found presence) collector.Result {
	absence, shown, _ := found.proof()
	t := r.trouble
	switch {
	case t.noCards && len(found.bus) == 0 && found.busErr == nil && found.busDevices > 0:
		// Two witnesses that know nothing of each other.
		return collector.Result{Report: facts.Absent(facts.SourceNVML, r.via,
			fmt.Sprintf("the NVIDIA driver works and lists no card; none of the %s is an NVIDIA GPU", plural(found.busDevices, "PCI device")))}
	case shown != "":
		t.detail += "; " + shown
	case absence != "":
		t.detail += "; " + absence
	}
	return collector.Result{Report: facts.Missing(facts.SourceNVML, r.via, t.reason, t.detail)}
}

// result maps the snapshot, or reports why there is none.
func (r *reading) result() collector.Result {
	if r.trouble != nil {
		return collector.Result{Report: facts.Missing(facts.SourceNVML, r.via, r.trouble.reason, r.trouble.detail)}
	}
	section, gaps := r.snapshot.facts()
	report := facts.Complete(facts.SourceNVML, r.via)
	for _, g := range gaps {
		report.AddGap(g)
	}
	// Nothing was read at all: one gap's reason is the status.
	if len(section.GPUs) == 0 && section.DriverVersion == "" && len(report.Gaps) > 0 {
		report.Status = report.Gaps[0].Reason.Status()
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.NVML = section }}
}

// doubtInstances records that the processes of a card in MIG mode may be
// hidden: the driver shows them to a privileged caller only, and to others an
// empty list, not an error.
func (s *snapshot) doubtInstances() {
	for i := range s.cards {
		if c := &s.cards[i]; c.mig == "enabled" {
			c.blind = append(c.blind, fault{what: "MIG", words: "the driver tells the processes of MIG instances to privileged callers only; run as root", reason: facts.ReasonDenied})
		}
	}
}

// timeoutGaps are the missing parts when the deadline came before the answer.
func timeoutGaps(what string) []facts.Gap {
	detail := what + " did not return before the deadline; the driver hangs (raise it with --timeout if it is only slow)"
	return wholeGaps(facts.ReasonTimeout, detail)
}

// wholeGaps say that cards and processes beyond those listed may be missing.
func wholeGaps(reason facts.Reason, detail string) []facts.Gap {
	return []facts.Gap{
		{Path: pathGPUs, Reason: reason, Detail: detail},
		{Path: pathProcesses, Reason: reason, Detail: detail},
	}
}
