// Package logs reads the logs of model services and of the kernel for named
// signals: that CUDA ran out of memory, that a server is ready, that a port was
// taken. What is looked for is one table, see signals.go. Of the lines
// themselves nothing is kept, not even in errors: they hold prompts, paths and
// credentials.
//
// Only logs that can tell of a GPU service are read: those of services that the
// launch manifest names and of what holds or may use a GPU. So this source runs
// after the others, on what they found.
//
// What is missing is told apart as follows.
//
//   - A log that may not be read, or could not be, is a gap at logs.streams with
//     the name of the unit, container or pod as its item; the stream is not
//     listed.
//   - A log that is read but not back to the start of the present run is listed
//     with whole=false. A rule that would conclude from a signal not being there
//     must ask for whole.
//   - A service that is not on this host has no log, and that is no gap.
package logs

import "github.com/gpugate/gpugate/collector/facts"

// Path is where this source reports gaps.
const Path = "logs.streams"

// Kinds of streams.
const (
	KindUnit      = "unit"
	KindContainer = "container"
	KindPod       = "pod"
	KindKernel    = "kernel"
	KindFile      = "file"
)

// gap is a gap about one stream.
func gap(item string, reason facts.Reason, detail string) facts.Gap {
	return facts.Gap{Path: Path, Item: item, Reason: reason, Detail: detail}
}
