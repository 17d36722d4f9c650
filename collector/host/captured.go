package host

import (
	"context"
	"fmt"
	"strings"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// captured reads the host folder of a capture.
type captured struct {
	dir  *capture.Dir
	view func() view
}

// FromCapture reads the host of a capture.
func FromCapture(dir *capture.Dir) *Reader {
	c := &captured{dir: dir}
	c.view = onceValue(func() view {
		text, _ := dir.Read("host/namespaces")
		return parseNamespaces(string(text))
	})
	r := &Reader{
		via: dir.Path("host"),
		sections: []section{
			{"host.os", c.readOS},
			{"host.kernel", c.readKernel},
			{"host.memory", c.readMemory},
			{"host.mounts", c.readMounts},
			{"host.listeners", c.readListeners},
			{"host.cgroupVersion", c.readCgroupVersion},
			{"host.residue", c.readResidue},
			{"host.nvidiaDevices", c.readDevices},
			{"host.pciGpus", c.readPCI},
			{"host.addresses", func(context.Context) part { return setAddresses(c.addresses()) }},
		},
		name:      func() string { return dir.Meta.Hostname },
		addresses: c.addresses,
		process:   c.process,
		holders:   c.deviceHolders,
	}
	if _, err := dir.List("host"); err != nil {
		missing := facts.Missing(facts.SourceHost, r.via, err.Reason, err.Detail)
		r.missing = &missing
	}
	return r
}

// read returns a file, also the half of one whose command failed later, and
// the gap that its error is. Text is nil where there is nothing to use.
func (c *captured) read(name, at string) (text []byte, gaps []facts.Gap) {
	text, err := c.dir.Read(name)
	if err != nil {
		gaps = append(gaps, err.Gap(at))
	}
	return text, gaps
}

func (c *captured) malformed(name, at string, err error) facts.Gap {
	return c.dir.Malformed(name, err).Gap(at)
}

func (c *captured) readOS(context.Context) part {
	text, gaps := c.read("host/os-release", "host.os")
	if text == nil {
		return failed(gaps...)
	}
	release, more := parseOSRelease(c.dir.Path("host/os-release"), string(text))
	return part{set: func(h *facts.Host) { h.OS = release }, gaps: append(gaps, more...)}
}

func (c *captured) readKernel(context.Context) part {
	text, gaps := c.read("host/uname", "host.kernel")
	if text == nil {
		return failed(gaps...)
	}
	kernel, err := parseUname(c.dir.Path("host/uname"), string(text))
	if err != nil {
		return failed(append(gaps, c.malformed("host/uname", "host.kernel", err))...)
	}
	return part{set: func(h *facts.Host) { h.Kernel = kernel }, gaps: gaps}
}

func (c *captured) readMemory(context.Context) part {
	text, gaps := c.read("host/meminfo", "host.memory")
	if text == nil {
		return failed(gaps...)
	}
	memory, err := parseMeminfo(c.dir.Path("host/meminfo"), string(text))
	if err != nil {
		return failed(append(gaps, c.malformed("host/meminfo", "host.memory", err))...)
	}
	return part{set: func(h *facts.Host) { h.Memory = memory }, gaps: gaps}
}

// readMounts reads df. It fails as a whole when one mount does not answer, and
// its complaints say which: those cost only their own mounts.
func (c *captured) readMounts(context.Context) part {
	text, err := c.dir.Read("host/df")
	if text == nil {
		return failed(err.Gap("host.mounts"))
	}
	mounts, gaps := parseDF(c.dir.Path("host/df"), string(text))
	if err != nil {
		words, _ := c.dir.Read("host/df.err")
		gaps = append(gaps, parseComplaints(c.dir.Path("host/df.err"), string(words), capture.Classify)...)
		if len(words) == 0 {
			gaps = append(gaps, err.Gap("host.mounts"))
		}
	}
	return part{set: func(h *facts.Host) { h.Mounts = mounts }, gaps: gaps}
}

func (c *captured) readListeners(context.Context) part {
	text, gaps := c.read("host/ss", "host.listeners")
	if text == nil {
		return failed(gaps...)
	}
	listeners, more := parseSS(c.dir.Path("host/ss"), string(text))
	return part{set: func(h *facts.Host) { h.Listeners = listeners }, gaps: append(gaps, more...)}
}

// readCgroupVersion reads host/cgroup or, without it, tells the version from
// any captured process: the form of its lines shows it.
func (c *captured) readCgroupVersion(context.Context) part {
	text, err := c.dir.Read("host/cgroup")
	version := statedCgroupVersion(string(text))
	if version == "" {
		pids, _ := c.dir.List("host/proc")
		for _, pid := range pids {
			lines, _ := c.dir.Read("host/proc/" + pid + "/cgroup")
			if version = lineCgroupVersion(string(lines)); version != "" {
				break
			}
		}
	}
	switch {
	case version != "":
		return part{set: func(h *facts.Host) { h.CgroupVersion = version }}
	case err != nil:
		return failed(err.Gap("host.cgroupVersion"))
	}
	return failed(c.malformed("host/cgroup", "host.cgroupVersion", fmt.Errorf("%s:1:1: expected what stat -fc %%T /sys/fs/cgroup prints: %q", c.dir.Path("host/cgroup"), short(string(text)))))
}

// readResidue reads the lines of what is left. That ls did not find one of the
// folders it was asked for is an answer, not a fault.
func (c *captured) readResidue(context.Context) part {
	text, err := c.dir.Read("host/residue")
	var gaps []facts.Gap
	if err != nil {
		words, _ := c.dir.Read("host/residue.err")
		if !onlyNotFound(string(words)) {
			gaps = append(gaps, err.Gap("host.residue"))
		} else if text == nil {
			text = []byte{}
		}
	}
	if text == nil {
		return failed(gaps...)
	}
	residue, more := parseResidue(c.dir.Path("host/residue"), string(text))
	return part{set: func(h *facts.Host) { h.Residue = residue }, gaps: append(gaps, more...)}
}

// onlyNotFound reports whether ls complained of nothing but missing files.
func onlyNotFound(words string) bool {
	if strings.TrimSpace(words) == "" {
		return false
	}
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		missing := strings.HasPrefix(line, "ls: ") && strings.HasSuffix(line, "No such file or directory")
		if line != "" && !missing {
			return false
		}
	}
	return true
}

