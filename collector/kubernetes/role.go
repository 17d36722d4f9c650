package kubernetes

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Roles of pods and DaemonSets.
const (
	roleDevicePlugin = "device-plugin"
	roleCNI          = "cni"
	roleKubeProxy    = "kube-proxy"
	roleMonitoring   = "monitoring"
	roleWorkload     = "workload"
)

// rolesByName are tried in order against names and name labels. What belongs
// to NVIDIA's operator beside the device plugin prepares or watches GPUs and
// does no work on them: it counts as monitoring, so that its presence is not
// taken for that of the plugin.
var rolesByName = []struct {
	role string
	name *regexp.Regexp
}{
	{roleMonitoring, regexp.MustCompile(`^(nvidia-)?(dcgm|node-status-exporter)|gpu-feature-discovery|nvidia-(operator-validator|mig-manager|driver-daemonset|container-toolkit|cuda-validator)|mps-control-daemon|node-feature-discovery`)},
	{roleDevicePlugin, regexp.MustCompile(`device-plugin|^nvdp($|-)|^gpu-manager|^qgpu-manager|^(nano-)?gpu-agent`)},
	{roleCNI, regexp.MustCompile(`^(tke-bridge-agent|tke-eni-agent|tke-cni|tke-route-eni|flannel|kube-flannel|cilium|calico|canal|weave-net|antrea|kube-router|kube-ovn|multus|kube-multus|ip-masq|whereabouts|aws-node|terway|kindnet)`)},
	{roleKubeProxy, regexp.MustCompile(`^kube-proxy`)},
	{roleMonitoring, regexp.MustCompile(`node-exporter|dcgm-exporter|^tke-monitor|^tke-log|^prometheus|^kube-state-metrics|^node-problem-detector|^fluent|^filebeat|^promtail|^datadog|^telegraf|gpu-exporter`)},
}

// nameLabels are the labels in which a component names itself.
var nameLabels = []string{"app.kubernetes.io/name", "app.kubernetes.io/component", "app", "k8s-app", "name", "component"}

// podRole classifies a pod. A role is given only to what runs as part of the
// cluster (by a DaemonSet, as a static pod, or in a system namespace), so that
// a model service does not become infrastructure by its name.
func podRole(p *corev1.Pod) string {
	kind, owner := controller(p)
	names := []string{p.Name}
	if owner != "" {
		names = append(names, owner)
	}
	if kind != "DaemonSet" && kind != "Node" && !isSystemNamespace(p.Namespace) {
		return roleWorkload
	}
	return roleOf(names, p.Labels)
}

// roleOf classifies by names and labels; what fits nothing is a workload.
func roleOf(names []string, labels map[string]string) string {
	for _, label := range nameLabels {
		if v := labels[label]; v != "" {
			names = append(names, v)
		}
	}
	for _, r := range rolesByName {
		if slices.ContainsFunc(names, r.name.MatchString) {
			return r.role
		}
	}
	return roleWorkload
}

func isSystemNamespace(ns string) bool {
	return strings.HasSuffix(ns, "-system") || slices.Contains([]string{"gpu-operator", "nvidia-gpu-operator", "nvidia-device-plugin", "kube-flannel", "monitoring"}, ns)
}

// controller is who made the pod.
func controller(p *corev1.Pod) (kind, name string) {
	for _, o := range p.OwnerReferences {
		if kind == "" || o.Controller != nil && *o.Controller {
			kind, name = o.Kind, o.Name
		}
	}
	return kind, name
}

// Marks of TI-ONE on the pods it places.
const (
	tioneLabels      = "ti.cloud.tencent.com/"
	tioneRegistry    = "tione.tencentcloudcr.com/"
	tioneTaskType    = "ti.cloud.tencent.com/task-type"
	tioneGroup       = "ti.cloud.tencent.com/resourcegroup-id"
	managerTKE       = "tke"
	managerTIONE     = "ti-one"
	tioneOwnerLabel  = "owner"
	tioneOwnerMarker = "tiems"
)

// tioneNamespace is how TI-ONE calls the namespaces of its services: by the
// account's number.
var tioneNamespace = regexp.MustCompile(`^infer-[0-9]+$`)

// podManager says which party placed a pod: TI-ONE where labels, annotations,
// namespace or image show it, else the cluster's own.
func podManager(p *corev1.Pod) string {
	marked := func(m map[string]string) bool {
		for key := range m {
			if strings.HasPrefix(key, tioneLabels) {
				return true
			}
		}
		return false
	}
	if p.Labels[tioneOwnerLabel] == tioneOwnerMarker || marked(p.Labels) || marked(p.Annotations) || tioneNamespace.MatchString(p.Namespace) {
		return managerTIONE
	}
	if slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool { return strings.HasPrefix(c.Image, tioneRegistry) }) {
		return managerTIONE
	}
	return managerTKE
}
