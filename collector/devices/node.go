package devices

import (
	"path"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// nvidiaMajor is the major number of /dev/nvidia0 and its like, fixed in the
// kernel's list of devices. nvidiaControl and nvidiaModeset are the minors of
// /dev/nvidiactl and /dev/nvidia-modeset, which are no GPU.
const (
	nvidiaMajor   = "195"
	nvidiaControl = "255"
	nvidiaModeset = "254"
)

// Node reads the path of a device node given to a workload (docker run
// --device, a node bound into a container): /dev/nvidia0 is the GPU of minor
// number 0; /dev, or all of /dev/char, is every GPU. Nodes that every user of
// any GPU needs (/dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia-caps/…) are none.
func Node(name string) facts.DeviceSelection {
	clean := path.Clean("/" + strings.TrimSpace(name))
	if clean == "/dev" || clean == "/dev/char" {
		return All(ViaDevice, name)
	}
	s := None(ViaDevice, name)
	if numbers, ok := strings.CutPrefix(clean, "/dev/char/"); ok {
		major, minor, _ := strings.Cut(numbers, ":")
		addNumbers(&s, major, minor)
		return s
	}
	if rest, ok := strings.CutPrefix(clean, "/dev/nvidia"); ok {
		if minor, isGPU := number(rest); isGPU {
			add(&s, facts.DeviceReference{Kind: KindMinor, Value: minor})
		} else if strings.ContainsAny(rest, "*?[") {
			add(&s, unknown(name))
		}
	}
	return s
}

// Allow reads the device of a systemd DeviceAllow= line: a node's path, as
// [Node] does, or a group of devices such as "char-nvidia*" or "char-195",
// which is every GPU.
func Allow(device string) facts.DeviceSelection {
	device = strings.TrimSpace(device)
	group, isGroup := strings.CutPrefix(device, "char-")
	if !isGroup {
		s := Node(device)
		s.Via = ViaDeviceAllow
		return s
	}
	// The names under which drivers old and new register GPUs.
	for _, registered := range []string{"nvidia", "nvidia-frontend", nvidiaMajor} {
		if matched, err := path.Match(group, registered); err == nil && matched {
			return All(ViaDeviceAllow, device)
		}
	}
	return None(ViaDeviceAllow, device)
}

// CgroupRule reads a rule of the device control group, as in docker run
// --device-cgroup-rule: "c 195:0 rwm" is the GPU of minor number 0,
// "c 195:* rwm", "c *:* rwm" and "a" are every GPU. A rule that allows neither
// reading nor writing, or block devices only, is none.
func CgroupRule(rule string) facts.DeviceSelection {
	s := None(ViaDeviceCgroupRule, rule)
	fields := strings.Fields(rule)
	if len(fields) == 0 {
		return s
	}
	kind, numbers, access := fields[0], "*:*", "rwm"
	if len(fields) > 1 {
		numbers = fields[1]
	}
	if len(fields) > 2 {
		access = fields[2]
	}
	if kind == "b" || kind == "c" && !strings.ContainsAny(access, "rw") {
		return s
	}
	major, minor, _ := strings.Cut(numbers, ":")
	if kind == "a" { // which the kernel takes for everything, whatever follows
		major, minor = "*", "*"
	}
	addNumbers(&s, major, minor)
	return s
}

// addNumbers adds what major and minor numbers choose; "*" is any.
func addNumbers(s *facts.DeviceSelection, major, minor string) {
	if m, ok := number(major); major != "*" && (!ok || m != nvidiaMajor) {
		return
	}
	m, ok := number(minor)
	switch {
	case minor == "*":
		s.All = true
	case ok && m != nvidiaControl && m != nvidiaModeset:
		add(s, facts.DeviceReference{Kind: KindMinor, Value: m})
	}
}
