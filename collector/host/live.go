package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/prometheus/procfs"

	"github.com/gpugate/gpugate/collector/facts"
)

// Options of a live reader.
type Options struct {
	// Root is where the host's root file system is: "/" (or empty), or the
	// folder under which it is mounted into a container. Its /proc and /sys
	// must be the host's too.
	Root string
}

// live reads the running system under a root.
type live struct {
	root string
	view func() view
	// run executes a command that only reads; nil under another root, where
	// the commands are not the host's.
	run func(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error)
	// statfs asks a file system for its space; it may hang.
	statfs func(path string) (syscall.Statfs_t, error)
	uname  func() (facts.Kernel, error)
	boot   func() int64
	// interfaces lists the addresses of the network the process is in.
	interfaces func() ([]net.Addr, error)
}

// Live reads this host. It needs no privileges, but without root much stays
// unknown: which process holds a socket or device, and what a cluster left.
func Live(o Options) *Reader {
	if o.Root == "" {
		o.Root = "/"
	}
	l := &live{root: filepath.Clean(o.Root), statfs: statfs, uname: uname, interfaces: net.InterfaceAddrs}
	if l.root == "/" {
		l.run = runCommand
	}
	return l.reader()
}

func (l *live) reader() *Reader {
	l.view = onceValue(l.look)
	l.boot = onceValue(func() int64 {
		text, err := readFile(l.path("proc/stat"))
		if err != nil {
			return 0
		}
		return bootTime(text)
	})
	return &Reader{
		via: l.path("proc"),
		sections: []section{
			{"host.os", l.readOS},
			{"host.kernel", l.readKernel},
			{"host.memory", l.readMemory},
			{"host.mounts", l.readMounts},
			{"host.listeners", l.readListeners},
			{"host.cgroupVersion", l.readCgroupVersion},
			{"host.residue", l.readResidue},
			{"host.nvidiaDevices", l.readDevices},
			{"host.pciGpus", l.readPCI},
			{"host.addresses", func(context.Context) part { return setAddresses(l.addresses()) }},
		},
		name:      l.name,
		addresses: l.addresses,
		process:   l.process,
		holders:   l.deviceHolders,
	}
}

func (l *live) path(name string) string { return filepath.Join(l.root, name) }

// name is the host name. In a container the kernel gives the container's, so
// another root's is read from its file.
func (l *live) name() string {
	if l.root != "/" {
		text, _ := readFile(l.resolve("etc/hostname"))
		return strings.TrimSpace(string(text))
	}
	name, err := os.Hostname()
	if err != nil || !l.view().files {
		return ""
	}
	return name
}

func (l *live) readOS(context.Context) part {
	if !l.view().files {
		return failed(facts.Gap{Path: "host.os", Reason: facts.ReasonDenied, Detail: foreignRoot})
	}
	var text []byte
	var err error
	// The second is only for when the first is not there, not for when it may
	// not be read: they may differ.
	for _, name := range []string{"etc/os-release", "usr/lib/os-release"} {
		if text, err = readFile(l.resolve(name)); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return failed(gapOf("host.os", err))
	}
	release, gaps := parseOSRelease("/etc/os-release", string(text))
	return part{set: func(h *facts.Host) { h.OS = release }, gaps: gaps}
}

// resolve follows a symbolic link within the root.
func (l *live) resolve(name string) string {
	p := l.path(name)
	for range 8 {
		target, err := os.Readlink(p)
		switch {
		case err != nil:
			return p
		case filepath.IsAbs(target):
			p = l.path(target)
		default:
			p = filepath.Join(filepath.Dir(p), target)
		}
	}
	return p
}

func (l *live) readKernel(context.Context) part {
	kernel, err := l.uname()
	if err != nil {
		return failed(gapOf("host.kernel", err))
	}
	return part{set: func(h *facts.Host) { h.Kernel = kernel }}
}

// uname asks the kernel, which all containers share.
func uname() (facts.Kernel, error) {
	var u syscall.Utsname
	if err := syscall.Uname(&u); err != nil {
		return facts.Kernel{}, fmt.Errorf("uname: %w", err)
	}
	return facts.Kernel{Name: chars(u.Sysname[:]), Release: chars(u.Release[:]), Machine: chars(u.Machine[:])}, nil
}

