package kubernetes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector/devices"
	"github.com/gpugate/gpugate/collector/facts"
)

// isGPUResource reports whether a resource is a GPU, a slice of one, or an
// amount of one: NVIDIA's, those of sharing systems, other vendors'.
func isGPUResource(name string) bool {
	return strings.HasPrefix(name, "nvidia.com/") || strings.HasPrefix(name, "tencent.com/vcuda-") ||
		strings.Contains(name, "gpu") || strings.Contains(name, "/mig-")
}

// resourceItems keeps the GPU-like resources. One whose amount is no whole
// number is left out and named.
func resourceItems(list corev1.ResourceList) (items []facts.ResourceItem, faults []string) {
	items = []facts.ResourceItem{}
	for name, quantity := range list {
		if !isGPUResource(string(name)) {
			continue
		}
		n, ok := quantity.AsInt64()
		if !ok || n < 0 {
			faults = append(faults, fmt.Sprintf("%s is %q, not a whole number", name, quantity.String()))
			continue
		}
		items = append(items, facts.ResourceItem{Resource: string(name), Quantity: n})
	}
	slices.SortFunc(items, func(a, b facts.ResourceItem) int { return strings.Compare(a.Resource, b.Resource) })
	slices.Sort(faults)
	return items, faults
}

// requests turns what a container asks of the scheduler into selections. Zero
// selects nothing, but neither does it hide a GPU.
func requests(items []facts.ResourceItem) []facts.DeviceSelection {
	var list []facts.DeviceSelection
	var amounts []facts.ResourceItem
	for _, r := range items {
		switch {
		case r.Quantity == 0 || !countsGPUs(r.Resource) && !isAmount(r.Resource):
		case isAmount(r.Resource):
			amounts = append(amounts, r)
		default:
			list = append(list, byCount(r, r.Quantity))
		}
	}
	// Amounts of memory or cores refine a count; alone they ask for as many
	// cards as the cores make up, and for one at least.
	if len(list) == 0 && len(amounts) > 0 {
		most, cards := amounts[0], int64(1)
		for _, r := range amounts {
			if isHundredths(r.Resource) && r.Quantity > 100*cards {
				most, cards = r, (r.Quantity-1)/100+1
			}
		}
		list = append(list, byCount(most, cards))
	}
	return list
}

func byCount(r facts.ResourceItem, count int64) facts.DeviceSelection {
	s := devices.None(devices.ViaResourceLimit, fmt.Sprintf("%s: %d", r.Resource, r.Quantity))
	s.Count = int(min(count, math.MaxInt32))
	return s
}

// countsGPUs tells GPUs and slices of them from NVIDIA's other devices.
func countsGPUs(resource string) bool {
	return strings.Contains(resource, "gpu") || strings.Contains(resource, "/mig-")
}

// isAmount reports whether a resource is an amount of memory or computing
// power rather than a number of devices.
func isAmount(resource string) bool {
	_, name, _ := strings.Cut(resource, "/")
	for _, part := range []string{"mem", "core", "percent", "vcuda-"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// isHundredths reports whether 100 of the resource are one card.
func isHundredths(resource string) bool {
	return strings.HasSuffix(resource, "vcuda-core") || strings.Contains(resource, "qgpu-core")
}
