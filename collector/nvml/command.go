package nvml

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// maxOutputBytes bounds what is read of nvidia-smi's output: sixteen cards
// with a thousand processes give a hundredth of it.
const maxOutputBytes = 32 << 20

// killGrace is how long nvidia-smi may take to die after the deadline. In an
// uninterruptible wait for the driver it never does.
const killGrace = 200 * time.Millisecond

// readCommand runs nvidia-smi -q -x, and then asks it for the links.
func (l *live) readCommand(ctx context.Context) reading {
	name := l.options.Command
	r := reading{via: name + " -q -x"}
	path, err := exec.LookPath(name)
	if err != nil {
		r.trouble = &trouble{reason: reasonOf(err), detail: fmt.Sprintf("%s cannot be run: %s", name, causeOf(err)), notThere: isNotFound(err)}
		return r
	}
	answer, problem := l.run(ctx, path, "-q", "-x")
	switch {
	case problem != nil:
		r.trouble = problem
		return r
	case !answer.ended:
		r.snapshot.gaps = timeoutGaps(r.via)
		return r
	case ctx.Err() != nil:
		return afterDeadline(r.via, answer.stdout)
	}
	r = readOutput(output{
		via: r.via, text: answer.stdout,
		errors: answer.stderr, errorsFrom: r.via, exit: exitOf(answer.err),
	})
	if r.trouble == nil {
		if links, problem := l.run(ctx, path, linkArguments...); problem == nil && links.ended && links.err == nil && ctx.Err() == nil && len(links.stderr) == 0 {
			r.snapshot.readLinks(links.stdout)
		}
	}
	return r
}

// answer is what one run of nvidia-smi gave. One that has not ended hangs in the
// driver, and has given nothing that could be read.
type answer struct {
	stdout, stderr []byte
	err            error
	ended          bool
}

// run runs nvidia-smi until it ends or its time is over.
func (l *live) run(ctx context.Context, path string, args ...string) (answer, *trouble) {
	name := l.options.Command
	if !l.waiting.CompareAndSwap(false, true) {
		return answer{}, &trouble{reason: facts.ReasonTimeout, detail: name + " of an earlier scan has not ended; the driver hangs"}
	}
	var stdout, stderr bounded
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killGrace
	if err := cmd.Start(); err != nil {
		l.waiting.Store(false)
		return answer{}, &trouble{reason: reasonOf(err), detail: fmt.Sprintf("%s cannot be run: %s", name, causeOf(err))}
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		l.waiting.Store(false)
		ended <- err
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		// Give it the time to die, so that what it printed may be used.
		select {
		case err = <-ended:
		case <-time.After(2 * killGrace):
			return answer{}, nil
		}
	}
	return answer{stdout.buffer.Bytes(), stderr.buffer.Bytes(), err, true}, nil
}

// afterDeadline keeps the cards that nvidia-smi printed before it was stopped.
func afterDeadline(via string, printed []byte) reading {
	r := readOutput(output{via: via, text: printed})
	if r.trouble != nil {
		r = reading{via: via}
	}
	r.snapshot.gaps = append(timeoutGaps(via), r.snapshot.gaps...)
	return r
}

// exitOf says how the command ended, empty when well.
func exitOf(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &exit) && exit.ExitCode() == exitInfoROM:
		return "" // a warning about the card's own memory; the answer is whole
	case errors.As(err, &exit):
		return exit.String()
	}
	return err.Error()
}

// exitInfoROM is how nvidia-smi ends after it warned of a corrupted infoROM.
const exitInfoROM = 14

func isNotFound(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
}

func reasonOf(err error) facts.Reason {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return facts.ReasonDenied
	case isNotFound(err):
		return facts.ReasonAbsent
	}
	return facts.ReasonFailed
}

// causeOf drops what exec says before the cause, the name of the file.
func causeOf(err error) string {
	if lookup, ok := errors.AsType[*exec.Error](err); ok {
		return lookup.Err.Error()
	}
	return err.Error()
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ buffer bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := maxOutputBytes - b.buffer.Len(); room > 0 {
		b.buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
