package logs

import (
	"context"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// NotAsked is the source where nobody asked for logs.
func NotAsked() collector.Source { return notAsked{} }

type notAsked struct{}

func (notAsked) Name() string { return facts.SourceLogs }

func (notAsked) Collect(context.Context) collector.Result {
	return collector.Result{Report: facts.Missing(facts.SourceLogs, "", facts.ReasonSkipped, "logs were not asked for (--logs reads them)")}
}
