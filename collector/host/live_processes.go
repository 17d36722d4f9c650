package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/gpugate/gpugate/collector/facts"
)

// process reads one process under /proc. That a PID is not there proves
// something only where /proc shows the PIDs the driver speaks of, and all of
// them.
func (l *live) process(pid int) facts.Process {
	v := l.view()
	if !v.pids {
		return unknownProcess(pid, foreignPIDs)
	}
	folder := fmt.Sprintf("proc/%d", pid)
	if _, err := os.Stat(l.path(folder)); err != nil {
		return l.unseen(pid, v, err)
	}
	raw := rawProcess{relative: !v.cgroups}
	var err error
	if raw.cgroup, err = readFile(l.path(folder + "/cgroup")); err != nil {
		if isEnded(err) {
			return l.unseen(pid, v, err)
		}
		raw.cgroupReason = gapOf("", err).Detail
	}
	// Each of the others may be missing without harm: an empty value says
	// nothing.
	raw.status, _ = readFile(l.path(folder + "/status"))
	raw.cmdline, _ = readFile(l.path(folder + "/cmdline"))
	raw.environ, _ = readFile(l.path(folder + "/environ"))
	if stat, err := readFile(l.path(folder + "/stat")); err == nil {
		raw.startedAt = startTime(stat, l.boot())
	}
	return describe(pid, raw)
}

// unseen is a process that is not under /proc.
func (l *live) unseen(pid int, v view, err error) facts.Process {
	switch {
	case isEnded(err) && v.gone:
		return goneProcess(pid)
	case isEnded(err):
		return unknownProcess(pid, "it is not under /proc, which hides other users' processes (its option hidepid); run gpugate as root")
	case errors.Is(err, fs.ErrPermission):
		return unknownProcess(pid, fmt.Sprintf("permission denied on /proc/%d; run gpugate as root", pid))
	}
	return unknownProcess(pid, err.Error())
}

// isNoProcess recognises the answer for a process that ended meanwhile.
func isNoProcess(err error) bool { return errors.Is(err, syscall.ESRCH) }
