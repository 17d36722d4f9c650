// Package devices is the grammar of "which GPUs": the many ways in which
// container engines, service managers and CUDA itself let people choose GPUs,
// read into one form, [facts.DeviceSelection].
//
// It knows no host. An index stays an index and an abbreviated UUID stays
// abbreviated: what they mean is for the policies to find out, which see the
// GPUs. What cannot be read is kept as a reference of kind "unknown" rather
// than dropped, because a choice that was not understood is not the choice of
// nothing.
package devices

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// Ways to choose GPUs, as [facts.DeviceSelection.Via] names them.
const (
	ViaDeviceRequest      = "deviceRequest"
	ViaCDI                = "cdi"
	ViaVisibleDevices     = "visibleDevices"
	ViaCUDAVisibleDevices = "cudaVisibleDevices"
	ViaDevice             = "device"
	ViaDeviceCgroupRule   = "deviceCgroupRule"
	ViaMount              = "mount"
	ViaPrivileged         = "privileged"
	ViaResourceLimit      = "resourceLimit"
	ViaDeviceAllow        = "deviceAllow"
	ViaUnrestricted       = "unrestricted"
)

// Kinds of [facts.DeviceReference].
const (
	KindIndex    = "index"
	KindUUID     = "uuid"
	KindMIG      = "mig"
	KindMIGIndex = "migIndex"
	KindMinor    = "minor"
	KindUnknown  = "unknown"
)

// All is the choice of every GPU.
func All(via, text string) facts.DeviceSelection {
	return facts.DeviceSelection{Via: via, All: true, Devices: []facts.DeviceReference{}, Text: redact.Text(text)}
}

// None is the choice of no GPU. It matters where choosing nothing differs from
// not choosing: CUDA_VISIBLE_DEVICES="" hides every GPU, its absence none.
func None(via, text string) facts.DeviceSelection {
	return facts.DeviceSelection{Via: via, Devices: []facts.DeviceReference{}, Text: redact.Text(text)}
}

// Unknown is a choice of which it is not known what it chooses.
func Unknown(via, text string) facts.DeviceSelection {
	s := None(via, text)
	s.Devices = append(s.Devices, unknown(text))
	return s
}

// Selects reports whether the choice is one of any GPU at all, be it known
// which or not.
func Selects(s facts.DeviceSelection) bool {
	return s.All || s.Count > 0 || len(s.Devices) > 0
}

// Reference reads the name of one GPU, or of one slice of one, in the forms
// that NVIDIA's tools share: an index ("0"), a UUID or its beginning
// ("GPU-4f3a"), a MIG UUID ("MIG-…", also in the older form
// "MIG-GPU-…/1/0"), or the indices of a GPU and of a MIG device on it ("0:1").
func Reference(name string) facts.DeviceReference {
	name = strings.TrimSpace(name)
	if index, ok := number(name); ok {
		return facts.DeviceReference{Kind: KindIndex, Value: index}
	}
	if gpu, mig, ok := strings.Cut(name, ":"); ok {
		g, gpuOK := number(gpu)
		m, migOK := number(mig)
		if gpuOK && migOK {
			return facts.DeviceReference{Kind: KindMIGIndex, Value: g + ":" + m}
		}
		return unknown(name)
	}
	if rest, ok := cutPrefixFold(name, "MIG-"); ok && rest != "" && onlyRunes(rest, hexDigits+"-/GPUgpu") {
		return facts.DeviceReference{Kind: KindMIG, Value: migUUID(rest)}
	}
	if rest, ok := cutPrefixFold(name, "GPU-"); ok && rest != "" && onlyRunes(rest, hexDigits+"-") {
		return facts.DeviceReference{Kind: KindUUID, Value: "GPU-" + strings.ToLower(rest)}
	}
	return unknown(name)
}

func unknown(name string) facts.DeviceReference {
	return facts.DeviceReference{Kind: KindUnknown, Value: redact.Text(name)}
}

// migUUID writes a MIG UUID as the driver does: hexadecimal digits small.
func migUUID(rest string) string {
	if gpu, ok := cutPrefixFold(rest, "GPU-"); ok {
		return "MIG-GPU-" + strings.ToLower(gpu)
	}
	return "MIG-" + strings.ToLower(rest)
}

const hexDigits = "0123456789abcdefABCDEF"

// number reads a decimal number of at most 32 bits and writes it without
// leading zeros.
func number(s string) (string, bool) {
	if s == "" || !onlyRunes(s, "0123456789") {
		return "", false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return "", false
	}
	return strconv.FormatUint(n, 10), true
}

func onlyRunes(s, allowed string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(allowed, r) }) < 0
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// add appends a reference that is not there yet, and keeps the order.
func add(s *facts.DeviceSelection, r facts.DeviceReference) {
	if !slices.Contains(s.Devices, r) {
		s.Devices = append(s.Devices, r)
	}
}
