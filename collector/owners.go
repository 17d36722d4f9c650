package collector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// resolveOwners completes the owners that the control groups gave with what the
// daemons and the cluster know: which daemon runs a container, which pod, and
// whether TKE or TI-ONE placed it. A container that no daemon knows is an
// orphan only if every daemon could be asked.
func resolveOwners(d *facts.Document) {
	containers := map[string]known{}
	for i := range d.Docker.Daemons {
		daemon := &d.Docker.Daemons[i]
		for j := range daemon.Containers {
			containers[daemon.Containers[j].ID] = known{daemon, &daemon.Containers[j]}
		}
	}
	pods := map[string]*facts.Pod{}
	for i := range d.Kubernetes.Pods {
		p := &d.Kubernetes.Pods[i]
		pods[p.UID] = p
		// The control group of a static pod carries the hash of its file.
		for _, a := range p.Annotations {
			if a.Key == "kubernetes.io/config.hash" {
				pods[a.Value] = p
			}
		}
	}
	daemonsKnown := !hasGap(d, "docker.daemons")
	podsKnown := !hasGap(d, "kubernetes.pods")
	for i := range d.Host.Processes {
		o := &d.Host.Processes[i].Owner
		inheritEnvironment(&d.Host.Processes[i], containers, d.Systemd.Units)
		if c, ok := containers[o.ContainerID]; ok && o.ContainerID != "" {
			o.Daemon = c.daemon.Endpoint
			if o.Manager == "unknown" {
				// The path gave only the id; now it is known whose it is.
				o.Manager, o.Reason = "docker", ""
			}
			if c.container.PodUID != "" && o.PodUID == "" {
				o.PodUID, o.Manager = c.container.PodUID, "kubernetes"
			}
		}
		_, innerKnown := containers[o.ContainerID]
		outer := outermost(o, containers)
		switch {
		case outer.container != nil && !innerKnown && pods[o.PodUID] == nil:
			resolveNested(o, outer)
		case len(o.Outer) > 0 && !innerKnown && pods[o.PodUID] == nil:
			o.Reason = "it runs in a container inside another one (" + shortID(o.Outer[0]) + "), which no daemon that could be read knows"
			if o.PodUID != "" && o.Name == "" {
				o.Name = "pod " + o.PodUID
			}
		case o.PodUID != "":
			resolvePod(o, pods[o.PodUID], podsKnown)
		case o.ContainerID != "" && (o.Manager == "docker" || o.Manager == "podman"):
			resolveContainer(o, containers[o.ContainerID], daemonsKnown)
		}
	}
}

// inheritEnvironment gives a process whose own environment was not read (a
// capture holds none, for there the secrets are) that which its container or
// unit was started with. What a unit reads from files is not known, so that its
// environment is not either.
func inheritEnvironment(p *facts.Process, containers map[string]known, units []facts.Unit) {
	if len(p.Environment) > 0 {
		return
	}
	if k, ok := containers[p.Owner.ContainerID]; ok {
		p.Environment = slices.Clone(k.container.Environment)
		return
	}
	for _, u := range units {
		if p.Owner.Manager == "systemd" && u.Name == p.Owner.Unit && len(u.EnvironmentFiles) == 0 {
			p.Environment = slices.Clone(u.Environment)
		}
	}
}

// known is a container with the daemon that knows it.
type known struct {
	daemon    *facts.Daemon
	container *facts.Container
}

// outermost is the first of the enclosing containers that a daemon of this host
// knows.
func outermost(o *facts.Owner, containers map[string]known) known {
	for _, id := range o.Outer {
		if k, ok := containers[id]; ok {
			return k
		}
	}
	return known{}
}

// resolveNested names the owner of what runs in a container within a container
// (kind, k3d, Docker in Docker). The daemons of this host know only the outer
// one, so that they do not know the inner one makes it no orphan; and the pods
// in it are of a cluster that need not be the one this host belongs to.
func resolveNested(o *facts.Owner, outer known) {
	o.Daemon = outer.daemon.Endpoint
	if o.PodUID == "" && !outer.container.ClusterNode {
		if outer.daemon.Engine != "" {
			o.Manager = outer.daemon.Engine
		}
		o.Name = outer.container.Name
		return
	}
	o.Manager = "kubernetes"
	o.Name = outer.container.Name
	if o.PodUID != "" {
		o.Name += "/pod " + o.PodUID
	}
	o.Reason = fmt.Sprintf("it runs inside container %s, which is itself a Kubernetes node", outer.container.Name)
}

func resolvePod(o *facts.Owner, p *facts.Pod, allKnown bool) {
	switch {
	case p != nil:
		o.Manager, o.Name, o.PodUID, o.Reason = p.Manager, p.Namespace+"/"+p.Name, p.UID, ""
	case allKnown:
		o.Manager, o.Name = "orphan", "pod "+o.PodUID
		o.Reason = "the control group names a pod that the cluster does not list on this node"
	default:
		o.Manager, o.Name = "kubernetes", "pod "+o.PodUID
		o.Reason = "the pods of this node could not all be listed, so it is not known whether TKE or TI-ONE placed it"
	}
}

func resolveContainer(o *facts.Owner, k known, allKnown bool) {
	switch {
	case k.container != nil:
		o.Name = k.container.Name
		if k.daemon.Engine != "" {
			o.Manager = k.daemon.Engine
		}
		if k.container.ClusterNode {
			o.Manager = "kubernetes"
			o.Reason = fmt.Sprintf("container %s is itself a Kubernetes node", k.container.Name)
		}
	case o.Manager == "podman":
		// Podman needs no daemon, so that none lists it proves nothing.
		o.Name = shortID(o.ContainerID)
		o.Reason = "no Podman socket lists this container"
	case allKnown:
		o.Manager, o.Name = "orphan", shortID(o.ContainerID)
		o.Reason = "the control group names a container that no daemon on this host knows"
	default:
		o.Name = shortID(o.ContainerID)
		o.Reason = "no daemon that could be read knows this container; another one could not be read"
	}
}

// hasGap reports whether part of the document at the dotted path is missing.
func hasGap(d *facts.Document, path string) bool {
	for _, g := range d.Gaps() {
		if g.Touches(path) {
			return true
		}
	}
	return false
}

func shortID(id string) string {
	id = strings.TrimPrefix(id, "sha256:")
	return id[:min(12, len(id))]
}
