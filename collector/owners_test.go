package collector

import (
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

// TestOwnersOfNestedContainers: what runs in a container within a container is
// no orphan, though no daemon of this host knows the inner one.
func TestOwnersOfNestedContainers(t *testing.T) {
	node, plain, inner := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 64)
	for _, tc := range []struct {
		name          string
		owner         facts.Owner
		manager, says string
	}{
		{"a pod in a node container", facts.Owner{Manager: "kubernetes", ContainerID: inner, PodUID: "u-1", Outer: []string{node}}, "kubernetes", "node-1/pod u-1"},
		{"a pod in a container not known as node", facts.Owner{Manager: "kubernetes", ContainerID: inner, PodUID: "u-1", Outer: []string{plain}}, "kubernetes", "job-1/pod u-1"},
		{"Docker in Docker", facts.Owner{Manager: "docker", ContainerID: inner, Outer: []string{plain}}, "docker", "job-1"},
		{"a bare id that a daemon knows", facts.Owner{Manager: "unknown", ContainerID: plain, Reason: "bare"}, "docker", "job-1"},
		{"a bare id that none knows", facts.Owner{Manager: "unknown", ContainerID: inner, Name: "cccccccccccc", Reason: "bare"}, "unknown", "cccccccccccc"},
		{"nested in what nobody knows", facts.Owner{Manager: "lxc", Name: "ci", ContainerID: inner, Outer: []string{"ci"}}, "lxc", "ci"},
		{"not nested and not known", facts.Owner{Manager: "docker", ContainerID: inner}, "orphan", "cccccccccccc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := &facts.Document{Host: facts.Host{Processes: []facts.Process{{PID: 7, Owner: tc.owner}}}}
			d.Docker.Daemons = []facts.Daemon{{Endpoint: "unix:///d", Engine: "docker", Containers: []facts.Container{
				{ID: node, Name: "node-1", ClusterNode: true}, {ID: plain, Name: "job-1"},
			}}}
			for _, name := range facts.SourceNames() {
				d.SetSource(facts.Complete(name, ""))
			}
			resolveOwners(d)
			o := d.Host.Processes[0].Owner
			if o.Manager != tc.manager || o.Name != tc.says {
				t.Errorf("got %s %q (%s)", o.Manager, o.Name, o.Reason)
			}
		})
	}
}
