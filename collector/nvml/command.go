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

// readCommand runs nvidia-smi -q -x.
func (l *live) readCommand(ctx context.Context) reading {
	name := l.options.Command
	r := reading{via: name + " -q -x"}
	path, err := exec.LookPath(name)
	if err != nil {
		r.trouble = &trouble{reason: reasonOf(err), detail: fmt.Sprintf("%s cannot be run: %s", name, causeOf(err)), notThere: isNotFound(err)}
		return r
	}
	if !l.waiting.CompareAndSwap(false, true) {
		r.trouble = &trouble{reason: facts.ReasonTimeout, detail: name + " of an earlier scan has not ended; the driver hangs"}
		return r
	}
	var stdout, stderr bounded
	cmd := exec.CommandContext(ctx, path, "-q", "-x")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killGrace
	if err := cmd.Start(); err != nil {
		l.waiting.Store(false)
		r.trouble = &trouble{reason: reasonOf(err), detail: fmt.Sprintf("%s cannot be run: %s", name, causeOf(err))}
		return r
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		l.waiting.Store(false)
		ended <- err
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		// Give it the time to die, so that what it printed may be used.
		select {
		case err = <-ended:
		case <-time.After(2 * killGrace):
			r.snapshot.gaps = timeoutGaps(r.via)
			return r
		}
	}
	if ctx.Err() != nil {
		return afterDeadline(r.via, stdout.buffer.Bytes())
	}
	return readOutput(output{
		via: r.via, text: stdout.buffer.Bytes(),
		errors: stderr.buffer.Bytes(), errorsFrom: r.via, exit: exitOf(err),
	})
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
