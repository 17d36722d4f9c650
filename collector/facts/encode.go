package facts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// Write writes the document in its one canonical form: sorted, indented by two
// spaces, without empty collections left out. The same host state gives the
// same bytes.
func (d *Document) Write(w io.Writer) error {
	b, err := d.Marshal()
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the facts document: %w", err)
	}
	return nil
}

// Marshal returns the canonical form that [Document.Write] writes.
func (d *Document) Marshal() ([]byte, error) {
	d.Normalize()
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the facts document: %w", err)
	}
	return EscapeControls(append(b, '\n')), nil
}

// Normalize sorts every collection by its stable id, turns nil collections
// into empty ones and times into UTC seconds.
func (d *Document) Normalize() {
	d.CollectedAt = d.CollectedAt.UTC()
	order := SourceNames()
	slices.SortFunc(d.Sources, func(a, b Source) int {
		return cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name))
	})
	for i := range d.Sources {
		slices.SortFunc(d.Sources[i].Gaps, compareGaps)
	}
	d.Host.normalize()
	d.NVML.normalize()
	d.Docker.normalize()
	d.Systemd.normalize()
	d.Kubernetes.normalize()
	if g := d.TIONE.ResourceGroup; g != nil {
		slices.SortFunc(g.Instances, by(func(i Instance) string { return i.ID }))
		slices.Sort(g.BorrowedGroups)
	}
	slices.SortFunc(d.Launch.Evidence, by(func(e Evidence) string { return e.Reference }))
	d.Logs.normalize()
	d.Probes.normalize()
	slices.SortFunc(d.Samples.Answers, by(func(s Sample) string { return s.File }))
	slices.SortFunc(d.Origins, by(func(o Origin) string { return o.Pointer }))
	for i := range d.Origins {
		slices.SortStableFunc(d.Origins[i].Positions, by(func(p Position) string { return p.Pointer }))
	}
	fillNil(reflect.ValueOf(d).Elem())
}

func (h *Host) normalize() {
	slices.SortFunc(h.Mounts, by(func(m Mount) string { return m.Path }))
	slices.Sort(h.Addresses)
	slices.SortFunc(h.Listeners, func(a, b Listener) int {
		return cmp.Or(cmp.Compare(a.Port, b.Port), cmp.Compare(a.Address, b.Address))
	})
	for i := range h.Listeners {
		slices.SortFunc(h.Listeners[i].Processes, func(a, b ListenerProcess) int { return cmp.Compare(a.PID, b.PID) })
	}
	slices.SortFunc(h.Residue, by(func(r Residue) string { return r.Path }))
	slices.SortFunc(h.NVIDIADevices, by(func(n NVIDIADevice) string { return n.Path }))
	slices.Sort(h.PCIGPUs)
	slices.SortFunc(h.Processes, func(a, b Process) int { return cmp.Compare(a.PID, b.PID) })
	for i := range h.Processes {
		sortEnvironment(h.Processes[i].Environment)
	}
	slices.SortFunc(h.DeviceHolders, by(func(d DeviceHolder) string { return d.Path }))
	for i := range h.DeviceHolders {
		slices.Sort(h.DeviceHolders[i].PIDs)
	}
}

func (n *NVML) normalize() {
	slices.SortFunc(n.GPUs, by(func(g GPU) string { return g.UUID }))
	for i := range n.GPUs {
		slices.SortFunc(n.GPUs[i].MIGDevices, func(a, b MIGDevice) int { return cmp.Or(cmp.Compare(a.UUID, b.UUID), cmp.Compare(a.Index, b.Index)) })
		slices.SortFunc(n.GPUs[i].NVLinks, func(a, b NVLink) int { return cmp.Compare(a.Link, b.Link) })
	}
	slices.SortFunc(n.Processes, func(a, b GPUProcess) int {
		return cmp.Or(cmp.Compare(a.GPU, b.GPU), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Type, b.Type),
			cmp.Compare(deref(a.GPUInstanceID), deref(b.GPUInstanceID)),
			cmp.Compare(deref(a.ComputeInstanceID), deref(b.ComputeInstanceID)))
	})
}

