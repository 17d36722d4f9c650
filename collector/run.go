package collector

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// runAll runs the sources at once and returns their results in order. A source
// that overruns its deadline is left behind and reported as timed out; it costs
// its own deadline and nothing else.
func runAll(ctx context.Context, sources []Source, o Options) []Result {
	results := make([]Result, len(sources))
	var wg sync.WaitGroup
	for i, s := range sources {
		wg.Go(func() { results[i] = runOne(ctx, s, o) })
	}
	wg.Wait()
	return results
}

func runOne(ctx context.Context, s Source, o Options) Result {
	began := time.Now()
	o.tell(Event{Source: s.Name()})
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	done := make(chan Result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Result{Report: facts.Missing(s.Name(), "", facts.ReasonFailed, fmt.Sprintf("a fault of gpugate's own while reading %s: %v", s.Name(), p))}
			}
		}()
		done <- s.Collect(ctx)
	}()
	var r Result
	select {
	case r = <-done:
	case <-time.After(o.Timeout + grace):
		r = Result{Report: facts.Missing(s.Name(), "", facts.ReasonTimeout, fmt.Sprintf("no answer within %s (raise it with --timeout)", o.Timeout))}
	}
	o.tell(Event{Source: s.Name(), Report: &r.Report, Took: time.Since(began)})
	return r
}

func (o Options) tell(e Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}
