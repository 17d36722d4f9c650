package kubernetes

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// mapDaemonSet keeps the DaemonSets a GPU node depends on; ok is false for
// others.
func mapDaemonSet(s *appsv1.DaemonSet) (set facts.DaemonSet, gaps []facts.Gap, ok bool) {
	role := roleOf([]string{s.Name}, s.Labels)
	if role == roleWorkload {
		role = roleOf(nil, s.Spec.Template.Labels)
	}
	if role == roleWorkload {
		return set, nil, false
	}
	set = facts.DaemonSet{
		Namespace: s.Namespace, Name: s.Name, Role: role,
		NodeSelector: []facts.Label{},
		Desired:      int(s.Status.DesiredNumberScheduled),
		Ready:        int(s.Status.NumberReady),
	}
	for key, value := range s.Spec.Template.Spec.NodeSelector {
		set.NodeSelector = append(set.NodeSelector, facts.Label{Key: key, Value: redact.Text(value)})
	}
	sortedLabels(set.NodeSelector)
	if s.Status.ObservedGeneration == 0 && set.Desired == 0 && s.Status.CurrentNumberScheduled == 0 {
		gaps = append(gaps, facts.Gap{Path: daemonSetsPath, Item: s.Namespace + "/" + s.Name, Reason: facts.ReasonFailed,
			Detail: "DaemonSet " + s.Namespace + "/" + s.Name + ": its status has not been reported"})
	}
	return set, gaps, true
}
