package docker

import (
	"strings"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

// gpus is what a container may use, by every way there is. Only choices of some
// GPU are listed. A container that is not running keeps its choices: whether it
// counts is for the policies to say, which see its state.
func (s *snapshot) gpus(c rawContainer, environment []string) []facts.DeviceSelection {
	host := c.hostConfig()
	var found selections
	if host.Privileged {
		found.add(devices.All(devices.ViaPrivileged, "privileged"))
	}
	requested := false
	for _, r := range host.DeviceRequests {
		choice, isGPU := devices.Request(facts.DeviceRequest(r))
		requested = requested || isGPU && devices.Selects(choice)
		found.add(choice)
	}
	runtime := s.runtimeOf(c)
	// A device request replaces NVIDIA_VISIBLE_DEVICES when the container
	// starts (the daemon, or the CDI specification, sets it anew), so what an
	// image says there does not count beside one.
	if !requested {
		choice, _ := devices.Environment(environment)
		found.add(runtime.judge(choice))
	}
	for _, d := range host.Devices {
		found.add(deviceOption(d))
	}
	for _, rule := range host.DeviceCgroupRules {
		found.add(devices.CgroupRule(rule))
	}
	for _, m := range c.mounts() {
		if id, ok := visibleMount(m.Destination); ok {
			choice := devices.VisibleDevices(id)
			choice.Via = devices.ViaMount
			found.add(runtime.judge(choice))
			continue
		}
		choice := devices.Node(m.Source)
		choice.Via = devices.ViaMount
		found.add(choice)
	}
	for _, value := range podmanDevices(c.config().CreateCommand) {
		found.add(devices.CDI(value))
	}
	return found
}

// selections collects choices of some GPU.
type selections []facts.DeviceSelection

func (s *selections) add(choice facts.DeviceSelection) {
	if devices.Selects(choice) {
		*s = append(*s, choice)
	}
}

// deviceOption reads one --device. A node of another name that stands for a
// GPU inside the container may be one (a link, say): it is not known.
func deviceOption(d rawDevice) facts.DeviceSelection {
	if strings.Contains(d.PathOnHost, "=") {
		return devices.CDI(d.PathOnHost)
	}
	choice := devices.Node(d.PathOnHost)
	if !devices.Selects(choice) && devices.Selects(devices.Node(d.PathInContainer)) {
		return devices.Unknown(devices.ViaDevice, d.PathOnHost)
	}
	return choice
}

// visibleMount reads the name of a device from the way of choosing by mounts:
// /dev/null mounted at /var/run/nvidia-container-devices/ID.
func visibleMount(destination string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(destination, "/var"), "/run/nvidia-container-devices/")
	if cdi, isCDI := strings.CutPrefix(rest, "cdi/"); isCDI {
		if slash := strings.LastIndexByte(cdi, '/'); slash >= 0 {
			return cdi[:slash] + "=" + cdi[slash+1:], true
		}
	}
	return rest, ok && rest != ""
}

// podmanDevices returns the CDI names in the command that created a Podman
// container, which is the only place where Podman keeps them.
func podmanDevices(command []string) (names []string) {
	for i, a := range command {
		value, assigned := strings.CutPrefix(a, "--device=")
		if a == "--device" && i+1 < len(command) {
			value, assigned = command[i+1], true
		}
		if kind, _, isCDI := strings.Cut(value, "="); assigned && isCDI && strings.Contains(kind, "/") && !strings.HasPrefix(kind, "/") {
			names = append(names, value)
		}
	}
	return names
}

// runtimeKind says whether the runtime of a container reads
// NVIDIA_VISIBLE_DEVICES and gives GPUs by it.
type runtimeKind int

const (
	plainRuntime runtimeKind = iota
	nvidiaRuntime
	unknownRuntime
)

// judge makes of a choice what the runtime makes of it.
func (k runtimeKind) judge(choice facts.DeviceSelection) facts.DeviceSelection {
	switch {
	case k == nvidiaRuntime || !devices.Selects(choice):
		return choice
	case k == unknownRuntime:
		return devices.Unknown(choice.Via, choice.Text)
	}
	return devices.None(choice.Via, choice.Text)
}

// runtimeOf tells the kind of a container's runtime: by its name, or by the
// program the daemon has configured under that name.
func (s *snapshot) runtimeOf(c rawContainer) runtimeKind {
	name := c.hostConfig().Runtime
	if name == "oci" { // Podman's word for "see OCIRuntime"
		name = c.OCIRuntime
	}
	if name == "" && s.info != nil {
		name = s.info.DefaultRuntime
	}
	switch {
	case name == "":
		return unknownRuntime
	case strings.Contains(name, "nvidia"), s.info != nil && strings.Contains(string(s.info.Runtimes[name]), "nvidia"):
		return nvidiaRuntime
	case s.engineName() == "podman":
		return unknownRuntime // a hook of the host may do it on any runtime
	case s.info == nil && !oneOf(name, "runc", "crun", "io.containerd.runc.v2"):
		return unknownRuntime // what program the name stands for is not known
	}
	return plainRuntime
}
