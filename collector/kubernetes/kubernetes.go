// Package kubernetes reads what a cluster knows of this host: its node, the
// pods on that node, the DaemonSets a GPU node depends on, and what the kubelet
// here has written down about devices.
//
// The cluster is read with get and list alone; the one other request is the
// question what the account may do. A kubeconfig may name a program that
// provides credentials (an exec plugin): client-go then runs it, as kubectl
// does, without giving it a terminal to ask on.
package kubernetes

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// Paths of the parts of the section, as gaps name them.
const (
	nodePath       = "kubernetes.node"
	podsPath       = "kubernetes.pods"
	daemonSetsPath = "kubernetes.daemonSets"
	kubeletPath    = "kubernetes.kubelet"
)

// clusterPaths are the parts that only the cluster can tell.
var clusterPaths = [...]string{nodePath, podsPath, daemonSetsPath}

// raw is what the cluster and the kubelet said, in the API's own types,
// whichever way it was read.
type raw struct {
	server, version string
	access          []facts.Access
	node            finding
	pods            []corev1.Pod
	daemonSets      []appsv1.DaemonSet
	kubelet         facts.Kubelet
	gaps            []facts.Gap
	// read says that the cluster told something.
	read bool
}

func (r *raw) gap(path string, reason facts.Reason, format string, args ...any) {
	r.gaps = append(r.gaps, facts.Gap{Path: path, Reason: reason, Detail: fmt.Sprintf(format, args...)})
}

// list is one collection as far as it could be read.
type list[T any] struct {
	items []T
	// whole says that nothing is missing.
	whole bool
}

// result maps what was read to facts: the one mapping for live and captured.
func (r *raw) result(via string) collector.Result {
	section := facts.Kubernetes{
		Server: r.server, ServerVersion: r.version, Access: r.access,
		NodeFoundBy: r.node.by, Kubelet: r.kubelet,
		Pods: []facts.Pod{}, DaemonSets: []facts.DaemonSet{},
	}
	gaps := r.gaps
	if n := r.node.node; n != nil {
		node, missing := mapNode(n)
		section.Node = &node
		gaps = append(gaps, missing...)
	}
	for i := range r.pods {
		pod, missing := mapPod(&r.pods[i])
		section.Pods = append(section.Pods, pod)
		gaps = append(gaps, missing...)
	}
	for i := range r.daemonSets {
		if set, missing, ok := mapDaemonSet(&r.daemonSets[i]); ok {
			section.DaemonSets = append(section.DaemonSets, set)
			gaps = append(gaps, missing...)
		}
	}
	report := facts.Complete(facts.SourceKubernetes, via)
	report.Detail = r.node.note
	for _, g := range gaps {
		report.AddGap(g)
	}
	report.Status = r.status(report.Gaps)
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.Kubernetes = section }}
}

// status is complete without gaps, partial when something was read, and else
// the reason why the cluster told nothing. What only the means of looking is
// missing for comes last: it says the least.
func (r *raw) status(gaps []facts.Gap) facts.Status {
	switch {
	case len(gaps) == 0:
		return facts.StatusComplete
	case r.read || len(r.kubelet.Registered)+len(r.kubelet.Assigned) > 0:
		return facts.StatusPartial
	}
	for _, g := range gaps {
		if g.Path != kubeletPath && g.Reason != facts.ReasonAbsent && g.Reason != facts.ReasonSkipped {
			return g.Reason.Status()
		}
	}
	return gaps[0].Reason.Status()
}

// proveAbsent is the result where neither a cluster nor a kubelet is here.
func proveAbsent(proof string) collector.Result {
	return collector.Result{
		Report: facts.Absent(facts.SourceKubernetes, "", proof),
		Attach: func(d *facts.Document) { d.Kubernetes = facts.Kubernetes{} },
	}
}

// ended reports whether the time for reading is over.
func ended(ctx context.Context) bool { return ctx.Err() != nil }