func (c *captured) readDevices(context.Context) part {
	text, gaps := c.read("host/devices", "host.nvidiaDevices")
	words, _ := c.dir.Read("host/devices.err")
	if len(text) == 0 && onlyNotFound(string(words)) {
		// ls fails when no node is there, and that is the answer.
		return part{}
	}
	if text == nil {
		return failed(gaps...)
	}
	devices := parseDevices(string(text))
	if len(devices) == 0 && strings.TrimSpace(string(text)) != "" {
		gaps = append(gaps, c.malformed("host/devices", "host.nvidiaDevices", fmt.Errorf("%s:1:1: no line names a device node /dev/nvidia*", c.dir.Path("host/devices"))))
	}
	return part{set: func(h *facts.Host) { h.NVIDIADevices = devices }, gaps: gaps}
}

func (c *captured) readPCI(context.Context) part {
	text, gaps := c.read("host/pci", "host.pciGpus")
	if text == nil {
		return failed(gaps...)
	}
	gpus, more := parsePCI(c.dir.Path("host/pci"), string(text))
	return part{set: func(h *facts.Host) { h.PCIGPUs = gpus }, gaps: append(gaps, more...)}
}

func (c *captured) addresses() ([]string, []facts.Gap) {
	text, gaps := c.read("host/addresses", "host.addresses")
	if text == nil {
		return nil, gaps
	}
	list, err := parseAddresses(c.dir.Path("host/addresses"), string(text))
	if err != nil {
		gaps = append(gaps, c.malformed("host/addresses", "host.addresses", err))
	}
	return list, gaps
}

func (c *captured) deviceHolders(context.Context) ([]facts.DeviceHolder, []facts.Gap) {
	text, gaps := c.read("host/device-holders", "host.deviceHolders")
	if text == nil {
		return nil, gaps
	}
	list, more := parseHolders(c.dir.Path("host/device-holders"), string(text))
	return list, append(gaps, more...)
}

// process reads the folder of one process.
func (c *captured) process(pid int) facts.Process {
	v := c.view()
	if !v.pids {
		return unknownProcess(pid, "the capture was taken in a PID namespace of its own, and the driver speaks of the host's PIDs; take it on the host")
	}
	folder := fmt.Sprintf("host/proc/%d", pid)
	if _, err := c.dir.List(folder); err != nil {
		return unknownProcess(pid, "the capture has no "+folder)
	}
	texts := map[string][]byte{}
	problems := map[string]*capture.Error{}
	for _, name := range []string{"cgroup", "cmdline", "status"} {
		texts[name], problems[name] = c.dir.Read(folder + "/" + name)
	}
	raw := rawProcess{cgroup: texts["cgroup"], cmdline: texts["cmdline"], status: texts["status"], relative: !v.cgroups}
	if err := problems["cgroup"]; raw.cgroup == nil {
		raw.cgroupReason = err.Detail
		if err.Reason == facts.ReasonAbsent && raw.status == nil && raw.cmdline == nil {
			return c.ended(pid, v)
		}
	}
	return describe(pid, raw)
}

// ended is a process that was not under /proc when the capture was taken.
func (c *captured) ended(pid int, v view) facts.Process {
	if v.gone {
		return goneProcess(pid)
	}
	return unknownProcess(pid, fmt.Sprintf("/proc had no process %d when the capture was taken: it has ended, or it could not be seen from there (host/namespaces would tell)", pid))
}
