package host

import (
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// ParseCgroup says who owns a process, from the text of its /proc/PID/cgroup.
//
// All lines are read and the most specific answer counts, since a manager need
// not have moved the process in every hierarchy. Within a path the order is:
//
//  1. kubepods anywhere: a Kubernetes pod, also when the container in it is
//     Docker's, and also when a container around it is the node (kind, k3d).
//  2. A container. The outermost one decides whose it is, for the managers of
//     the host know only that one; ContainerID is the innermost, Outer the
//     others. A unit inside a container is not the host's.
//  3. The last *.service of the host's service manager: a unit, or a daemon
//     when it is the container engine or kubelet itself.
//  4. A login session, or a unit of a user's own service manager
//     (user@N.service): "session", for the host's service manager neither knows
//     nor stops it.
//
// What remains is "unknown" with the reason. Names are kept as systemd writes
// them, escapes included, so that they can be given to systemctl. The answer
// is completed later with what the daemons and the cluster know.
func ParseCgroup(lines string) facts.Owner { return parseCgroup(lines, false) }

// parseCgroup is ParseCgroup; relative says that the reader has a control group
// namespace of its own, so that no path starts at the root of the host.
func parseCgroup(lines string, relative bool) facts.Owner {
	var best *trail
	for line := range strings.SplitSeq(lines, "\n") {
		controllers, path, ok := splitLine(line)
		if !ok {
			continue
		}
		t := follow(path, relative)
		// The service manager moves processes in its own hierarchy; the
		// others may lag behind.
		t.managed = controllers == "" || controllers == "name=systemd"
		if best == nil || t.beats(best) {
			best = t
		}
	}
	if best == nil {
		return facts.Owner{Manager: "unknown", Reason: "its control group is not known: no line has the form ID:CONTROLLERS:PATH"}
	}
	return best.owner()
}

// splitLine takes a line such as "4:memory:/system.slice/x.service" apart.
func splitLine(line string) (controllers, path string, ok bool) {
	id, rest, ok1 := strings.Cut(strings.TrimSpace(line), ":")
	controllers, path, ok2 := strings.Cut(rest, ":")
	if !ok1 || !ok2 || path == "" || strings.Trim(id, "0123456789") != "" {
		return "", "", false
	}
	// The group of a zombie may be gone already.
	path = strings.TrimSuffix(path, " (deleted)")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return controllers, path, true
}

// rank orders answers by how specific they are.
func (t *trail) rank() int {
	switch {
	case t.kube:
		return 5
	case len(t.containers) > 0 && t.containers[0].kind != bareContainer:
		return 4
	case len(t.containers) > 0:
		return 3
	case t.unit != "" || t.user != "" || t.session != "" || t.helper != "":
		return 2
	case t.scope != "" || t.userSlice:
		return 1
	}
	return 0
}

func (t *trail) beats(o *trail) bool {
	if a, b := t.rank(), o.rank(); a != b {
		return a > b
	}
	if a, b := t.pod != "", o.pod != ""; a != b {
		return a
	}
	if a, b := len(t.containers), len(o.containers); a != b {
		return a > b
	}
	if t.managed != o.managed {
		return t.managed
	}
	// Of two that say nothing, keep the one with words in it.
	return t.rank() == 0 && len(t.path) > len(o.path)
}

// owner puts the findings of one path into the document's form.
func (t *trail) owner() facts.Owner {
	o := facts.Owner{Cgroup: t.path}
	switch {
	case t.kube:
		t.podOwner(&o)
	case len(t.containers) > 0:
		t.containerOwner(&o)
	case t.helper != "":
		o.Manager, o.Name = "daemon", t.helper
		o.Reason = "it watches over a container and is not the container itself"
	case t.relative && t.unit != "":
		o.Manager, o.Name, o.Unit = "unknown", t.unit, t.unit
		o.Reason = "gpugate sees control groups from inside a namespace of its own, so what encloses the unit is not known; run it on the host or with --cgroupns=host"
	default:
		t.unitOwner(&o)
	}
	return o
}

func (t *trail) podOwner(o *facts.Owner) {
	o.Manager, o.PodUID = "kubernetes", t.pod
	outer := t.containers
	if len(t.containers) > t.podAt {
		last := len(t.containers) - 1
		o.ContainerID, outer = t.containers[last].id, t.containers[:last]
	}
	o.Outer = names(outer)
	if t.pod == "" {
		o.Name = shortID(o.ContainerID)
		o.Reason = "the control group is one of Kubernetes but names no pod"
	}
}

func (t *trail) containerOwner(o *facts.Owner) {
	first, last := t.containers[0], t.containers[len(t.containers)-1]
	o.Manager, o.Name = first.kind, shortID(last.id)
	o.ContainerID, o.Outer = last.id, names(t.containers[:len(t.containers)-1])
	switch first.kind {
	case "docker", "podman", "containerd":
		if last.id == "" {
			o.Name = last.name
		}
		if t.unit != "" && !t.relative && !isDaemonUnit(t.unit) {
			o.Unit = t.unit
		}
	case "lxc":
		o.Name = first.name
	case bareContainer:
		o.Manager = "unknown"
		o.Reason = "the control group is named by a container's id, but not which engine runs it"
	default:
		o.Manager, o.Name = "unknown", first.name
		o.Reason = first.kind + " runs it, which is none of the parties a GPU may belong to"
	}
}

func (t *trail) unitOwner(o *facts.Owner) {
	switch {
	case t.user != "":
		inner := t.userUnit
		if inner == "" {
			inner = t.scope
		}
		o.Manager, o.Name = "session", strings.TrimSuffix(t.user+"/"+inner, "/")
		if isDaemonUnit(t.userUnit) {
			// A rootless engine without control groups of its own keeps
			// its containers here too.
			o.Manager, o.Reason = "daemon", "it is in the control group of a user's container engine: the engine itself, or a container that got no group of its own"
		}
	case t.session != "":
		o.Manager, o.Name = "session", t.session
	case isDaemonUnit(t.unit):
		o.Manager, o.Name, o.Unit = "daemon", t.unit, t.unit
	case t.unit != "":
		o.Manager, o.Name, o.Unit = "systemd", t.unit, t.unit
	case t.scope == "init.scope":
		o.Manager, o.Name, o.Unit = "daemon", t.scope, t.scope
	case t.scope != "":
		o.Manager, o.Name, o.Unit = "unknown", t.scope, t.scope
		o.Reason = "the control group is a scope: its processes were started by something else and put there"
	case t.userSlice:
		o.Manager, o.Name = "session", "user.slice"
	case strings.Trim(t.path, "/.") == "":
		o.Manager = "unknown"
		o.Reason = "the control group is the root as seen from a private control group namespace, or no manager put the process into one"
	default:
		o.Manager = "unknown"
		o.Reason = "the control group names neither a unit, a container, a pod nor a session"
	}
}

// names lists containers by id, or by name where they have none.
func names(containers []container) []string {
	var list []string
	for _, c := range containers {
		if c.id != "" {
			list = append(list, c.id)
		} else {
			list = append(list, c.name)
		}
	}
	return list
}

func shortID(id string) string { return id[:min(12, len(id))] }