func (d *Docker) normalize() {
	slices.SortFunc(d.Daemons, by(func(d Daemon) string { return d.Endpoint }))
	for i := range d.Daemons {
		slices.Sort(d.Daemons[i].Runtimes)
		slices.SortFunc(d.Daemons[i].Containers, by(func(c Container) string { return c.ID }))
		for j := range d.Daemons[i].Containers {
			c := &d.Daemons[i].Containers[j]
			slices.Sort(c.RepoDigests)
			sortEnvironment(c.Environment)
			sortLabels(c.Labels)
			slices.SortFunc(c.Mounts, by(func(m ContainerMount) string { return m.Destination }))
			slices.SortFunc(c.Ports, func(a, b PublishedPort) int {
				return cmp.Or(cmp.Compare(a.ContainerPort, b.ContainerPort), cmp.Compare(a.Protocol, b.Protocol),
					cmp.Compare(a.HostAddress, b.HostAddress), cmp.Compare(a.HostPort, b.HostPort))
			})
		}
	}
}

func (s *Systemd) normalize() {
	slices.SortFunc(s.Units, by(func(u Unit) string { return u.Name }))
	for i := range s.Units {
		sortEnvironment(s.Units[i].Environment)
	}
}

func (k *Kubernetes) normalize() {
	slices.SortFunc(k.Access, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Verb, b.Verb))
	})
	if n := k.Node; n != nil {
		sortLabels(n.Labels)
		slices.SortFunc(n.Taints, by(func(t Taint) string { return t.Key + t.Effect }))
		slices.SortFunc(n.Conditions, by(func(c Condition) string { return c.Type }))
		slices.Sort(n.Addresses)
		sortResources(n.Capacity)
		sortResources(n.Allocatable)
	}
	slices.SortFunc(k.Pods, func(a, b Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for i := range k.Pods {
		p := &k.Pods[i]
		sortLabels(p.Labels)
		sortLabels(p.Annotations)
		for j := range p.Containers {
			sortEnvironment(p.Containers[j].Environment)
			sortResources(p.Containers[j].Limits)
		}
	}
	slices.SortFunc(k.DaemonSets, func(a, b DaemonSet) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for i := range k.DaemonSets {
		sortLabels(k.DaemonSets[i].NodeSelector)
	}
	slices.SortFunc(k.Kubelet.Registered, by(func(r RegisteredDevices) string { return r.Resource }))
	for i := range k.Kubelet.Registered {
		slices.Sort(k.Kubelet.Registered[i].IDs)
	}
	slices.SortFunc(k.Kubelet.Assigned, func(a, b AssignedDevices) int {
		return cmp.Or(cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.Container, b.Container), cmp.Compare(a.Resource, b.Resource))
	})
	for i := range k.Kubelet.Assigned {
		slices.Sort(k.Kubelet.Assigned[i].IDs)
	}
}

func (l *Logs) normalize() {
	slices.SortFunc(l.Streams, func(a, b LogStream) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	for i := range l.Streams {
		slices.SortFunc(l.Streams[i].Signals, by(func(s LogSignal) string { return s.Name }))
	}
}

func (p *Probes) normalize() {
	slices.SortFunc(p.Answers, func(a, b Probe) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.URL, b.URL))
	})
	for i := range p.Answers {
		if c := p.Answers[i].Certificate; c != nil {
			slices.Sort(c.Names)
		}
	}
}

func sortEnvironment(e []EnvironmentVariable) {
	slices.SortFunc(e, by(func(v EnvironmentVariable) string { return v.Name }))
}

func sortLabels(l []Label) { slices.SortFunc(l, by(func(l Label) string { return l.Key })) }

func sortResources(r []ResourceItem) {
	slices.SortFunc(r, by(func(r ResourceItem) string { return r.Resource }))
}

func compareGaps(a, b Gap) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Detail, b.Detail))
}

// by orders by one text key.
func by[T any](key func(T) string) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(key(a), key(b)) }
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// fillNil replaces nil slices by empty ones wherever they would be written, so
// that "none" is always [] and never null.
func fillNil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillNil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillNil(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillNil(v.Index(i))
		}
	}
}
