package kubernetes

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// presence is what the host itself shows of a kubelet.
type presence struct {
	// process is the name of a running kubelet, or of a program that contains
	// one.
	process string
	// hidden says why processes could not be looked at; then their absence
	// proves nothing.
	hidden string
	// residue is the first of the folders a kubelet leaves that is there.
	residue string
	// stateDir is where the running kubelet says it keeps its state.
	stateDir string
}

// absent reports whether it is proven that no kubelet is here.
func (p presence) absent() bool { return p.process == "" && p.hidden == "" && p.residue == "" }

// kubelets are the process names (of 15 characters at most) of kubelets and of
// distributions that run one inside.
var kubelets = []string{"kubelet", "kubelite", "hyperkube", "k3s", "k3s-server", "k3s-agent", "rke2", "k0s", "edgecore", "edged"}

// initialPIDNamespace is the number the kernel gives to the host's own process
// namespace, fixed in include/linux/proc_ns.h.
const initialPIDNamespace = "pid:[4026531836]"

// lookForKubelet looks at the processes and folders below root, which is "/"
// but for tests.
func lookForKubelet(root string) presence {
	var p presence
	for _, folder := range []string{"/var/lib/kubelet", "/etc/kubernetes"} {
		if _, err := os.Lstat(filepath.Join(root, folder)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			p.residue = folder
			break
		}
	}
	proc := filepath.Join(root, "proc")
	if namespace, err := os.Readlink(filepath.Join(proc, "self", "ns", "pid")); err != nil || namespace != initialPIDNamespace {
		p.hidden = "this program runs in a container and does not see the host's processes"
	}
	entries, err := os.ReadDir(proc)
	if err != nil {
		p.hidden = "/proc could not be read"
		return p
	}
	seen := false
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		name, err := os.ReadFile(filepath.Join(proc, e.Name(), "comm"))
		if errors.Is(err, fs.ErrPermission) {
			p.hidden = "the processes of other users are hidden (hidepid)"
			continue
		}
		if err != nil {
			continue
		}
		seen = seen || e.Name() == "1"
		if comm := string(bytes.TrimSpace(name)); slices.Contains(kubelets, comm) && p.process == "" {
			p.process = comm
			p.stateDir = stateDir(filepath.Join(proc, e.Name(), "cmdline"))
		}
	}
	if !seen && p.hidden == "" {
		p.hidden = "the processes of other users are hidden (hidepid)"
	}
	return p
}

// stateDir reads --root-dir from a kubelet's command line.
func stateDir(cmdline string) string {
	text, err := os.ReadFile(cmdline)
	if err != nil {
		return ""
	}
	args := strings.Split(string(text), "\x00")
	for i, arg := range args {
		if dir, ok := strings.CutPrefix(arg, "--root-dir="); ok {
			return dir
		}
		if arg == "--root-dir" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}
