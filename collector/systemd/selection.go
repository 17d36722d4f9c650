package systemd

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

const cudaVisibleDevices = "CUDA_VISIBLE_DEVICES"

// selections says which GPUs a unit may use. A unit that only launches a
// container uses none itself, nor do container engines, clusters and what
// serves the GPUs.
//
// Two things narrow the choice, and nothing else does: the kernel, where the
// unit may open certain device nodes only, and CUDA_VISIBLE_DEVICES, which
// hides GPUs from a program that could open them. A unit without commands,
// since its file is not there or is masked, can use nothing.
func (p portrait) selections() []facts.DeviceSelection {
	if p.role != roleModel || p.wraps != nil || len(p.commands) == 0 {
		return []facts.DeviceSelection{}
	}
	allowed, limited := p.allowed()
	if limited && !devices.Selects(allowed) {
		return []facts.DeviceSelection{allowed}
	}
	list := []facts.DeviceSelection{}
	for _, l := range p.workloads() {
		s := p.selection(l, allowed, limited)
		if !slices.ContainsFunc(list, func(o facts.DeviceSelection) bool { return o.Via == s.Via && o.Text == s.Text }) {
			list = append(list, s)
		}
	}
	return list
}

// selection is what one of the unit's programs may use.
func (p portrait) selection(l launch, allowed facts.DeviceSelection, limited bool) facts.DeviceSelection {
	visible, set := p.visible(l)
	switch {
	case limited && !allowed.All && set && !isAbsolute(visible):
		// Indices count the GPUs that can be opened, so the first is not the
		// host's first: only the nodes tell which are meant.
		allowed.Text += "; " + cudaVisibleDevices + "=" + visible.Text
		return allowed
	case set:
		return visible
	case limited:
		return allowed
	}
	return devices.All(devices.ViaUnrestricted, p.hiddenIn())
}

// visible is the choice by CUDA_VISIBLE_DEVICES, if there is one.
func (p portrait) visible(l launch) (s facts.DeviceSelection, set bool) {
	if device, ok := l.option("--cuda-device"); ok { // ComfyUI sets the variable from it
		return devices.CUDAVisibleDevices(device), true
	}
	if value, ok := devices.Variable(l.assigned, cudaVisibleDevices); ok {
		return devices.CUDAVisibleDevices(variablesOf(l.assigned).expand(value)), true
	}
	if value, ok := variables(p.raw)[cudaVisibleDevices]; ok {
		s = devices.CUDAVisibleDevices(value)
		if files := p.hiddenIn(); files != "" {
			s.Text += "; " + files
		}
		return s, true
	}
	if slices.Contains(p.lists["PassEnvironment"], cudaVisibleDevices) {
		return devices.Unknown(devices.ViaCUDAVisibleDevices, "PassEnvironment="+cudaVisibleDevices), true
	}
	return s, false
}

// hiddenIn names the files that may set CUDA_VISIBLE_DEVICES; systemd tells
// their paths, not what they set.
func (p portrait) hiddenIn() string {
	if len(p.files) == 0 {
		return ""
	}
	var paths []string
	for _, f := range p.files {
		paths = append(paths, f.path)
	}
	return "EnvironmentFile=" + strings.Join(paths, ", ") + " may set " + cudaVisibleDevices
}

// isAbsolute reports whether a choice means the same GPUs whichever of them can
// be opened.
func isAbsolute(s facts.DeviceSelection) bool {
	return !slices.ContainsFunc(s.Devices, func(r facts.DeviceReference) bool {
		return r.Kind != devices.KindUUID && r.Kind != devices.KindMIG
	})
}

// allowed is what the kernel lets the unit open, and whether it is limited at
// all: DevicePolicy=auto limits nothing only as long as no DeviceAllow= stands
// beside it. PrivateDevices= leaves no device node of a GPU.
func (p portrait) allowed() (s facts.DeviceSelection, limited bool) {
	policy := p.text("DevicePolicy")
	switch {
	case p.scalars["PrivateDevices"] == "yes":
		return devices.None(devices.ViaDeviceAllow, "PrivateDevices=yes"), true
	case policy != "closed" && policy != "strict" && len(p.devices) == 0:
		return s, false
	}
	s = devices.None(devices.ViaDeviceAllow, "")
	texts := []string{"DevicePolicy=" + policy}
	for _, d := range p.devices {
		one := devices.Allow(d.Device)
		if !devices.Selects(one) || !opens(d) {
			continue
		}
		s.All = s.All || one.All
		s.Devices = append(s.Devices, one.Devices...)
		texts = append(texts, "DeviceAllow="+strings.TrimSpace(d.Device+" "+d.Permissions))
	}
	if s.All {
		s.Devices = []facts.DeviceReference{}
	}
	s.Text = strings.Join(texts, " ")
	return s, true
}

// opens reports whether the line lets a node be opened, rather than made.
func opens(d facts.DeviceAllow) bool {
	return d.Permissions == "" || strings.ContainsAny(d.Permissions, "rw")
}

// allowsGPU reports whether a DeviceAllow= line is about GPUs, rather than
// about every device there is ("char-*"), as services of the system have it.
func (p portrait) allowsGPU() bool {
	return slices.ContainsFunc(p.devices, func(d facts.DeviceAllow) bool {
		return strings.Contains(d.Device, "nvidia") || d.Device == "char-195" || strings.HasPrefix(d.Device, "/dev/char/195:")
	})
}

// workloads are the programs whose choice of GPUs counts: those that compute on
// them by their command line, else all that the unit runs, else the unit as
// such.
func (p portrait) workloads() []launch {
	var models, others []launch
	for _, l := range p.launches {
		switch {
		case l.isModel():
			models = append(models, l)
		case !slices.Contains(bystanders[:], l.program()):
			others = append(others, l)
		}
	}
	switch {
	case len(models) > 0:
		return models
	case len(others) > 0:
		return others
	}
	return []launch{{}}
}

// sets reports whether the command line sets a variable.
func (l launch) sets(name string) bool {
	_, ok := devices.Variable(l.assigned, name)
	return ok
}

// option is the value of an option, written behind it or after "=".
func (l launch) option(flag string) (value string, ok bool) {
	for i, word := range l.words {
		if v, ok := strings.CutPrefix(word, flag+"="); ok {
			return v, true
		}
		if word == flag && i+1 < len(l.words) {
			return l.words[i+1], true
		}
	}
	return "", false
}

func variablesOf(pairs []string) assignments {
	known := assignments{}
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			known[name] = value
		}
	}
	return known
}
