package systemd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// host is where this process looks for signs of systemd.
type host struct {
	// root is "/", but in tests.
	root string
}

func thisHost() host { return host{"/"} }

// firstPIDNamespace is what /proc/self/ns/pid links to outside of any container:
// the kernel gives the first namespace a fixed number (PROC_PID_INIT_INO).
const firstPIDNamespace = "pid:[4026531836]"

// withoutSystemd reports whether systemd does not run here, or is not to be
// seen from here, which must not be taken for the same: within a container
// there is no systemd either, while the host has one.
func (h host) withoutSystemd() (facts.Source, bool) {
	const booted = "/run/systemd/system" // sd_booted(3)
	if _, err := os.Stat(filepath.Join(h.root, booted)); !errors.Is(err, fs.ErrNotExist) {
		return facts.Source{}, false
	}
	namespace, err := os.Readlink(filepath.Join(h.root, "proc/self/ns/pid"))
	if err != nil || namespace != firstPIDNamespace {
		return unseen(booted + " is not there, but this is a container, so the host may have it (run on the host, or mount /run/systemd and /run/dbus into the container)"), true
	}
	comm, err := os.ReadFile(filepath.Join(h.root, "proc/1/comm"))
	switch first := strings.TrimSpace(string(comm)); {
	case err != nil:
		return unseen(booted + " is not there, but what PID 1 is cannot be read"), true
	case first == "systemd":
		return unseen("PID 1 is systemd, but " + booted + " is not there (run on the host, or mount /run/systemd and /run/dbus into the container)"), true
	default:
		return facts.Absent(facts.SourceSystemd, "", fmt.Sprintf("%s is not there and PID 1 is %s: this host was not booted with systemd", booted, first)), true
	}
}

func unseen(why string) facts.Source {
	return facts.Missing(facts.SourceSystemd, "", facts.ReasonAbsent, why)
}
