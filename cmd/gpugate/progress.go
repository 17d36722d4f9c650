package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// progress tells a person at a terminal how far collecting is, on standard
// error, one line a source. It is nil when nobody watches.
func (a *app) progress() func(collector.Event) {
	if _, terminal := isTerminal(a.stderr); !terminal {
		return nil
	}
	var mu sync.Mutex
	return func(e collector.Event) {
		if e.Report == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		mark := map[facts.Status]string{facts.StatusComplete: "✓", facts.StatusAbsent: "–", facts.StatusSkipped: "–"}[e.Report.Status]
		if mark == "" {
			mark = "!"
		}
		fmt.Fprintf(a.stderr, "%s %-10s %-8s %6s\n", mark, e.Source, e.Report.Status, e.Took.Round(10*time.Millisecond))
	}
}
