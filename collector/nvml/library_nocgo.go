//go:build !cgo

package nvml

import (
	"context"

	"github.com/gpugate/gpugate/collector/facts"
)

// readLibrary cannot load a library in a build without cgo. Whether the
// library is there does not matter then: it is as good as not found, and the
// proof of absence rests on nvidia-smi, the bus and the device nodes.
func (l *live) readLibrary(context.Context) reading {
	return reading{trouble: &trouble{
		reason: facts.ReasonAbsent, elsewhere: true, notThere: true,
		detail: "this build cannot load libnvidia-ml (it is built without cgo)",
	}}
}
