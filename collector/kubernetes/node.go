package kubernetes

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// mapNode keeps of a node what says what it is and which GPUs it offers. Parts
// of its status that nobody has reported are gaps, not zeros.
func mapNode(n *corev1.Node) (facts.Node, []facts.Gap) {
	var gaps []facts.Gap
	missing := func(part, format string) {
		gaps = append(gaps, facts.Gap{Path: nodePath + "." + part, Reason: facts.ReasonFailed, Detail: "node " + n.Name + ": " + format})
	}
	amounts := func(part string, list corev1.ResourceList) []facts.ResourceItem {
		if list == nil {
			missing(part, "its status has no "+part)
		}
		items, faults := resourceItems(list)
		for _, f := range faults {
			missing(part, f)
		}
		return items
	}
	node := facts.Node{
		Name: n.Name, UID: string(n.UID), ProviderID: redact.Text(n.Spec.ProviderID),
		Labels:        allowed(n.Labels, nodeLabels),
		Taints:        []facts.Taint{},
		Unschedulable: n.Spec.Unschedulable,
		Conditions:    []facts.Condition{},
		Addresses:     []string{},
		Capacity:      amounts("capacity", n.Status.Capacity),
		Allocatable:   amounts("allocatable", n.Status.Allocatable),
		Info: facts.NodeInfo{
			OSImage:                 n.Status.NodeInfo.OSImage,
			KernelVersion:           n.Status.NodeInfo.KernelVersion,
			ContainerRuntimeVersion: n.Status.NodeInfo.ContainerRuntimeVersion,
			KubeletVersion:          n.Status.NodeInfo.KubeletVersion,
			Architecture:            n.Status.NodeInfo.Architecture,
		},
	}
	for _, t := range n.Spec.Taints {
		node.Taints = append(node.Taints, facts.Taint{Key: t.Key, Value: redact.Text(t.Value), Effect: string(t.Effect)})
	}
	for _, c := range n.Status.Conditions {
		node.Conditions = append(node.Conditions, facts.Condition{Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: redact.Text(c.Message)})
	}
	if len(n.Status.Conditions) == 0 {
		missing("conditions", "its status has no conditions")
	}
	if n.Status.NodeInfo == (corev1.NodeSystemInfo{}) {
		missing("info", "its status has no nodeInfo")
	}
	for _, a := range n.Status.Addresses {
		node.Addresses = append(node.Addresses, a.Address)
	}
	return node, gaps
}
