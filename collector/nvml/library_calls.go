//go:build cgo

package nvml

import (
	"context"
	"fmt"

	nvmlapi "github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpugate/gpugate/collector/facts"
)

// session is one initialized library being read.
type session struct {
	ctx      context.Context
	api      nvmlapi.Interface
	progress *progress
	// about names the card being read, for messages; empty for none.
	about string
	// known are the functions looked up so far.
	known map[function]bool
}

// function is one NVML function with the newest of its versions that go-nvml
// knows: name, name_v2 … It calls the newest one the library has.
type function struct {
	name   string
	newest int
}

// has reports whether the library has the function in any version. A library
// that has a newer version but not the first one is fine: go-nvml takes the
// newest it finds.
func (f function) has(lookup func(string) error) bool {
	if lookup(f.name) == nil {
		return true
	}
	for v := 2; v <= f.newest; v++ {
		if lookup(fmt.Sprintf("%s_v%d", f.name, v)) == nil {
			return true
		}
	}
	return false
}

// can reports whether the function may be called: calling one the library
// lacks is no error but the end of the process.
func (s *session) can(f function) bool {
	if has, ok := s.known[f]; ok {
		return has
	}
	has := f.has(s.api.Extensions().LookupSymbol)
	if s.known == nil {
		s.known = map[function]bool{}
	}
	s.known[f] = has
	return has
}

// ask calls a function with one result. One the library lacks answers
// ERROR_FUNCTION_NOT_FOUND; once the deadline is over, nothing is called.
func ask[T any](s *session, f function, call func() (T, nvmlapi.Return)) (T, nvmlapi.Return) {
	var none T
	if !s.can(f) {
		return none, nvmlapi.ERROR_FUNCTION_NOT_FOUND
	}
	if s.ctx.Err() != nil {
		return none, nvmlapi.ERROR_TIMEOUT
	}
	what := f.name
	if s.about != "" {
		what += " of " + s.about
	}
	s.progress.begin(what)
	return call()
}

// pair holds the results of functions that have two.
type pair struct{ a, b int }

func ask2(s *session, f function, call func() (int, int, nvmlapi.Return)) (pair, nvmlapi.Return) {
	return ask(s, f, func() (pair, nvmlapi.Return) {
		a, b, ret := call()
		return pair{a, b}, ret
	})
}

// isNone reports whether an answer means that the card, or this driver, has no
// such thing, which is no gap.
func isNone(ret nvmlapi.Return) bool {
	return ret == nvmlapi.ERROR_NOT_SUPPORTED || ret == nvmlapi.ERROR_FUNCTION_NOT_FOUND || ret == nvmlapi.ERROR_DEPRECATED
}

// isLost reports whether an answer means that the card is out of reach.
func isLost(ret nvmlapi.Return) bool {
	return ret == nvmlapi.ERROR_GPU_IS_LOST || ret == nvmlapi.ERROR_RESET_REQUIRED || ret == nvmlapi.ERROR_GPU_NOT_FOUND
}

func reasonOfCode(ret nvmlapi.Return) facts.Reason {
	switch ret {
	case nvmlapi.ERROR_NO_PERMISSION:
		return facts.ReasonDenied
	case nvmlapi.ERROR_TIMEOUT:
		return facts.ReasonTimeout
	}
	return facts.ReasonFailed
}

// codeName names a code as nvml.h does. The library's own words are not asked
// for: it may lack nvmlErrorString, which [nvmlapi.Return.Error] calls.
func codeName(ret nvmlapi.Return) string {
	names := map[nvmlapi.Return]string{
		nvmlapi.SUCCESS:                         "SUCCESS",
		nvmlapi.ERROR_UNINITIALIZED:             "UNINITIALIZED",
		nvmlapi.ERROR_INVALID_ARGUMENT:          "INVALID_ARGUMENT",
		nvmlapi.ERROR_NOT_SUPPORTED:             "NOT_SUPPORTED",
		nvmlapi.ERROR_NO_PERMISSION:             "NO_PERMISSION",
		nvmlapi.ERROR_ALREADY_INITIALIZED:       "ALREADY_INITIALIZED",
		nvmlapi.ERROR_NOT_FOUND:                 "NOT_FOUND",
		nvmlapi.ERROR_INSUFFICIENT_SIZE:         "INSUFFICIENT_SIZE",
		nvmlapi.ERROR_INSUFFICIENT_POWER:        "INSUFFICIENT_POWER",
		nvmlapi.ERROR_DRIVER_NOT_LOADED:         "DRIVER_NOT_LOADED",
		nvmlapi.ERROR_TIMEOUT:                   "TIMEOUT",
		nvmlapi.ERROR_IRQ_ISSUE:                 "IRQ_ISSUE",
		nvmlapi.ERROR_LIBRARY_NOT_FOUND:         "LIBRARY_NOT_FOUND",
		nvmlapi.ERROR_FUNCTION_NOT_FOUND:        "FUNCTION_NOT_FOUND",
		nvmlapi.ERROR_CORRUPTED_INFOROM:         "CORRUPTED_INFOROM",
		nvmlapi.ERROR_GPU_IS_LOST:               "GPU_IS_LOST",
		nvmlapi.ERROR_RESET_REQUIRED:            "RESET_REQUIRED",
		nvmlapi.ERROR_OPERATING_SYSTEM:          "OPERATING_SYSTEM",
		nvmlapi.ERROR_LIB_RM_VERSION_MISMATCH:   "LIB_RM_VERSION_MISMATCH",
		nvmlapi.ERROR_IN_USE:                    "IN_USE",
		nvmlapi.ERROR_MEMORY:                    "MEMORY",
		nvmlapi.ERROR_NO_DATA:                   "NO_DATA",
		nvmlapi.ERROR_VGPU_ECC_NOT_SUPPORTED:    "VGPU_ECC_NOT_SUPPORTED",
		nvmlapi.ERROR_INSUFFICIENT_RESOURCES:    "INSUFFICIENT_RESOURCES",
		nvmlapi.ERROR_FREQ_NOT_SUPPORTED:        "FREQ_NOT_SUPPORTED",
		nvmlapi.ERROR_ARGUMENT_VERSION_MISMATCH: "ARGUMENT_VERSION_MISMATCH",
		nvmlapi.ERROR_DEPRECATED:                "DEPRECATED",
		nvmlapi.ERROR_NOT_READY:                 "NOT_READY",
		nvmlapi.ERROR_GPU_NOT_FOUND:             "GPU_NOT_FOUND",
		nvmlapi.ERROR_INVALID_STATE:             "INVALID_STATE",
		nvmlapi.ERROR_RESET_TYPE_NOT_SUPPORTED:  "RESET_TYPE_NOT_SUPPORTED",
		nvmlapi.ERROR_UNKNOWN:                   "UNKNOWN",
	}
	if name, ok := names[ret]; ok {
		return "NVML_ERROR_" + name
	}
	return fmt.Sprintf("NVML error %d", int(ret))
}
