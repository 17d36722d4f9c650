package host

import (
	"regexp"
	"slices"
	"strings"
)

// trail is what the segments of one control group path say, from the root to
// the process.
type trail struct {
	path string
	// relative: the path does not start at the root of the host, so what
	// encloses its first segment is not known.
	relative bool
	// managed: the line is of the service manager's own hierarchy.
	managed bool

	kube bool
	// pod is the UID of the outermost pod, the one the host's cluster knows.
	pod string
	// podAt is how many containers stand around the pod.
	podAt      int
	containers []container // outermost first

	// Of the host's own service manager and sessions, outside any container.
	unit, session, scope, helper string
	// user is user@N.service, userUnit a unit of that user's manager.
	user, userUnit string
	userSlice      bool
}

// container is one container (or machine) that a path passes through.
type container struct {
	// kind is the manager ("docker", "podman", "containerd", "lxc"), "cri" for
	// one that Kubernetes made, bareContainer, or what else runs it.
	kind, id, name string
}

// bareContainer is a container of which only the id is known.
const bareContainer = "bare"

var (
	kubeGroup = regexp.MustCompile(`^(?:[a-z0-9_.]+-)*kubepods(?:-[a-z0-9]+)*(?:\.slice)?$`)
	podSlice  = regexp.MustCompile(`^(?:[a-z0-9_.]+-)*kubepods(?:-[a-z0-9]+)*-pod([0-9a-fA-F_-]{8,})\.slice$`)
	podFolder = regexp.MustCompile(`^pod([0-9a-zA-Z_.-]{8,})$`)

	engineScope = regexp.MustCompile(`^(docker|cri-containerd|crio|libpod|libpod-payload|nerdctl|containerd)-([0-9a-f]{12,64})(?:\.scope)?$`)
	conmonScope = regexp.MustCompile(`^(?:libpod|crio)-conmon-[0-9a-f]+(?:\.scope)?$`)
	machine     = regexp.MustCompile(`^(?:machine-(.+)\.scope|systemd-nspawn@(.+)\.service)$`)
	longID      = regexp.MustCompile(`^[0-9a-f]{64}$`)
	podID       = regexp.MustCompile(`^[0-9a-f]{12,64}$`)
	userManager = regexp.MustCompile(`^user@[0-9]+\.service$`)
)

// engines maps the prefix of a scope to the manager of its container.
func engine(prefix string) string {
	switch prefix {
	case "cri-containerd", "crio":
		return "cri"
	case "libpod", "libpod-payload":
		return "podman"
	case "nerdctl", "containerd":
		return "containerd"
	}
	return "docker"
}

// follow reads one path.
func follow(path string, relative bool) *trail {
	t := &trail{path: path, relative: relative}
	segments := expand(path)
	for len(segments) > 0 && segments[0] == ".." {
		t.relative = true
		segments = segments[1:]
	}
	previous := ""
	for i, s := range segments {
		switch {
		case t.enterPod(s):
		case t.enterContainer(s, previous, segments[i:]):
		case len(t.containers) == 0 && !t.kube:
			t.enterUnit(s)
		}
		previous = s
	}
	return t
}

// expand splits a path and writes the colon form, which a runtime leaves when
// its control group driver is not the kubelet's
// ("….slice:cri-containerd:ID"), like the usual one.
func expand(path string) []string {
	var segments []string
	for s := range strings.SplitSeq(path, "/") {
		if parts := strings.Split(s, ":"); len(parts) == 3 {
			segments = append(segments, parts[0], parts[1]+"-"+parts[2]+".scope")
			continue
		}
		segments = append(segments, s)
	}
	return slices.DeleteFunc(segments, func(s string) bool { return s == "" })
}

func (t *trail) enterPod(s string) bool {
	uid := ""
	if m := podSlice.FindStringSubmatch(s); m != nil {
		uid = m[1]
	} else if m := podFolder.FindStringSubmatch(s); m != nil && t.kube {
		uid = m[1]
	} else if !kubeGroup.MatchString(s) {
		return false
	}
	t.enterKube()
	if t.pod == "" {
		t.pod = strings.ReplaceAll(uid, "_", "-")
	}
	return true
}

