//go:build cgo

package nvml

import (
	"fmt"
	"strconv"
	"strings"

	nvmlapi "github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpugate/gpugate/collector/facts"
)

// read initializes the library and reads the cards one after the other. Each
// is handed over when it is whole, so that one that hangs costs itself and
// those behind it.
func (s *session) read() {
	s.progress.begin("nvmlInit")
	if ret := s.api.Init(); ret != nvmlapi.SUCCESS {
		// Nothing may be called any more, not even Shutdown.
		s.progress.end(notStarted(ret))
		return
	}
	defer s.shutdown()
	s.readAll()
}

// readAll reads what the driver says of itself, then the cards.
func (s *session) readAll() {
	driver, _ := ask(s, function{"nvmlSystemGetDriverVersion", 1}, s.api.SystemGetDriverVersion)
	version, _ := ask(s, function{"nvmlSystemGetNVMLVersion", 1}, s.api.SystemGetNVMLVersion)
	cuda := s.cudaVersion()
	s.progress.update(func(r *reading) {
		r.snapshot.driverVersion, r.snapshot.nvmlVersion, r.snapshot.cudaVersion = driver, version, cuda
	})
	if t := unreliable(driver); t != nil {
		s.progress.update(func(r *reading) { r.snapshot = snapshot{} })
		s.progress.end(t)
		return
	}
	count, ret := ask(s, function{"nvmlDeviceGetCount", 2}, s.api.DeviceGetCount)
	switch {
	case ret != nvmlapi.SUCCESS:
		s.progress.end(&trouble{reason: reasonOfCode(ret),
			detail: "the NVIDIA driver does not tell how many cards there are (nvmlDeviceGetCount: " + codeName(ret) + ")"})
		return
	case count == 0:
		s.progress.end(&trouble{reason: facts.ReasonFailed, noCards: true, detail: noCardsAdvice})
		return
	case count < 0 || count > maxCards:
		s.progress.end(&trouble{reason: facts.ReasonFailed, detail: fmt.Sprintf("the NVIDIA driver tells of %d cards", count)})
		return
	}
	for i := range count {
		c := s.readCard(i)
		if s.ctx.Err() != nil {
			return
		}
		s.progress.update(func(r *reading) { r.snapshot.cards = append(r.snapshot.cards, c) })
	}
	s.about = ""
	s.progress.end(nil)
}

func (s *session) shutdown() {
	// After the deadline the library is left as it is: one call more could be
	// the next that hangs.
	if s.ctx.Err() == nil && s.can(function{"nvmlShutdown", 1}) {
		s.progress.begin("nvmlShutdown")
		_ = s.api.Shutdown() // all is read; there is nothing to do about it
	}
}

func (s *session) cudaVersion() string {
	v, ret := ask(s, function{"nvmlSystemGetCudaDriverVersion_v2", 1}, s.api.SystemGetCudaDriverVersion_v2)
	if ret != nvmlapi.SUCCESS {
		v, ret = ask(s, function{"nvmlSystemGetCudaDriverVersion", 1}, s.api.SystemGetCudaDriverVersion)
	}
	if ret != nvmlapi.SUCCESS || v <= 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", v/1000, v%1000/10)
}

