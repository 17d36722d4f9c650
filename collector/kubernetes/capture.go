package kubernetes

import (
	"context"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// Files of a capture: what kubectl get … -o json prints, and a copy of the
// kubelet's checkpoint.
const (
	nodesFile      = "kubernetes/nodes.json"
	podsFile       = "kubernetes/pods.json"
	daemonSetsFile = "kubernetes/daemonsets.json"
	checkpointFile = "kubelet/checkpoint.json"
)

// FromCapture reads a capture. The node is the one named, or is found by the
// identity of the host the capture was taken on.
func FromCapture(dir *capture.Dir, nodeName string) collector.Source {
	return &captured{dir: dir, nodeName: nodeName}
}

type captured struct {
	dir      *capture.Dir
	nodeName string
}

func (s *captured) Name() string { return facts.SourceKubernetes }

// Collect never fails: what could not be read is a gap.
func (s *captured) Collect(context.Context) collector.Result {
	_, noCluster := s.dir.List("kubernetes")
	_, noKubelet := s.dir.List("kubelet")
	if noCluster != nil && noKubelet != nil && noCluster.Reason == facts.ReasonSkipped {
		return collector.Result{
			Report: facts.Missing(facts.SourceKubernetes, "capture", facts.ReasonSkipped, noCluster.Detail),
			Attach: func(d *facts.Document) { d.Kubernetes = facts.Kubernetes{} },
		}
	}
	r := &raw{}
	host := collector.CaptureIdentity(s.dir)

	nodes := readList[corev1.Node](s.dir, r, nodesFile, nodePath, "Node")
	if nodes.read {
		r.node = findNode(nodes.list, host, s.nodeName)
		if r.node.doubt != "" {
			r.gap(nodePath, facts.ReasonFailed, "%s: %s", s.dir.Path(nodesFile), r.node.doubt)
		}
	} else {
		r.node = finding{name: s.nodeName, doubt: "the nodes could not be read"}
	}
	pods := readList[corev1.Pod](s.dir, r, podsFile, podsPath, "Pod")
	if pods.read {
		s.choosePods(r, pods.items, host)
	}
	daemonSets := readList[appsv1.DaemonSet](s.dir, r, daemonSetsFile, daemonSetsPath, "DaemonSet")
	r.daemonSets = daemonSets.items
	r.mayList("", "nodes", nodes.listed)
	r.mayList("", "pods", pods.listed)
	r.mayList("apps", "daemonsets", daemonSets.listed)
	s.readKubelet(r)
	return r.result("capture")
}

// mayList records what the files of a capture prove of the account's
// permissions: a list that was printed was allowed.
func (r *raw) mayList(group, resource string, listed *facts.Access) {
	if listed == nil {
		return
	}
	listed.Verb, listed.Group, listed.Resource = "list", group, resource
	r.access = append(r.access, *listed)
}

func (s *captured) readKubelet(r *raw) {
	text, err := s.dir.Read(checkpointFile)
	if err != nil {
		r.gaps = append(r.gaps, err.Gap(kubeletPath))
	}
	if text == nil {
		return
	}
	k, bad := parseCheckpoint(s.dir.Path(checkpointFile), text)
	if bad != nil {
		r.gap(kubeletPath, facts.ReasonFailed, "%v", bad)
		return
	}
	r.kubelet = k
	if r.node.note != "" && len(k.Registered)+len(k.Assigned) > 0 {
		why := r.node.note + ", but a kubelet has written down devices here: the nodes may be those of another cluster"
		r.gap(nodePath, facts.ReasonFailed, "%s", why)
		r.gap(podsPath, facts.ReasonFailed, "%s", why)
	}
}

// choosePods keeps the pods on this host. A capture may hold those of the
// whole cluster.
func (s *captured) choosePods(r *raw, pods []corev1.Pod, host collector.Identity) {
	node := r.node.name
	if node == "" && !r.node.none() {
		node = nodeOfPods(pods, host)
	}
	if node == "" && !r.node.none() {
		r.gap(podsPath, facts.ReasonFailed, "%s: which pods are on this host is not known, since its node is not: %s", s.dir.Path(podsFile), r.node.doubt)
		return
	}
	r.node.name = node
	for _, p := range pods {
		switch {
		case p.Spec.NodeName == "" && p.Status.Phase == corev1.PodPending:
			// It waits and is on no node.
		case p.Spec.NodeName == "" && !r.node.none():
			if p.Status.Phase != corev1.PodRunning {
				r.gap(podsPath, facts.ReasonFailed, "%s: pod %s/%s does not say which node it is on", s.dir.Path(podsFile), p.Namespace, p.Name)
				continue
			}
			r.pods = append(r.pods, p)
		case p.Spec.NodeName == node && node != "":
			r.pods = append(r.pods, p)
		}
	}
	if len(r.pods) > maxItems {
		r.gap(podsPath, facts.ReasonFailed, "%s: there are more than the %d pods that are read", s.dir.Path(podsFile), maxItems)
		r.pods = r.pods[:maxItems]
	}
}

// nodeOfPods finds this host's node by what the pods say: the address or name
// of theirs.
func nodeOfPods(pods []corev1.Pod, host collector.Identity) string {
	var here []string
	for _, p := range pods {
		n := p.Spec.NodeName
		if n == "" || slices.Contains(here, n) {
			continue
		}
		named := host.HasName(n) && (!host.KnowsAddresses() || p.Status.HostIP == "")
		if host.HasAddress(p.Status.HostIP) || host.HasAddress(strings.TrimPrefix(n, "node-")) || named {
			here = append(here, n)
		}
	}
	if len(here) == 1 {
		return here[0]
	}
	return ""
}
