package facts

import (
	"fmt"
	"slices"
)

// Reconcile records as gaps what a document says against itself. It may have
// been written by another program, or by hand: a source that failed and names
// no gap, or a section that is empty while another shows what it must hold,
// must not read as "there is none". It adds gaps and changes no fact.
func (d *Document) Reconcile() {
	for _, name := range SourceNames() {
		s := d.Source(name)
		switch s.Status {
		case StatusDenied, StatusTimeout, StatusFailed, StatusSkipped:
			if len(s.Gaps) == 0 {
				s.Gaps = append(s.Gaps, Gap{Path: name, Reason: Reason(s.Status), Detail: fmt.Sprintf("the %s source is reported as %s", name, s.Status)})
			}
		case StatusComplete, StatusPartial, StatusAbsent:
		}
		d.SetSource(s)
	}
	d.doubt(SourceNVML, "nvml.gpus", d.cardsUnlisted())
	d.doubt(SourceNVML, "nvml.processes", d.cardsUnlisted())
	for _, daemon := range d.Docker.Daemons {
		switch daemon.Status {
		case StatusDenied, StatusTimeout, StatusFailed, StatusSkipped:
			d.doubt(SourceDocker, "docker.daemons", fmt.Sprintf("the daemon at %s is reported as %s", daemon.Endpoint, daemon.Status))
		case StatusComplete, StatusPartial, StatusAbsent:
		}
	}
	d.doubt(SourceDocker, "docker.daemons", d.containersUnlisted())
	if s := d.Source(SourceKubernetes); s.Status == StatusAbsent {
		d.doubt(SourceKubernetes, SourceKubernetes, d.kubeletSeen())
	}
}

// doubt adds a gap at the path unless the source has one there already.
func (d *Document) doubt(source, path, why string) {
	s := d.Source(source)
	if why == "" || slices.ContainsFunc(s.Gaps, func(g Gap) bool { return g.Item == "" && g.Touches(path) }) {
		return
	}
	s.AddGap(Gap{Path: path, Reason: ReasonFailed, Detail: why})
	d.SetSource(s)
}

// cardsUnlisted tells of cards that the host shows and the driver does not.
func (d *Document) cardsUnlisted() string {
	if len(d.NVML.GPUs) > 0 {
		return ""
	}
	nodes := 0
	for _, n := range d.Host.NVIDIADevices {
		if n.Minor != nil {
			nodes++
		}
	}
	if len(d.Host.PCIGPUs) == 0 && nodes == 0 {
		return ""
	}
	return fmt.Sprintf("the driver lists no GPU, but the host shows %d on its PCI bus and %d device nodes", len(d.Host.PCIGPUs), nodes)
}

// containersUnlisted tells of containers that run processes on a GPU and that no
// daemon lists, though a daemon is named as theirs.
func (d *Document) containersUnlisted() string {
	for _, p := range d.Host.Processes {
		o := p.Owner
		if o.Manager != "docker" || o.Daemon == "" || o.ContainerID == "" || len(o.Outer) > 0 {
			continue
		}
		if !slices.ContainsFunc(d.Docker.Daemons, func(daemon Daemon) bool {
			return slices.ContainsFunc(daemon.Containers, func(c Container) bool { return c.ID == o.ContainerID })
		}) {
			return fmt.Sprintf("PID %d runs in container %s of %s, which no daemon of the document lists", p.PID, o.Name, o.Daemon)
		}
	}
	return ""
}

// kubeletPort is where a kubelet listens.
const kubeletPort = 10250

// kubeletSeen tells of a kubelet on a host that is said to have none.
func (d *Document) kubeletSeen() string {
	for _, u := range d.Systemd.Units {
		if u.Role == "cluster" && (u.ActiveState == "active" || u.ActiveState == "activating") {
			return fmt.Sprintf("the cluster is reported as absent, but unit %s is active", u.Name)
		}
	}
	for _, l := range d.Host.Listeners {
		if l.Port == kubeletPort {
			return fmt.Sprintf("the cluster is reported as absent, but something listens on the kubelet's port %d", kubeletPort)
		}
	}
	return ""
}
