package devices

import (
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// CDI reads the names of devices of the Container Device Interface, such as
// "nvidia.com/gpu=0". Names of NVIDIA devices that are no GPU are passed over;
// names of other vendors stay as unknown, for what they inject is written in
// files of the host.
func CDI(names ...string) facts.DeviceSelection {
	s := None(ViaCDI, strings.Join(names, ","))
	for _, name := range names {
		addCDI(&s, name)
	}
	return s
}

// isCDIName reports whether a name has the form VENDOR/CLASS=NAME.
func isCDIName(name string) bool {
	kind, _, ok := strings.Cut(name, "=")
	return ok && strings.Contains(kind, "/")
}

func addCDI(s *facts.DeviceSelection, name string) {
	name = strings.TrimSpace(name)
	kind, device, _ := strings.Cut(name, "=")
	vendor, class, _ := strings.Cut(kind, "/")
	switch {
	case !isCDIName(name) || !isNVIDIA(vendor):
		add(s, unknown(name))
	case class != "gpu" && class != "mig":
		if !besideGPU(class) {
			add(s, unknown(name))
		}
	case device == "all":
		s.All = true
	case device == "none" || device == "void":
	default:
		add(s, cdiReference(device))
	}
}

// cdiReference reads the name of a device in NVIDIA's CDI specifications. With
// the naming strategy "type-index" a GPU is "gpu0" and a MIG device "mig0:1".
func cdiReference(device string) facts.DeviceReference {
	if r := Reference(device); r.Kind != KindUnknown {
		return r
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(device, "gpu"), "mig")
	if r := Reference(bare); r.Kind == KindIndex || r.Kind == KindMIGIndex {
		return r
	}
	return unknown(device)
}

// isNVIDIA also accepts the vendors that NVIDIA's own parts use for CDI
// specifications of theirs, such as k8s.device-plugin.nvidia.com.
func isNVIDIA(vendor string) bool {
	return vendor == "nvidia.com" || strings.HasSuffix(vendor, ".nvidia.com")
}

// besideGPU reports whether a class of NVIDIA devices is no GPU: what comes
// along with GPUs for storage and network.
func besideGPU(class string) bool {
	switch class {
	case "gds", "gdrcopy", "mofed", "nvswitch", "imex-channel":
		return true
	}
	return false
}
