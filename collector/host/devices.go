package host

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

var (
	// deviceNode is a path of the driver; only /dev/nvidiaN has a minor number
	// that is a GPU's.
	deviceNode  = regexp.MustCompile(`^/dev/nvidia(\d*)[\w-]*$`)
	gpuNode     = regexp.MustCompile(`^/dev/nvidia(\d+)$`)
	heldDevice  = regexp.MustCompile(`^(/dev/nvidia\S*):\s*(.*)$`)
	fuserPID    = regexp.MustCompile(`^(\d+)[a-zA-Z]*$`)
	pciAddress  = `((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])`
	lspciLine   = regexp.MustCompile(`^` + pciAddress + `\s+"?(?:[^\[]*\[)?([0-9a-fA-F]{4})\]?"?:?\s.*?\b(10de)[:" ]`)
	lspciAny    = regexp.MustCompile(`^` + pciAddress + `\s`)
	sysfsVendor = regexp.MustCompile(pciAddress + `/(vendor|class):0x([0-9a-fA-F]+)$`)
)

// nvidiaDevice is the device node at a path.
func nvidiaDevice(path string) (facts.NVIDIADevice, bool) {
	if !deviceNode.MatchString(path) {
		return facts.NVIDIADevice{}, false
	}
	d := facts.NVIDIADevice{Path: path}
	if m := gpuNode.FindStringSubmatch(path); m != nil {
		if minor, err := strconv.ParseInt(m[1], 10, 32); err == nil {
			n := int(minor)
			d.Minor = &n
		}
	}
	return d, true
}

// parseDevices reads ls -l /dev/nvidia* (or plain ls). Folders and what is in
// them, such as /dev/nvidia-caps, are passed over.
func parseDevices(text string) []facts.NVIDIADevice {
	var devices []facts.NVIDIADevice
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || len(fields) > 1 && fields[0][0] != 'c' {
			continue
		}
		if d, ok := nvidiaDevice(fields[len(fields)-1]); ok {
			devices = append(devices, d)
		}
	}
	return devices
}

// parsePCI reads lspci -Dn -d 10de:, or the vendor and class files of sysfs as
// grep prints them, and keeps NVIDIA's display and 3D controllers (class 03).
func parsePCI(file, text string) ([]string, []facts.Gap) {
	var gpus []string
	var gaps []facts.Gap
	vendors, classes := map[string]string{}, map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch m := lspciLine.FindStringSubmatch(line); {
		case line == "":
		case m != nil:
			if strings.HasPrefix(m[2], "03") {
				gpus = append(gpus, pciName(m[1]))
			}
		case sysfsVendor.MatchString(line):
			m := sysfsVendor.FindStringSubmatch(line)
			if m[2] == "vendor" {
				vendors[pciName(m[1])] = m[3]
			} else {
				classes[pciName(m[1])] = m[3]
			}
		case lspciAny.MatchString(line):
			// Of another vendor.
		default:
			gaps = append(gaps, facts.Gap{Path: "host.pciGpus", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: not a line of lspci -Dn: %q", file, i+1, short(line))})
		}
	}
	for address, vendor := range vendors {
		if isGPU(vendor, classes[address]) {
			gpus = append(gpus, address)
		}
	}
	slices.Sort(gpus)
	return slices.Compact(gpus), gaps
}

// isGPU tells by the hexadecimal vendor and six-digit class.
func isGPU(vendor, class string) bool {
	vendor, class = strings.TrimPrefix(vendor, "0x"), strings.TrimPrefix(class, "0x")
	return strings.EqualFold(vendor, "10de") && len(class) == 6 && strings.HasPrefix(class, "03")
}

// pciName gives an address its domain: "0000:17:00.0".
func pciName(address string) string {
	if strings.Count(address, ":") == 1 {
		address = "0000:" + address
	}
	return strings.ToLower(address)
}

// parseHolders reads fuser's lines "/dev/nvidia0: 4711 4712m".
func parseHolders(file, text string) ([]facts.DeviceHolder, []facts.Gap) {
	held := holders{}
	var gaps []facts.Gap
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := heldDevice.FindStringSubmatch(line)
		if m == nil {
			gaps = append(gaps, facts.Gap{Path: "host.deviceHolders", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: expected \"/dev/nvidiaN: PID…\": %q", file, i+1, short(line))})
			continue
		}
		for word := range strings.FieldsSeq(m[2]) {
			p := fuserPID.FindStringSubmatch(word)
			pid, err := 0, error(nil)
			if p != nil {
				pid, err = strconv.Atoi(p[1])
			}
			if p == nil || err != nil || pid < 1 {
				gaps = append(gaps, facts.Gap{Path: "host.deviceHolders", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: %q is no PID", file, i+1, short(word))})
				continue
			}
			held.add(m[1], pid)
		}
	}
	return held.list(), gaps
}

// holders collects who has which device node open.
type holders map[string][]int

// add notes a process, if the path is a GPU's own node: the control nodes are
// open in every monitoring agent.
func (h holders) add(path string, pid int) {
	if gpuNode.MatchString(path) && !slices.Contains(h[path], pid) {
		h[path] = append(h[path], pid)
	}
}

func (h holders) list() []facts.DeviceHolder {
	var list []facts.DeviceHolder
	for path, pids := range h {
		slices.Sort(pids)
		list = append(list, facts.DeviceHolder{Path: path, PIDs: pids})
	}
	slices.SortFunc(list, func(a, b facts.DeviceHolder) int { return strings.Compare(a.Path, b.Path) })
	return list
}
