package host

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// view says how much of the server this process can see at all. It is never
// assumed: a container's own facts would pass for the server's.
type view struct {
	// pids: the PIDs under /proc are those the driver speaks of.
	pids bool
	// gone: a PID that is not under /proc does not exist; no option of the
	// proc mount hides it.
	gone bool
	// cgroups: control group paths start at the root of the host.
	cgroups bool
	// files: the root file system is the host's.
	files bool
	// network: the process is in the host's network.
	network bool
}

// The initial namespaces have fixed numbers in every kernel (linux/proc_ns.h).
const (
	initialPIDNamespace    = "pid:[4026531836]"
	initialCgroupNamespace = "cgroup:[4026531835]"
)

// Why parts are not reported, for people.
const (
	foreignPIDs = "gpugate sees a PID namespace of its own, and the driver speaks of the host's PIDs; run it on the host or with --pid=host"
	foreignRoot = "gpugate runs in a container and sees its files, not the server's; run it on the host, or mount the host's root and name it"
	foreignNet  = "gpugate cannot tell that the network it sees is the server's, not a container's; run it on the host or with --pid=host --net=host"
)

// look finds out what the process sees under the root.
func (l *live) look() view {
	var v view
	pidNS, _ := os.Readlink(l.path("proc/self/ns/pid"))
	v.pids = pidNS == initialPIDNamespace || l.seesKernelThreads()
	if _, err := os.Lstat(l.path("proc/1")); err == nil {
		v.gone = v.pids
	}
	cgroupNS, err := os.Readlink(l.path("proc/self/ns/cgroup"))
	// A kernel without such namespaces has no such link.
	v.cgroups = cgroupNS == initialCgroupNamespace || errors.Is(err, fs.ErrNotExist)
	v.files = l.root != "/" || v.pids && !l.hasOtherRoot()
	v.network = v.pids && !l.hasOtherNetwork()
	return v
}

// hasOtherNetwork compares with the network of PID 1, where root lets us look.
// Without, a program that was given another root is in a container and may be
// in another network too.
func (l *live) hasOtherNetwork() bool {
	first, err := os.Readlink(l.path("proc/1/ns/net"))
	if err != nil {
		return l.root != "/"
	}
	own, err := os.Readlink(l.path("proc/self/ns/net"))
	return err != nil || own != first
}

// seesKernelThreads reports whether PID 2 is the parent of the kernel's own
// threads, which only the initial PID namespace has. It serves where the proc
// file system of the host is mounted into a container.
func (l *live) seesKernelThreads() bool {
	text, err := readFile(l.path("proc/2/status"))
	if err != nil {
		return false
	}
	s := parseStatus(text)
	return s.name == "kthreadd" && s.parent == 0
}

// hasOtherRoot reports whether the root file system is proven to be another
// than that of PID 1. Looking there needs root; without it the question stays
// open, and the ordinary case, a person on the host, is assumed.
func (l *live) hasOtherRoot() bool {
	own, err := os.Stat("/")
	if err != nil {
		return false
	}
	first, err := os.Stat("/proc/1/root/.")
	return err == nil && !os.SameFile(own, first)
}

// parseNamespaces reads host/namespaces of a capture. Without that file the
// paths are taken to be the host's, as the capture script runs there, but a
// missing process is not taken to be gone.
func parseNamespaces(text string) view {
	v := view{pids: true, cgroups: true, files: true}
	words := strings.Fields(text)
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, "pid:["):
			v.pids = w == initialPIDNamespace
			v.gone = v.pids
		case strings.HasPrefix(w, "cgroup:["):
			v.cgroups = w == initialCgroupNamespace
		}
	}
	v.gone = v.gone && strings.Contains(" "+strings.Join(words, " ")+" ", " /proc/1 ")
	return v
}
