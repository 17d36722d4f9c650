package logs

import (
	"slices"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

// target is one log to read.
type target struct {
	kind, name string
	// endpoint and id are those of a container; namespace, pod and container are
	// where a pod's log is.
	endpoint, id              string
	namespace, pod, container string
	// started is when the present run began, where that is known.
	started *time.Time
}

// targets are the logs that can tell of a GPU service: of what the manifest
// names, of what holds a GPU and of what may use one; and the kernel's.
func targets(d *facts.Document) []target {
	s := selected(d)
	list := []target{{kind: KindKernel, name: KindKernel}}
	for _, u := range d.Systemd.Units {
		if s.unit(u) {
			list = append(list, target{kind: KindUnit, name: u.Name, started: u.StartedAt})
		}
	}
	for _, daemon := range d.Docker.Daemons {
		for _, c := range daemon.Containers {
			if s.wantsContainer(daemon, c) {
				list = append(list, target{kind: KindContainer, name: c.Name, endpoint: daemon.Endpoint, id: c.ID, started: c.StartedAt})
			}
		}
	}
	for _, p := range d.Kubernetes.Pods {
		for _, c := range p.Containers {
			if s.wantsPod(p, c) {
				list = append(list, target{kind: KindPod, name: p.Namespace + "/" + p.Name + "/" + c.Name, namespace: p.Namespace, pod: p.Name, container: c.Name})
			}
		}
	}
	return list
}

// selection says whose logs are looked at.
type selection struct {
	// services of the manifest.
	services []facts.Service
	// owners of the processes on the GPUs.
	owners []facts.Owner
	// assigned are the devices the kubelet gave to pods.
	assigned []facts.AssignedDevices
}

func selected(d *facts.Document) selection {
	s := selection{assigned: d.Kubernetes.Kubelet.Assigned}
	if d.Launch.Manifest != nil {
		s.services = d.Launch.Manifest.Services
	}
	for _, p := range d.Host.Processes {
		if slices.ContainsFunc(d.NVML.Processes, func(g facts.GPUProcess) bool { return g.PID == p.PID }) {
			s.owners = append(s.owners, p.Owner)
		}
	}
	return s
}

func (s selection) declared(is func(facts.Runtime) bool) bool {
	return slices.ContainsFunc(s.services, func(v facts.Service) bool { return is(v.Runtime) })
}

// unit leaves out units that only start a container, whose log is the
// container's, and those that are not there: a service of another image.
func (s selection) unit(u facts.Unit) bool {
	if u.LoadState == "not-found" {
		return false
	}
	bare := strings.TrimSuffix(u.Name, ".service")
	if s.declared(func(r facts.Runtime) bool {
		return r.Systemd != nil && strings.TrimSuffix(r.Systemd.Unit, ".service") == bare
	}) {
		return true
	}
	if slices.ContainsFunc(s.owners, func(o facts.Owner) bool {
		return o.Manager == "systemd" && strings.TrimSuffix(o.Unit, ".service") == bare
	}) {
		return true
	}
	return u.Role == "model" && u.Wraps == nil && u.ActiveState != "inactive"
}

func (s selection) wantsContainer(d facts.Daemon, c facts.Container) bool {
	if c.State == "created" || c.PodUID != "" || c.ClusterNode {
		return false // it has never run, or its log is that of a pod
	}
	return slices.ContainsFunc(c.GPUs, devices.Selects) ||
		slices.ContainsFunc(s.owners, func(o facts.Owner) bool { return o.ContainerID == c.ID }) ||
		s.declared(func(r facts.Runtime) bool {
			return r.Docker != nil && r.Docker.Container == c.Name && (r.Docker.Host == "" || r.Docker.Host == d.Endpoint)
		})
}

func (s selection) wantsPod(p facts.Pod, c facts.PodContainer) bool {
	return slices.ContainsFunc(c.GPUs, devices.Selects) ||
		slices.ContainsFunc(s.assigned, func(a facts.AssignedDevices) bool { return a.PodUID == p.UID && a.Container == c.Name }) ||
		slices.ContainsFunc(s.owners, func(o facts.Owner) bool { return o.PodUID == p.UID && o.ContainerID == c.ContainerID }) ||
		s.declared(func(r facts.Runtime) bool {
			k := r.Kubernetes
			return k != nil && k.Namespace == p.Namespace && (k.Workload == p.Name || k.Workload == p.OwnerName) && (k.Container == "" || k.Container == c.Name)
		})
}