// chars reads a C string; its element is signed or not by architecture.
func chars[T int8 | uint8](field []T) string {
	var b strings.Builder
	for _, c := range field {
		if c == 0 {
			break
		}
		b.WriteByte(byte(c))
	}
	return b.String()
}

func (l *live) readMemory(context.Context) part {
	text, err := readFile(l.path("proc/meminfo"))
	if err != nil {
		return failed(gapOf("host.memory", err))
	}
	memory, err := parseMeminfo("/proc/meminfo", string(text))
	if err != nil {
		return failed(gapOf("host.memory", err))
	}
	return part{set: func(h *facts.Host) { h.Memory = memory }}
}

// mountinfo lists the mounts of the host: those of PID 1 under another root,
// else our own, which are the same (the caller has looked) and need no root.
func (l *live) mountinfo() ([]*procfs.MountInfo, error) {
	proc, err := procfs.NewFS(l.path("proc"))
	if err != nil {
		return nil, err
	}
	if l.root != "/" {
		if mounts, err := proc.GetProcMounts(1); err == nil {
			return mounts, nil
		}
	}
	return proc.GetMounts()
}

func (l *live) readCgroupVersion(context.Context) part {
	mounts, err := l.mountinfo()
	if err != nil {
		return failed(gapOf("host.cgroupVersion", err))
	}
	var v1, v2 bool
	for _, m := range mounts {
		v1 = v1 || m.FSType == "cgroup"
		v2 = v2 || m.FSType == "cgroup2"
	}
	version := cgroupVersion(v1, v2)
	if version == "" {
		return failed(facts.Gap{Path: "host.cgroupVersion", Reason: facts.ReasonAbsent, Detail: "no control group file system is mounted here"})
	}
	return part{set: func(h *facts.Host) { h.CgroupVersion = version }}
}

func (l *live) readDevices(context.Context) part {
	if !l.view().files {
		return failed(facts.Gap{Path: "host.nvidiaDevices", Reason: facts.ReasonDenied, Detail: foreignRoot})
	}
	entries, err := os.ReadDir(l.path("dev"))
	if err != nil {
		return failed(gapOf("host.nvidiaDevices", err))
	}
	var devices []facts.NVIDIADevice
	for _, e := range entries {
		if d, ok := nvidiaDevice("/dev/" + e.Name()); ok && !e.IsDir() {
			devices = append(devices, d)
		}
	}
	return part{set: func(h *facts.Host) { h.NVIDIADevices = devices }}
}

func (l *live) readPCI(context.Context) part {
	folder := l.path("sys/bus/pci/devices")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return failed(gapOf("host.pciGpus", err))
	}
	var gpus []string
	var gaps []facts.Gap
	for _, e := range entries {
		vendor, err1 := readFile(filepath.Join(folder, e.Name(), "vendor"))
		class, err2 := readFile(filepath.Join(folder, e.Name(), "class"))
		if err := errors.Join(err1, err2); err != nil {
			gaps = append(gaps, gapOf("host.pciGpus", errors.Join(err1, err2)))
			continue
		}
		if isGPU(strings.TrimSpace(string(vendor)), strings.TrimSpace(string(class))) {
			gpus = append(gpus, pciName(e.Name()))
		}
	}
	return part{set: func(h *facts.Host) { h.PCIGPUs = gpus }, gaps: gaps}
}

// addresses lists those of the network the process is in, which is the host's
// only where that can be told.
func (l *live) addresses() ([]string, []facts.Gap) {
	if v := l.view(); !v.pids || !v.network {
		return nil, []facts.Gap{{Path: "host.addresses", Reason: facts.ReasonDenied, Detail: foreignNet}}
	}
	all, err := l.interfaces()
	if err != nil {
		return nil, []facts.Gap{gapOf("host.addresses", fmt.Errorf("listing the network interfaces: %w", err))}
	}
	var list []string
	for _, a := range all {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		if s, ok := ownAddress(prefix.Addr()); ok {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// maxFileBytes bounds what is read of one file; /proc files have no size.
const maxFileBytes = 16 << 20

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFileBytes {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxFileBytes)
	}
	return text, nil
}
