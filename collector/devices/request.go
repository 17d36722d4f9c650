package devices

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// Request reads one device request of Docker (--gpus, Compose's
// deploy.resources.reservations.devices, --device with a CDI name). A Count
// of -1 is every GPU, of N the first N in index order and not any N that are
// free; device ids go through the grammar of [VisibleDevices], since that is
// what the daemon makes of them. A request for something else than NVIDIA
// GPUs selects nothing, and then gpu is false.
func Request(r facts.DeviceRequest) (s facts.DeviceSelection, gpu bool) {
	switch {
	case r.Driver == "cdi":
		s = CDI(r.DeviceIDs...)
		return s, Selects(s)
	case !forGPUs(r):
		return None(ViaDeviceRequest, ""), false
	case len(r.DeviceIDs) > 0:
		s = VisibleDevices(strings.Join(r.DeviceIDs, ","))
		s.Via = ViaDeviceRequest
	default:
		s = None(ViaDeviceRequest, "")
	}
	switch {
	case r.Count < 0:
		s.All, s.Text = true, strings.Trim("all "+s.Text, " ")
	case r.Count > 0:
		s.Count = r.Count
	}
	s.Utility = Selects(s) && utilityOnly(chosen(r.Capabilities))
	return s, true
}

// forGPUs reports whether the daemon hands the request to NVIDIA's driver:
// because it is named, or because no driver is named and a list of
// capabilities is one that this driver has.
func forGPUs(r facts.DeviceRequest) bool {
	if r.Driver == "" {
		return chosen(r.Capabilities) != nil
	}
	return r.Driver == "nvidia" || strings.HasPrefix(r.Driver, "nvidia.")
}

// chosen returns the first list of capabilities that names a GPU or what
// NVIDIA's driver does with one: the lists are alternatives, the entries of one
// are needed together.
func chosen(lists [][]string) []string {
	known := []string{"compute", "compat32", "graphics", "utility", "video", "display"}
	for _, list := range lists {
		isKnown := func(c string) bool { return slices.Contains(known, c) }
		if slices.Contains(list, "gpu") || slices.Contains(list, "nvidia") || slices.ContainsFunc(list, isKnown) {
			return list
		}
	}
	return nil
}
