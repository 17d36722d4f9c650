package devices

import (
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// CUDAVisibleDevices reads the value of CUDA_VISIBLE_DEVICES as the CUDA
// driver does: indices or UUIDs (or their beginnings), split at commas, where
// the first invalid entry hides itself and all after it ("0,2,-1,1" is 0 and
// 2). So "", "-1" and "NoDevFiles" choose no GPU.
//
// The indices are CUDA's own, which are the driver's only for equal GPUs or
// with CUDA_DEVICE_ORDER=PCI_BUS_ID; within a container they count the GPUs
// given to it.
func CUDAVisibleDevices(value string) facts.DeviceSelection {
	s := None(ViaCUDAVisibleDevices, value)
	if strings.TrimSpace(value) == "" {
		return s
	}
	for entry := range strings.SplitSeq(value, ",") {
		entry = strings.TrimSpace(entry)
		r := Reference(entry)
		switch r.Kind {
		case KindIndex, KindUUID, KindMIG:
			add(&s, r)
		default:
			if unexpanded(entry) {
				add(&s, r)
			}
			return s
		}
	}
	return s
}

// unexpanded reports whether an entry names a variable that somebody was to
// put in later, such as "$(GPU)" in a pod or "${GPU}" in a shell script, so
// that its value is not known here.
func unexpanded(entry string) bool { return strings.HasPrefix(entry, "$") }
