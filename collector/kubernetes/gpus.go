package kubernetes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

// visibleDevices is the variable NVIDIA's runtime reads.
const visibleDevices = "NVIDIA_VISIBLE_DEVICES"

// selections are the ways in which a container gets GPUs: what it asks of the
// scheduler, and what goes past it. What its image says is not known here.
func selections(p *corev1.Pod, c *corev1.Container, limits []facts.ResourceItem) []facts.DeviceSelection {
	list := requests(limits)
	for _, claim := range c.Resources.Claims {
		// Whether a claim of dynamic resource allocation is one of a GPU
		// stands in objects that are not read.
		list = append(list, devices.Unknown(devices.ViaResourceLimit, "resource claim "+claim.Name))
	}
	if s, ok := fromEnvironment(c); ok {
		list = append(list, s)
	}
	if c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged {
		list = append(list, devices.All(devices.ViaPrivileged, "privileged: true"))
	}
	for _, m := range c.VolumeMounts {
		path := hostPath(p, m.Name)
		if path == "" {
			continue
		}
		if s := devices.Node(path); devices.Selects(s) {
			s.Via = devices.ViaMount
			list = append(list, s)
		}
	}
	if list == nil {
		return []facts.DeviceSelection{}
	}
	return list
}

// fromEnvironment reads NVIDIA_VISIBLE_DEVICES. A value that is taken from
// somewhere else is not known, which is not the same as none.
func fromEnvironment(c *corev1.Container) (facts.DeviceSelection, bool) {
	for _, v := range slices.Backward(c.Env) {
		if v.Name == visibleDevices && v.ValueFrom != nil {
			return devices.Unknown(devices.ViaVisibleDevices, "valueFrom"), true
		}
		if v.Name == visibleDevices {
			break
		}
	}
	return devices.Environment(pairs(c.Env))
}

func hostPath(p *corev1.Pod, volume string) string {
	for _, v := range p.Spec.Volumes {
		if v.Name == volume && v.HostPath != nil {
			return v.HostPath.Path
		}
	}
	return ""
}
