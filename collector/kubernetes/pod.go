package kubernetes

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// mapPod keeps of a pod who placed it, what it runs and which GPUs it asks for.
func mapPod(p *corev1.Pod) (facts.Pod, []facts.Gap) {
	kind, owner := controller(p)
	pod := facts.Pod{
		UID: string(p.UID), Namespace: p.Namespace, Name: p.Name,
		Phase: string(p.Status.Phase), Reason: p.Status.Reason,
		Manager: podManager(p), OwnerKind: kind, OwnerName: owner, Role: podRole(p),
		HostNetwork: p.Spec.HostNetwork, HostPID: p.Spec.HostPID,
		Ready:         readiness(p),
		StartedAt:     moment(p.Status.StartTime),
		DeletionAt:    moment(p.DeletionTimestamp),
		Labels:        allowed(p.Labels, podLabels),
		Annotations:   allowed(p.Annotations, podAnnotations),
		Containers:    []facts.PodContainer{},
		NodeName:      p.Spec.NodeName,
		SchedulerName: p.Spec.SchedulerName,
		ResourceGroup: first(p.Annotations[tioneGroup], p.Labels[tioneGroup]),
		TaskType:      first(p.Labels[tioneTaskType], p.Annotations[tioneTaskType]),
	}
	if p.Spec.RuntimeClassName != nil {
		pod.RuntimeClass = *p.Spec.RuntimeClassName
	}
	var gaps []facts.Gap
	add := func(c *corev1.Container, init bool, statuses []corev1.ContainerStatus) {
		container, faults := mapContainer(p, c, statuses)
		container.Init = init
		pod.Containers = append(pod.Containers, container)
		for _, f := range faults {
			gaps = append(gaps, facts.Gap{Path: podsPath, Item: pod.UID, Reason: facts.ReasonFailed,
				Detail: "pod " + p.Namespace + "/" + p.Name + ", container " + c.Name + ": " + f})
		}
	}
	for i := range p.Spec.InitContainers {
		add(&p.Spec.InitContainers[i], true, p.Status.InitContainerStatuses)
	}
	for i := range p.Spec.Containers {
		add(&p.Spec.Containers[i], false, p.Status.ContainerStatuses)
	}
	for i := range p.Spec.EphemeralContainers {
		c := corev1.Container(p.Spec.EphemeralContainers[i].EphemeralContainerCommon)
		add(&c, false, p.Status.EphemeralContainerStatuses)
	}
	return pod, gaps
}

func mapContainer(p *corev1.Pod, c *corev1.Container, statuses []corev1.ContainerStatus) (facts.PodContainer, []string) {
	// An extended resource's limit and request are equal; where a dump has
	// only one of them, that one counts.
	limits, faults := resourceItems(c.Resources.Limits)
	if len(limits) == 0 {
		var more []string
		limits, more = resourceItems(c.Resources.Requests)
		faults = append(faults, more...)
	}
	container := facts.PodContainer{
		Name: c.Name, Image: redact.Text(c.Image),
		Args:        redact.Args(append(append([]string{}, c.Command...), c.Args...)),
		Environment: redact.Environment(pairs(c.Env)),
		Limits:      limits,
		Privileged:  c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged,
		GPUs:        selections(p, c, limits),
	}
	for i := range statuses {
		s := &statuses[i]
		if s.Name != c.Name {
			continue
		}
		container.ImageID = redact.Text(s.ImageID)
		container.ContainerID = withoutScheme(s.ContainerID)
		container.Ready = s.Ready
		container.RestartCount = int(s.RestartCount)
		container.State, container.Reason = state(s.State)
	}
	return container, faults
}

// pairs writes an environment as KEY=VALUE. A variable whose value stands
// elsewhere (a secret, a config map) has none here.
func pairs(env []corev1.EnvVar) []string {
	list := make([]string, 0, len(env))
	for _, v := range env {
		if v.ValueFrom != nil {
			list = append(list, v.Name)
			continue
		}
		list = append(list, v.Name+"="+v.Value)
	}
	return list
}

func state(s corev1.ContainerState) (name, reason string) {
	switch {
	case s.Running != nil:
		return "running", ""
	case s.Terminated != nil:
		return "terminated", s.Terminated.Reason
	case s.Waiting != nil:
		return "waiting", s.Waiting.Reason
	}
	return "", ""
}

// readiness is absent where the pod's status does not speak of it.
func readiness(p *corev1.Pod) *bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			ready := c.Status == corev1.ConditionTrue
			return &ready
		}
	}
	return nil
}

func moment(t *metav1.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	utc := t.UTC().Truncate(time.Second)
	return &utc
}

// withoutScheme strips "containerd://".
func withoutScheme(id string) string {
	if _, rest, ok := strings.Cut(id, "://"); ok {
		return rest
	}
	return id
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
