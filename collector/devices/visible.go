package devices

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// VisibleDevices reads the value of NVIDIA_VISIBLE_DEVICES as NVIDIA's
// container runtime does: a list, split at commas, in which any "void" makes
// the whole void, else the first of "all" and "none" decides, else each entry
// names a GPU, by index, UUID, MIG device or CDI name. An empty list is void.
//
// Void and none both give no GPU (none still gives the driver's libraries).
// The value means anything only where that runtime reads it; whether it does
// is for the caller to know.
func VisibleDevices(value string) facts.DeviceSelection {
	entries := split(value)
	if len(entries) == 0 || slices.Contains(entries, "void") {
		return None(ViaVisibleDevices, value)
	}
	for _, e := range entries {
		switch e {
		case "all":
			return All(ViaVisibleDevices, value)
		case "none":
			return None(ViaVisibleDevices, value)
		}
	}
	s := None(ViaVisibleDevices, value)
	for _, e := range entries {
		if isCDIName(e) {
			addCDI(&s, e)
			continue
		}
		add(&s, Reference(e))
	}
	return s
}

// Environment reads what an environment, KEY=VALUE each, asks of NVIDIA's
// container runtime. Of repeated names the last counts. Without
// NVIDIA_VISIBLE_DEVICES an image of the old kind, which states its
// CUDA_VERSION but no NVIDIA_REQUIRE_CUDA, gets every GPU; any other gets none,
// and then set is false. The selection is for management only when
// NVIDIA_DRIVER_CAPABILITIES says so.
func Environment(pairs []string) (s facts.DeviceSelection, set bool) {
	value, set := Variable(pairs, "NVIDIA_VISIBLE_DEVICES")
	version, _ := Variable(pairs, "CUDA_VERSION")
	required, _ := Variable(pairs, "NVIDIA_REQUIRE_CUDA")
	switch {
	case set:
		s = VisibleDevices(value)
	case version != "" && required == "":
		s, set = All(ViaVisibleDevices, "CUDA_VERSION="+version), true
	default:
		return None(ViaVisibleDevices, ""), false
	}
	capabilities, _ := Variable(pairs, "NVIDIA_DRIVER_CAPABILITIES")
	s.Utility = Selects(s) && utilityOnly(split(capabilities))
	return s, set
}

// Variable returns the value of a variable in an environment of KEY=VALUE
// pairs. Of repeated names the last counts; a name without "=" unsets it, as
// docker run --env NAME does.
func Variable(pairs []string, name string) (value string, set bool) {
	for _, pair := range slices.Backward(pairs) {
		if n, v, hasValue := strings.Cut(pair, "="); n == name {
			return v, hasValue
		}
	}
	return "", false
}

// utilityOnly reports whether driver capabilities ask for management alone, as
// exporters of metrics do.
func utilityOnly(capabilities []string) bool {
	utility := false
	for _, c := range capabilities {
		switch c {
		case "utility":
			utility = true
		case "gpu", "nvidia": // name the device, not what is done with it
		default:
			return false
		}
	}
	return utility
}

// split splits at commas and drops blanks and empty entries.
func split(list string) []string {
	var entries []string
	for e := range strings.SplitSeq(list, ",") {
		if e = strings.TrimSpace(e); e != "" {
			entries = append(entries, e)
		}
	}
	return entries
}