func (t *trail) enterKube() {
	if !t.kube {
		t.kube, t.podAt = true, len(t.containers)
	}
}

// enterContainer reports whether the segment is a container, or something that
// belongs to one.
func (t *trail) enterContainer(s, previous string, rest []string) bool {
	switch m := engineScope.FindStringSubmatch(s); {
	case m != nil:
		kind := engine(m[1])
		if kind == "cri" {
			t.enterKube()
		}
		t.add(container{kind: kind, id: m[2]})
	case conmonScope.MatchString(s), strings.HasPrefix(s, "lxc.monitor"):
		if len(t.containers) == 0 {
			t.helper = s
		}
	case strings.HasPrefix(s, "lxc.payload."):
		t.add(container{kind: "lxc", name: strings.TrimPrefix(s, "lxc.payload.")})
	case previous == "lxc" || previous == "lxc.payload":
		t.add(container{kind: "lxc", name: s})
	case machine.MatchString(s):
		m := machine.FindStringSubmatch(s)
		t.add(container{kind: "a virtual machine or a container of systemd-machined", name: m[1] + m[2]})
	case previous == "ecs" && len(t.containers) == 0:
		t.add(container{kind: "Amazon ECS", id: rest[len(rest)-1], name: s})
	case previous == "garden" && len(t.containers) == 0:
		t.add(container{kind: "Garden", name: s})
	case (strings.HasPrefix(s, "slurmstepd") || s == "slurm") && len(t.containers) == 0:
		t.add(container{kind: "Slurm", name: strings.Join(rest, "/")})
	case previous == "docker" && s == "buildkit":
		t.add(container{kind: "docker", name: "image build"})
	case t.kube && len(t.containers) == t.podAt && podID.MatchString(s):
		t.add(container{kind: "cri", id: s})
	case longID.MatchString(s):
		kind := t.engineAround(previous)
		if kind == "cri" {
			t.enterKube()
		}
		t.add(container{kind: kind, id: s})
	default:
		return false
	}
	return true
}

// engineAround says which engine names its control groups by the bare id under
// this parent.
func (t *trail) engineAround(parent string) string {
	switch {
	case parent == "docker", len(t.containers) == 0 && parent == "docker.service":
		return "docker"
	case parent == "k8s.io":
		return "cri"
	case parent == "containerd", parent == "default", parent == "buildkit", len(t.containers) == 0 && parent == "containerd.service":
		return "containerd"
	case len(t.containers) == 0 && t.unit == "docker.service":
		return "docker"
	}
	return bareContainer
}

// add notes a container, once: engines put folders of the same name inside.
func (t *trail) add(c container) {
	if n := len(t.containers); n > 0 && c.id != "" && t.containers[n-1].id == c.id {
		return
	}
	if n := len(t.containers); n > 0 && t.containers[0].kind == "Amazon ECS" {
		return
	}
	t.containers = append(t.containers, c)
}

// enterUnit notes units, scopes and sessions of the host.
func (t *trail) enterUnit(s string) {
	switch {
	case userManager.MatchString(s):
		t.user = s
	case strings.HasSuffix(s, ".service") && t.user != "":
		t.userUnit = s
	case strings.HasSuffix(s, ".service"):
		t.unit = s
	case strings.HasPrefix(s, "session-") && strings.HasSuffix(s, ".scope"):
		t.session = s
	case strings.HasSuffix(s, ".scope"):
		t.scope = s
	case s == "user.slice" || strings.HasPrefix(s, "user-") && strings.HasSuffix(s, ".slice"):
		t.userSlice = true
	}
}

// isDaemonUnit reports whether a unit is a container engine, a kubelet or the
// like: what runs in its own control group is the daemon, not a workload.
func isDaemonUnit(unit string) bool {
	name := strings.TrimSuffix(unit, ".service")
	name, _, _ = strings.Cut(name, "@")
	switch name {
	case "docker", "dockerd", "containerd", "podman", "crio", "cri-docker", "buildkit", "buildkitd",
		"kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent", "k0scontroller", "k0sworker", "edged", "edgecore",
		"lxd", "incus", "snap.docker.dockerd", "snap.lxd.daemon":
		return true
	}
	return strings.HasPrefix(name, "snap.microk8s.daemon-")
}
