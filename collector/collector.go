// Package collector runs the sources, each with its own deadline, and assembles
// what they found into one facts document. It only reads: nothing on the host,
// in a daemon or in the cluster changes.
package collector

import (
	"context"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// Source gathers one section of the document, live or from a capture.
type Source interface {
	// Name is one of the facts.Source… names.
	Name() string
	// Collect reads the section. It must return soon after ctx ends, with what
	// it has by then and gaps for the rest; it never returns an error, since a
	// source that cannot be read is a fact too.
	Collect(ctx context.Context) Result
}

// Result is what a source found.
type Result struct {
	Report facts.Source
	// Attach places the section into the document; nil when there is none. It
	// runs alone, after every source has ended.
	Attach func(*facts.Document)
}

// Options of one run.
type Options struct {
	Version string
	Now     time.Time
	// Timeout is the deadline of each source, counted from the start.
	Timeout time.Duration
	// Then gives the sources that look closer at what the others found; nil for
	// none. They run after all others and have a deadline of their own.
	Then func(*facts.Document) []Source
	// Progress is told when a source begins and ends; it may be nil.
	Progress func(Event)
}

// Event is one step of a run, for people who watch.
type Event struct {
	Source string
	// Report is nil when the source begins.
	Report *facts.Source
	Took   time.Duration
}

// grace is how long a source may overrun its deadline to hand over what it has.
const grace = 500 * time.Millisecond

// Collect runs all sources at once and assembles the document.
func Collect(ctx context.Context, sources []Source, holders HolderReader, o Options) *facts.Document {
	d := &facts.Document{
		SchemaVersion: facts.SchemaVersion,
		CollectedAt:   o.Now.UTC().Truncate(time.Second),
		Collector:     facts.Collector{Name: "gpugate", Version: o.Version},
	}
	for _, r := range runAll(ctx, sources, o) {
		d.SetSource(r.Report)
		if r.Attach != nil {
			r.Attach(d)
		}
	}
	for _, name := range facts.SourceNames() {
		d.SetSource(d.Source(name))
	}
	addHolders(ctx, d, holders, o)
	settle(d)
	resolveOwners(d)
	if o.Then != nil {
		for _, r := range runAll(ctx, o.Then(d), o) {
			d.SetSource(r.Report)
			if r.Attach != nil {
				r.Attach(d)
			}
		}
	}
	d.Reconcile()
	d.Normalize()
	return d
}
