package docker

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// keptLabel reports whether a label is kept: it says which tool made the
// container and what it is to that tool. All others may hold anything.
func keptLabel(key string) bool {
	switch key {
	case "app", "PODMAN_SYSTEMD_UNIT",
		"com.docker.compose.project", "com.docker.compose.service", "com.docker.compose.oneoff",
		"com.docker.stack.namespace", "com.docker.swarm.service.name",
		"io.kubernetes.container.name", "io.kubernetes.docker.type",
		"io.kubernetes.pod.name", "io.kubernetes.pod.namespace", "io.kubernetes.pod.uid",
		"io.x-k8s.kind.cluster", "io.x-k8s.kind.role",
		"k3d.cluster", "k3d.role", "orcinus.cluster",
		"created_by.minikube.sigs.k8s.io", "name.minikube.sigs.k8s.io", "role.minikube.sigs.k8s.io",
		"talos.cluster.name", "talos.type",
		"org.opencontainers.image.revision", "org.opencontainers.image.title", "org.opencontainers.image.version":
		return true
	}
	return false
}

// keptLabels filters labels by the allowlist and sorts them by key.
func keptLabels(all map[string]string) []facts.Label {
	labels := []facts.Label{}
	for key, value := range all {
		if keptLabel(key) {
			labels = append(labels, facts.Label{Key: key, Value: redact.Text(value)})
		}
	}
	slices.SortFunc(labels, func(a, b facts.Label) int { return strings.Compare(a.Key, b.Key) })
	return labels
}

// isClusterNode reports whether the container is a Kubernetes node: what runs
// inside belongs to Kubernetes then. kind, k3d and minikube label their nodes
// (and their load balancers and registries, which are none); others are known
// by the distribution they run.
func (c *rawContainer) isClusterNode() bool {
	labels := c.config().Labels
	switch {
	case labels["io.x-k8s.kind.role"] != "":
		return oneOf(labels["io.x-k8s.kind.role"], "control-plane", "worker")
	case labels["k3d.role"] != "":
		return oneOf(labels["k3d.role"], "server", "agent")
	case labels["created_by.minikube.sigs.k8s.io"] == "true":
		return labels["name.minikube.sigs.k8s.io"] != ""
	case labels["talos.type"] != "":
		return oneOf(labels["talos.type"], "controlplane", "init", "worker")
	}
	return c.runsKubelet()
}

// distribution finds a Kubernetes distribution in the name of an image.
var distribution = regexp.MustCompile(`(^|[/._-])(k3s|rke2|k0s)([._-]|$)`)

// runsKubelet reports whether the command is a kubelet, or a distribution of
// Kubernetes that contains one.
func (c *rawContainer) runsKubelet() bool {
	args := c.args()
	for i, a := range args[:min(2, len(args))] {
		program := path.Base(a)
		if program == "kubelet" {
			return true
		}
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		if oneOf(program, "k3s", "rke2", "k0s") && oneOf(next, "server", "agent", "controller", "worker") {
			return true
		}
	}
	image := c.config().Image
	if image == "" {
		image = c.ImageName
	}
	name, _, _ := strings.Cut(image, "@")
	if slash := strings.LastIndexByte(name, '/'); strings.LastIndexByte(name, ':') > slash {
		name = name[:strings.LastIndexByte(name, ':')]
	}
	return distribution.MatchString(path.Base(name)) && len(args) > 0 && oneOf(args[0], "server", "agent", "controller", "worker")
}

func oneOf(s string, all ...string) bool { return slices.Contains(all, s) }

var (
	// podUID is a UID as the API server makes it, or the hash of a static pod.
	podUID = regexp.MustCompile(`^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$`)
	// podParent is the control group of a pod, in either driver's spelling.
	podParent = regexp.MustCompile(`kubepods.*[/-]pod([0-9a-f]{8}[0-9a-f_-]{23,28})(\.slice)?/?$`)
)

// podUID is the UID of the pod the container is part of, or empty.
func (c *rawContainer) podUID() string {
	if uid := c.config().Labels["io.kubernetes.pod.uid"]; podUID.MatchString(uid) {
		return uid
	}
	if m := podParent.FindStringSubmatch(c.hostConfig().CgroupParent); m != nil {
		if uid := strings.ReplaceAll(m[1], "_", "-"); podUID.MatchString(uid) {
			return uid
		}
	}
	return ""
}
