package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// Reader reads the host section and the processes that hold a GPU, live or
// from a capture. Make one with [Live] or [FromCapture].
type Reader struct {
	via      string
	sections []section
	// missing is the report when there is nothing at all to read from.
	missing *facts.Source
	// name and addresses say who the host is.
	name      func() string
	addresses func() ([]string, []facts.Gap)
	// process describes one process; what could not be read of it is said in
	// the entry itself.
	process func(pid int) facts.Process
	holders func(ctx context.Context) ([]facts.DeviceHolder, []facts.Gap)
}

var (
	_ collector.Source       = (*Reader)(nil)
	_ collector.HolderReader = (*Reader)(nil)
)

// section is one part of the host, read on its own: one that hangs or fails
// costs only itself.
type section struct {
	// path of the part in the document, which is also where its gaps stand.
	path string
	read func(ctx context.Context) part
}

// part is what reading one section gave.
type part struct {
	set  func(*facts.Host)
	gaps []facts.Gap
}

// Name is the name of the source.
func (r *Reader) Name() string { return facts.SourceHost }

// Collect reads every section at once. One that has not ended when ctx does
// becomes a gap of reason timeout.
func (r *Reader) Collect(ctx context.Context) collector.Result {
	name := r.name()
	if r.missing != nil {
		return collector.Result{Report: *r.missing, Attach: func(d *facts.Document) { d.Host.Name = name }}
	}
	report := facts.Complete(facts.SourceHost, r.via)
	host := facts.Host{Name: name}
	for _, p := range r.readAll(ctx) {
		if p.set != nil {
			p.set(&host)
		}
		for _, g := range p.gaps {
			report.AddGap(g)
		}
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.Host = host }}
}

// headroom is how long before the deadline the sections are asked to end, so
// that what they have by then can still be handed over.
const headroom = 50 * time.Millisecond

func (r *Reader) readAll(ctx context.Context) []part {
	parts := make([]part, len(r.sections))
	done := make([]chan part, len(r.sections))
	early, cancel := earlier(ctx)
	defer cancel()
	for i, s := range r.sections {
		done[i] = make(chan part, 1)
		go func() { done[i] <- guarded(early, s) }()
	}
	for i, s := range r.sections {
		select {
		case parts[i] = <-done[i]:
			continue
		case <-ctx.Done():
		}
		select {
		case parts[i] = <-done[i]:
		default:
			parts[i] = part{gaps: []facts.Gap{{Path: s.path, Reason: facts.ReasonTimeout, Detail: "it could not be read before the deadline (raise it with --timeout)"}}}
		}
	}
	return parts
}

func earlier(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, deadline.Add(-headroom))
	}
	return context.WithCancel(ctx)
}

// guarded turns a panic over hostile input into a gap.
func guarded(ctx context.Context, s section) (p part) {
	defer func() {
		if fault := recover(); fault != nil {
			p = part{gaps: []facts.Gap{{Path: s.path, Reason: facts.ReasonFailed, Detail: fmt.Sprintf("a fault of gpugate's own while reading it: %v", fault)}}}
		}
	}()
	return s.read(ctx)
}

// Identity is what this host calls itself: its host name and the addresses of
// its own interfaces, without loopback and link-local ones. Sources that speak
// of many hosts find this one by it. Either may be empty: not known.
func (r *Reader) Identity() (names, addresses []string) {
	if name := r.name(); name != "" {
		names = []string{name}
	}
	addresses, _ = r.addresses()
	return names, addresses
}

// Processes describes the processes with these PIDs. Every one of them is
// listed: one that cannot be looked at has the owner "unknown" with the reason,
// which leaves only the GPUs it holds undecided; a gap would leave all of them
// so. A gap is there only for what is not listed.
func (r *Reader) Processes(ctx context.Context, pids []int) ([]facts.Process, []facts.Gap) {
	var gaps []facts.Gap
	processes := make([]facts.Process, 0, len(pids))
	for i, pid := range pids {
		if ctx.Err() != nil {
			gaps = append(gaps, facts.Gap{Path: "host.processes", Reason: facts.ReasonTimeout, Detail: fmt.Sprintf("%d of %d processes could not be read before the deadline (raise it with --timeout)", len(pids)-i, len(pids))})
			break
		}
		if pid < 1 {
			gaps = append(gaps, facts.Gap{Path: "host.processes", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("the driver names the process %d, which cannot be looked up; it may be one of another PID namespace", pid)})
			continue
		}
		processes = append(processes, r.process(pid))
	}
	return processes, gaps
}

// DeviceHolders finds the processes that have a GPU's device node open.
func (r *Reader) DeviceHolders(ctx context.Context) ([]facts.DeviceHolder, []facts.Gap) {
	type found struct {
		holders []facts.DeviceHolder
		gaps    []facts.Gap
	}
	var f found
	p := guarded(ctx, section{path: "host.deviceHolders", read: func(ctx context.Context) part {
		f.holders, f.gaps = r.holders(ctx)
		return part{gaps: f.gaps}
	}})
	return f.holders, p.gaps
}

// gapOf records a live error at a path of the document.
func gapOf(path string, err error) facts.Gap {
	g := facts.Gap{Path: path, Reason: facts.ReasonFailed, Detail: err.Error()}
	switch {
	case errors.Is(err, fs.ErrPermission):
		g.Reason = facts.ReasonDenied
		g.Detail += "; run gpugate as root to read it"
	case errors.Is(err, fs.ErrNotExist):
		g.Reason = facts.ReasonAbsent
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		g.Reason = facts.ReasonTimeout
	}
	return g
}

// failed is a section that gives nothing but gaps.
func failed(gaps ...facts.Gap) part { return part{gaps: gaps} }

// onceValue remembers the first answer, for what several sections ask.
func onceValue[T any](f func() T) func() T { return sync.OnceValue(f) }
