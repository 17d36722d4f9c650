package kubernetes

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// Labels and annotations are kept by allowlist: those that say what a node is,
// what placed a pod and what it does with GPUs. Entries that end in a slash are
// prefixes.
var (
	nodeLabels = []string{
		"nvidia.com/", "amd.com/", "nvidia-device-enable", "qgpu-device-enable",
		"kubernetes.io/", "node.kubernetes.io/", "beta.kubernetes.io/", "topology.kubernetes.io/", "node-role.kubernetes.io/",
		"tke.cloud.tencent.com/", "node.tke.cloud.tencent.com/", "externalnode.tke.cloud.tencent.com/", "cloud.tencent.com/", "ti.cloud.tencent.com/",
		"infra.tce.io/", "hami.io/", "gpu",
	}
	podLabels = []string{
		"app", "name", "k8s-app", "component", "tier", "app.kubernetes.io/", "controller-revision-hash",
		"owner", "service-id", "service-group-id", "ti.cloud.tencent.com/",
		"training.kubeflow.org/", "trainer.kubeflow.org/", "jobset.sigs.k8s.io/", "batch.kubernetes.io/", "job-name", "replica-type", "replica-index",
		"ray.io/", "volcano.sh/", "serving.kserve.io/", "leaderworkerset.sigs.k8s.io/",
	}
	podAnnotations = []string{
		"kubernetes.io/config.hash",
		"ti.cloud.tencent.com/", "tke.cloud.tencent.com/", "tencent.com/", "nvidia.com/", "hami.io/", "volcano.sh/",
		"scheduling.k8s.io/group-name", "kubernetes.io/config.source",
	}
)

// allowed keeps the entries whose keys are on the list.
func allowed(all map[string]string, keys []string) []facts.Label {
	kept := []facts.Label{}
	for key, value := range all {
		if isAllowed(key, keys) {
			kept = append(kept, facts.Label{Key: key, Value: redact.Text(value)})
		}
	}
	return sortedLabels(kept)
}

func isAllowed(key string, keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool {
		return key == k || strings.HasSuffix(k, "/") && strings.HasPrefix(key, k)
	})
}

func sortedLabels(l []facts.Label) []facts.Label {
	slices.SortFunc(l, func(a, b facts.Label) int { return strings.Compare(a.Key, b.Key) })
	return l
}
