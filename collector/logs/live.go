package logs

import (
	"context"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/docker"
	"github.com/gpugate/gpugate/collector/facts"
)

// Options say how to reach the logs of this host.
type Options struct {
	// Pod reads the log of a pod's container; nil where there is no cluster.
	Pod func(ctx context.Context, namespace, pod, container string, lines int, to io.Writer) *facts.Gap

	// journal is how journalctl is run, and ring the kernel's own log.
	journal journal
	ring    string
}

const (
	// atOnce is how many logs are read at the same time.
	atOnce = 4
	// maxStreams bounds how many logs are read: a server has a handful of
	// services.
	maxStreams = 64
)

// Live reads the logs of this host that can tell of what the document holds.
func Live(d *facts.Document, o Options) collector.Source {
	o.ring = "/dev/kmsg"
	return live{options: o, targets: targets(d)}
}

type live struct {
	options Options
	targets []target
}

func (live) Name() string { return facts.SourceLogs }

// Collect reads the logs. One that cannot be read costs only what it would have
// told.
func (l live) Collect(ctx context.Context) collector.Result {
	wanted := l.targets[:min(len(l.targets), maxStreams)]
	j := l.options.journal
	if slices.ContainsFunc(wanted, func(t target) bool { return t.kind == KindUnit }) {
		j.suppressed = j.readSuppressed(ctx)
	}
	streams := make([]*facts.LogStream, len(wanted))
	gaps := make([]*facts.Gap, len(wanted))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, t := range wanted {
		g.Go(func() error {
			streams[i], gaps[i] = l.read(ctx, j, t)
			return nil
		})
	}
	_ = g.Wait() // each log has its own gap
	var found []facts.LogStream
	var missing []facts.Gap
	for i, t := range wanted {
		if gaps[i] != nil {
			missing = append(missing, gap(t.name, gaps[i].Reason, gaps[i].Detail))
			continue
		}
		found = append(found, *streams[i])
	}
	if left := len(l.targets) - len(wanted); left > 0 {
		missing = append(missing, gap("", facts.ReasonSkipped, fmt.Sprintf("%d more logs were not read: %d are the most", left, maxStreams)))
	}
	return result("the logs of this host", found, missing)
}

func (l live) read(ctx context.Context, j journal, t target) (*facts.LogStream, *facts.Gap) {
	m := newMatcher(t.kind, t.name, t.started)
	m.stream.Endpoint = t.endpoint
	var failed *facts.Gap
	switch t.kind {
	case KindKernel:
		failed = j.kernel(ctx, m, l.options.ring)
	case KindUnit:
		failed = j.unit(ctx, m, t.name)
	case KindContainer:
		failed = container(ctx, m, t)
	case KindPod:
		failed = l.pod(ctx, m, t)
	}
	if failed == nil && ctx.Err() != nil {
		failed = &facts.Gap{Reason: facts.ReasonTimeout, Detail: "no end within the deadline (raise it with --timeout)"}
	}
	if failed != nil {
		return nil, failed
	}
	s := m.result()
	return &s, nil
}

// container reads both streams of a container. Each is put together for itself,
// so that half a line of one is never continued by the other.
func container(ctx context.Context, m *matcher, t target) *facts.Gap {
	stdout, stderr := newPieces(maxLine, m.piece()), newPieces(maxLine, m.piece())
	log, failed := docker.ReadLog(ctx, t.endpoint, t.id, MaxLines, stdout, stderr)
	stdout.end()
	stderr.end()
	// All lines there are reach back; so do those of an earlier run.
	m.stream.Whole = m.stream.Lines > 0 && (m.reached || !log.Rotated && m.stream.Lines < MaxLines)
	return failed
}

// pod reads the log of a pod's container. The kubelet throws old lines away and
// does not tell, so that it is never known to be whole.
func (l live) pod(ctx context.Context, m *matcher, t target) *facts.Gap {
	if l.options.Pod == nil {
		return &facts.Gap{Reason: facts.ReasonSkipped, Detail: "the cluster was not asked for logs"}
	}
	p := newPieces(maxLine, m.piece())
	failed := l.options.Pod(ctx, t.namespace, t.pod, t.container, MaxLines, p)
	p.end()
	return failed
}
