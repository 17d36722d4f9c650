package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// readListeners lists the sockets of PID 1's network, which is the host's also
// when gpugate itself runs in another one.
func (l *live) readListeners(ctx context.Context) part {
	if !l.view().pids {
		return failed(facts.Gap{Path: "host.listeners", Reason: facts.ReasonDenied, Detail: foreignNet})
	}
	sockets, err := l.listening()
	if err != nil {
		return failed(gapOf("host.listeners", err))
	}
	inodes := map[uint64][]facts.ListenerProcess{}
	for _, s := range sockets {
		inodes[s.inode] = nil
	}
	if len(inodes) > 0 {
		// Processes that cannot be looked at leave their sockets without one.
		_, _ = l.openFiles(ctx, func(pid int, target string) {
			number, ok := strings.CutPrefix(target, "socket:[")
			inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64)
			if !ok || err != nil {
				return
			}
			if found, wanted := inodes[inode]; wanted {
				inodes[inode] = append(found, facts.ListenerProcess{PID: pid, Name: l.comm(pid)})
			}
		})
	}
	var set listenerSet
	for _, s := range sockets {
		set.add(s.address, inodes[s.inode])
	}
	return part{set: func(h *facts.Host) { h.Listeners = set.all }}
}

func (l *live) listening() ([]socket, error) {
	folder := l.path("proc/1/net")
	if _, err := os.Stat(filepath.Join(folder, "tcp")); err != nil && l.root == "/" {
		// Hidden from us: take our own network.
		folder = l.path("proc/net")
	}
	var sockets []socket
	for _, name := range []string{"tcp", "tcp6"} {
		file := filepath.Join(folder, name)
		text, err := readFile(file)
		if name == "tcp6" && errors.Is(err, fs.ErrNotExist) {
			// A kernel may have no IPv6, and then has no such sockets.
			continue
		}
		if err != nil {
			return nil, err
		}
		more, err := parseTCP(file, string(text))
		if err != nil {
			return nil, err
		}
		sockets = append(sockets, more...)
	}
	return sockets, nil
}

// openFiles calls f with the target of every open file of every process. It
// returns whether all processes could be looked at, and what ended it early.
func (l *live) openFiles(ctx context.Context, f func(pid int, target string)) (all bool, err error) {
	pids, err := os.ReadDir(l.path("proc"))
	if err != nil {
		return false, err
	}
	all = true
	for _, e := range pids {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid < 1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, fmt.Errorf("looking at the open files of all processes: %w", err)
		}
		folder := l.path(filepath.Join("proc", e.Name(), "fd"))
		files, err := os.ReadDir(folder)
		if err != nil && !isEnded(err) {
			all = false
		}
		for _, file := range files {
			target, err := os.Readlink(filepath.Join(folder, file.Name()))
			if err == nil {
				f(pid, target)
			} else if !isEnded(err) {
				all = false
			}
		}
	}
	return all, nil
}

// isEnded reports whether an error only says that the process or its file is
// no longer there.
func isEnded(err error) bool { return errors.Is(err, fs.ErrNotExist) || isNoProcess(err) }

func (l *live) comm(pid int) string {
	text, err := readFile(l.path(fmt.Sprintf("proc/%d/comm", pid)))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(text), "\n"), "\ufffd")
}

// deviceHolders finds the processes with a GPU's device node open.
func (l *live) deviceHolders(ctx context.Context) ([]facts.DeviceHolder, []facts.Gap) {
	v := l.view()
	if !v.pids {
		return nil, []facts.Gap{{Path: "host.deviceHolders", Reason: facts.ReasonDenied, Detail: foreignPIDs}}
	}
	ctx, cancel := earlier(ctx)
	defer cancel()
	held := holders{}
	all, err := l.openFiles(ctx, func(pid int, target string) { held.add(target, pid) })
	switch {
	case err != nil:
		return held.list(), []facts.Gap{gapOf("host.deviceHolders", err)}
	case !all:
		return held.list(), []facts.Gap{{Path: "host.deviceHolders", Reason: facts.ReasonDenied, Detail: "the open files of other users' processes cannot be seen; run gpugate as root (in a container: with CAP_SYS_PTRACE)"}}
	case !v.gone:
		return held.list(), []facts.Gap{{Path: "host.deviceHolders", Reason: facts.ReasonDenied, Detail: "/proc hides other users' processes (its option hidepid); run gpugate as root (in a container: with CAP_SYS_PTRACE)"}}
	}
	return held.list(), nil
}