// unreliable returns trouble for the first drivers of the 535 series. Their
// lists of processes have larger rows than the function's version says, so
// that reading them writes past the end and shifts the numbers.
func unreliable(driver string) *trouble {
	series, rest, _ := strings.Cut(driver, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	if series != "535" || err != nil || n >= 98 {
		return nil
	}
	return &trouble{reason: facts.ReasonFailed, elsewhere: true,
		detail: fmt.Sprintf("the library of driver %s tells of processes in a form that cannot be read (drivers 535.43 to 535.86)", driver)}
}

// readCard reads one card. What the card has not is absent; what it cannot
// tell for another reason is a fault.
func (s *session) readCard(index int) card {
	s.about = fmt.Sprintf("GPU %d", index)
	c := card{index: &index}
	dev, ret := ask(s, function{"nvmlDeviceGetHandleByIndex", 2}, func() (nvmlapi.Device, nvmlapi.Return) {
		return s.api.DeviceGetHandleByIndex(index)
	})
	if ret != nvmlapi.SUCCESS {
		c.faults = append(c.faults, fault{what: "nvmlDeviceGetHandleByIndex", words: codeName(ret), reason: reasonOfCode(ret), fatal: true})
		return c
	}
	q := question{s, &c, dev}
	for _, step := range []func(){q.identity, q.memory, q.modes, q.ecc, q.mig, q.load, q.nvLinks, q.processes} {
		step()
		if _, lost := c.fatalFault(); lost {
			break // every further call fails too, each after its own while
		}
	}
	return c
}

// question is one card being asked.
type question struct {
	s   *session
	c   *card
	dev nvmlapi.Device
}

// need says how much a property matters.
type need bool

const (
	// vital: a card that cannot tell it does not work.
	vital need = true
	// optional: it is only missing.
	optional need = false
)

// get asks for one property and notes why it is not told, if not because the
// card has none.
func get[T any](q question, f function, n need, call func() (T, nvmlapi.Return)) (T, bool) {
	v, ret := ask(q.s, f, call)
	if ret == nvmlapi.SUCCESS {
		return v, true
	}
	q.note(f, n, ret)
	return v, false
}

func (q question) note(f function, n need, ret nvmlapi.Return) {
	if isNone(ret) {
		return
	}
	denied := ret == nvmlapi.ERROR_NO_PERMISSION
	q.c.faults = append(q.c.faults, fault{
		what: f.name, words: codeName(ret), reason: reasonOfCode(ret),
		fatal: isLost(ret) || n == vital && !denied,
	})
}

func (q question) identity() {
	c, dev := q.c, q.dev
	c.uuid, _ = get(q, function{"nvmlDeviceGetUUID", 1}, vital, dev.GetUUID)
	if pci, ok := get(q, function{"nvmlDeviceGetPciInfo", 3}, optional, dev.GetPciInfo); ok {
		c.pci = pciText(pci)
	}
	c.name, _ = get(q, function{"nvmlDeviceGetName", 1}, vital, dev.GetName)
	if n, ok := get(q, function{"nvmlDeviceGetMinorNumber", 1}, optional, dev.GetMinorNumber); ok && n >= 0 {
		c.minor = &n
	}
	if a, ok := get(q, function{"nvmlDeviceGetArchitecture", 1}, optional, dev.GetArchitecture); ok {
		c.architecture = architecture(a)
	}
	f := function{"nvmlDeviceGetCudaComputeCapability", 1}
	if v, ret := ask2(q.s, f, dev.GetCudaComputeCapability); ret == nvmlapi.SUCCESS {
		c.capability = fmt.Sprintf("%d.%d", v.a, v.b)
	} else {
		q.note(f, optional, ret)
	}
}

func (q question) memory() {
	if m, ret := ask(q.s, function{"nvmlDeviceGetMemoryInfo_v2", 1}, q.dev.GetMemoryInfo_v2); ret == nvmlapi.SUCCESS {
		q.c.memory = memory{&m.Total, &m.Used, &m.Free, &m.Reserved}
		return
	}
	if m, ok := get(q, function{"nvmlDeviceGetMemoryInfo", 1}, vital, q.dev.GetMemoryInfo); ok {
		q.c.memory = memory{total: &m.Total, used: &m.Used, free: &m.Free}
	}
}

func (q question) modes() {
	if m, ok := get(q, function{"nvmlDeviceGetComputeMode", 1}, optional, q.dev.GetComputeMode); ok {
		q.c.computeMode = computeModeName(m)
	}
	if m, ok := get(q, function{"nvmlDeviceGetPersistenceMode", 1}, optional, q.dev.GetPersistenceMode); ok {
		q.c.persistence = new(m == nvmlapi.FEATURE_ENABLED)
	}
}

// load is not asked for in MIG mode: the card as a whole has none there.
func (q question) load() {
	if q.c.mig == "enabled" {
		return
	}
	if u, ok := get(q, function{"nvmlDeviceGetUtilizationRates", 1}, optional, q.dev.GetUtilizationRates); ok {
		q.c.gpuPercent, q.c.memoryPercent = new(uint64(u.Gpu)), new(uint64(u.Memory))
	}
}

func (q question) ecc() {
	f := function{"nvmlDeviceGetEccMode", 1}
	v, ret := ask2(q.s, f, func() (int, int, nvmlapi.Return) {
		current, pending, ret := q.dev.GetEccMode()
		return int(current), int(pending), ret
	})
	if ret != nvmlapi.SUCCESS {
		q.note(f, optional, ret)
		return
	}
	q.c.ecc = &facts.GPUECC{Enabled: v.a == int(nvmlapi.FEATURE_ENABLED)}
	if !q.c.ecc.Enabled {
		return
	}
	n, ok := get(q, function{"nvmlDeviceGetTotalEccErrors", 1}, optional, func() (uint64, nvmlapi.Return) {
		return q.dev.GetTotalEccErrors(nvmlapi.MEMORY_ERROR_TYPE_UNCORRECTED, nvmlapi.VOLATILE_ECC)
	})
	if ok {
		q.c.ecc.UncorrectedErrors = bytesOf(&n)
	}
}

func (q question) nvLinks() {
	f := function{"nvmlDeviceGetNvLinkState", 1}
	if !q.s.can(f) {
		return
	}
	for link := range nvmlapi.NVLINK_MAX_LINKS {
		state, ret := ask(q.s, f, func() (nvmlapi.EnableState, nvmlapi.Return) { return q.dev.GetNvLinkState(link) })
		switch {
		case ret == nvmlapi.SUCCESS:
			l := facts.NVLink{Link: link, Active: state == nvmlapi.FEATURE_ENABLED}
			if l.Active {
				l.RemotePCIID = q.remote(link)
			}
			q.c.nvLinks = append(q.c.nvLinks, l)
		case ret == nvmlapi.ERROR_INVALID_ARGUMENT:
			// Beyond the last link.
			q.c.nvLinksKnown = true
			return
		case !isNone(ret):
			q.note(f, optional, ret)
			return
		}
	}
	// In MIG mode "not supported" does not mean that the card has no links.
	q.c.nvLinksKnown = len(q.c.nvLinks) > 0 || q.c.mig != "enabled"
}

func (q question) remote(link int) string {
	pci, ok := get(q, function{"nvmlDeviceGetNvLinkRemotePciInfo", 2}, optional, func() (nvmlapi.PciInfo, nvmlapi.Return) {
		return q.dev.GetNvLinkRemotePciInfo(link)
	})
	if !ok {
		return ""
	}
	return pciText(pci)
}

// pciText returns the bus id; the first version of the call fills the short
// field only.
func pciText(pci nvmlapi.PciInfo) string {
	if id := cText(pci.BusId[:]); id != "" {
		return id
	}
	if id := cText(pci.BusIdLegacy[:]); id != "" {
		return id
	}
	return fmt.Sprintf("%08x:%02x:%02x.0", pci.Domain, pci.Bus&0xff, pci.Device&0xff)
}

func cText(chars []int8) string {
	var b strings.Builder
	for _, c := range chars {
		if c == 0 {
			break
		}
		b.WriteByte(byte(c))
	}
	return b.String()
}

func computeModeName(m nvmlapi.ComputeMode) string {
	switch m {
	case nvmlapi.COMPUTEMODE_DEFAULT:
		return "default"
	case nvmlapi.COMPUTEMODE_EXCLUSIVE_THREAD:
		return "exclusiveThread"
	case nvmlapi.COMPUTEMODE_PROHIBITED:
		return "prohibited"
	case nvmlapi.COMPUTEMODE_EXCLUSIVE_PROCESS:
		return "exclusiveProcess"
	}
	return ""
}

// architecture names it as nvidia-smi does; one not known here is left out.
func architecture(a nvmlapi.DeviceArchitecture) string {
	return map[nvmlapi.DeviceArchitecture]string{
		nvmlapi.DEVICE_ARCH_KEPLER:    "Kepler",
		nvmlapi.DEVICE_ARCH_MAXWELL:   "Maxwell",
		nvmlapi.DEVICE_ARCH_PASCAL:    "Pascal",
		nvmlapi.DEVICE_ARCH_VOLTA:     "Volta",
		nvmlapi.DEVICE_ARCH_TURING:    "Turing",
		nvmlapi.DEVICE_ARCH_AMPERE:    "Ampere",
		nvmlapi.DEVICE_ARCH_ADA:       "Ada Lovelace",
		nvmlapi.DEVICE_ARCH_HOPPER:    "Hopper",
		nvmlapi.DEVICE_ARCH_BLACKWELL: "Blackwell",
		nvmlapi.DEVICE_ARCH_RUBIN:     "Rubin",
	}[a]
}
