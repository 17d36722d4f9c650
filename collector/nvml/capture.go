package nvml

import (
	"context"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// captureFile is the output of nvidia-smi -q -x within a capture.
const captureFile = "nvidia/smi.xml"

// linksFile is the output of nvidia-smi nvlink --status within a capture. Without
// it nothing is known of the links.
const linksFile = "nvidia/nvlink"

// FromCapture reads nvidia/smi.xml and nvidia/nvlink of a capture. A capture never proves that a
// host has no GPU: that nvidia-smi was not found says nothing of the cards.
func FromCapture(dir *capture.Dir) collector.Source {
	return &captured{dir: dir}
}

type captured struct{ dir *capture.Dir }

func (c *captured) Name() string { return facts.SourceNVML }

// Collect reads the file; what the command said on its error stream counts as
// much as what it printed.
func (c *captured) Collect(context.Context) collector.Result {
	o := output{via: c.dir.Path(captureFile)}
	text, failure := c.dir.Read(captureFile)
	o.text = text
	if failure != nil {
		words, unread := c.dir.Read(captureFile + ".err")
		if unread != nil || len(text) == 0 && len(words) == 0 {
			return collector.Result{Report: facts.Missing(facts.SourceNVML, o.via, failure.Reason, failure.Detail)}
		}
		o.errors, o.errorsFrom = words, c.dir.Path(captureFile+".err")
	}
	r := readOutput(o)
	if links, failure := c.dir.Read(linksFile); failure == nil {
		r.snapshot.readLinks(links)
	}
	return r.result()
}
