package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"sync"
	"syscall"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// statfsPatience is how long one file system may take to answer. A mount of a
// server that is away answers never, and nothing can interrupt the question:
// its goroutine waits on while the scan goes on.
const statfsPatience = 2 * time.Second

func statfs(path string) (syscall.Statfs_t, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return s, &fs.PathError{Op: "statfs", Path: path, Err: err}
	}
	return s, nil
}

func (l *live) readMounts(ctx context.Context) part {
	if !l.view().files {
		return failed(facts.Gap{Path: "host.mounts", Reason: facts.ReasonDenied, Detail: foreignRoot})
	}
	infos, err := l.mountinfo()
	if err != nil {
		return failed(gapOf("host.mounts", err))
	}
	var mounts []facts.Mount
	for _, m := range infos {
		mounts = append(mounts, facts.Mount{Path: unescapeMount(m.MountPoint), Device: unescapeMount(m.Source), FileSystem: m.FSType})
	}
	mounts = lastMounted(mounts)
	ctx, cancel := context.WithTimeout(ctx, statfsPatience)
	defer cancel()
	var wg sync.WaitGroup
	problems := make([]error, len(mounts))
	for i := range mounts {
		wg.Go(func() { problems[i] = l.measure(ctx, &mounts[i]) })
	}
	wg.Wait()
	var measured []facts.Mount
	var gaps []facts.Gap
	for i, m := range mounts {
		switch err := problems[i]; {
		case err == nil:
			measured = append(measured, m)
		case errors.Is(err, errNoSpace):
		default:
			g := gapOf("host.mounts", err)
			g.Item = m.Path
			gaps = append(gaps, g)
		}
	}
	return part{set: func(h *facts.Host) { h.Mounts = measured }, gaps: gaps}
}

// errNoSpace is the answer of a file system that stores nothing; df leaves
// those out as well.
var errNoSpace = errors.New("the file system has no blocks")

// measure asks for the space of one mount, and stops waiting when ctx ends.
func (l *live) measure(ctx context.Context, m *facts.Mount) error {
	type answer struct {
		s   syscall.Statfs_t
		err error
	}
	done := make(chan answer, 1)
	go func() {
		s, err := l.statfs(l.path(m.Path))
		done <- answer{s, err}
	}()
	select {
	case a := <-done:
		if a.err != nil {
			return a.err
		}
		if a.s.Blocks == 0 {
			return errNoSpace
		}
		unit := uint64(max(a.s.Frsize, 1))
		m.SizeBytes, m.AvailableBytes = bytesOf(a.s.Blocks, unit), bytesOf(a.s.Bavail, unit)
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the file system at %s does not answer (is its server away?): %w", m.Path, context.DeadlineExceeded)
	}
}

// bytesOf multiplies without overflow: some file systems claim to be endless.
func bytesOf(blocks, unit uint64) int64 {
	if blocks > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return int64(blocks * unit)
}
