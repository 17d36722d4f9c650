package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/gpugate/gpugate/collector/facts"
)

// Log says what is known of a log that was read.
type Log struct {
	// Rotated is true where the daemon may have thrown away the beginning.
	Rotated bool
}

// ReadLog writes the last lines of a container's log, each behind its time, to
// the two writers. Where it cannot, or not to the end, the gap says why; it
// holds nothing of the log.
func ReadLog(ctx context.Context, endpoint, id string, lines int, stdout, stderr io.Writer) (Log, *facts.Gap) {
	daemon, err := connect(endpoint)
	if err != nil {
		return Log{}, logGap(ctx, endpoint, err)
	}
	defer daemon.close()
	engine, ok := daemon.(*engineAPI)
	if !ok {
		return Log{}, logGap(ctx, endpoint, errors.New("this kind of daemon gives no logs"))
	}
	l, err := engine.log(ctx, id, lines, stdout, stderr)
	if err != nil {
		return Log{}, logGap(ctx, endpoint, err)
	}
	return l, nil
}

func logGap(ctx context.Context, endpoint string, err error) *facts.Gap {
	reason := reasonOf(ctx, err)
	return &facts.Gap{Reason: reason, Detail: fmt.Sprintf("%s: reading the log of a container: %s", endpoint, explain(reason, err))}
}

func (e *engineAPI) log(ctx context.Context, id string, lines int, stdout, stderr io.Writer) (l Log, err error) {
	c, err := e.client.ContainerInspect(ctx, id)
	if err != nil {
		return l, err
	}
	l.Rotated = true
	if c.ContainerJSONBase != nil && c.HostConfig != nil {
		// Only Docker's own file without a bound is known to keep everything.
		l.Rotated = c.HostConfig.LogConfig.Type != "json-file" || c.HostConfig.LogConfig.Config["max-size"] != ""
	}
	body, err := e.client.ContainerLogs(ctx, id, container.LogsOptions{ShowStdout: true, ShowStderr: true, Timestamps: true, Tail: strconv.Itoa(lines)})
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	if c.Config != nil && c.Config.Tty {
		_, err = io.Copy(stdout, body)
	} else {
		_, err = stdcopy.StdCopy(stdout, stderr, body)
	}
	return l, err
}
