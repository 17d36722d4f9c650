package nvml

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// readRoot fills the snapshot from the document and the lines about lost
// cards. broken says why the document ends early, if it does.
func (s *snapshot) readRoot(via string, root *element, lost []card, broken error) {
	s.driverVersion = known(root.first("driver_version", "kmd_version", "kernel_driver_version").word())
	s.cudaVersion = known(root.first("cuda_version", "cuda_umd_version", "umd_version").word())
	s.nvmlVersion = known(root.at("nvml_version").word())
	listed := []card{}
	for i, e := range root.all("gpu") {
		if i == maxCards {
			s.gaps = append(s.gaps, wholeGaps(facts.ReasonFailed, fmt.Sprintf("%s:%d:%d: more cards are described than any host has; only %d were read", via, e.line, e.column, maxCards))...)
			break
		}
		listed = append(listed, readCard(via, e))
	}
	lost = joinLost(listed, lost)
	if broken != nil {
		s.gaps = append(s.gaps, wholeGaps(facts.ReasonFailed, fmt.Sprintf("%s: %v; what stands before was read", via, broken))...)
	}
	attached, err := strconv.Atoi(root.at("attached_gpus").word())
	seen := len(listed) + len(lost)
	switch {
	case err == nil && broken == nil && (attached > seen || attached < len(listed)):
		// Which place the missing ones have is not known, so nobody's is.
		s.gaps = append(s.gaps, wholeGaps(facts.ReasonFailed, fmt.Sprintf("%s: %d GPUs are attached, %d are described", via, attached, len(listed)))...)
	case !numberCards(listed, lost):
		s.gaps = append(s.gaps, facts.Gap{Path: pathGPUs, Reason: facts.ReasonFailed,
			Detail: via + ": a lost card may stand anywhere among the others, so the index of no card is known"})
	}
	s.cards = append(listed, lost...)
}

// joinLost marks the listed cards that a line says are lost, and returns the
// lost cards that are not listed.
func joinLost(listed, lost []card) []card {
	var others []card
	for _, l := range lost {
		found := false
		for i := range listed {
			if l.pci != "" && listed[i].pci != "" && busID(l.pci) == busID(listed[i].pci) {
				listed[i].faults = append(listed[i].faults, l.faults...)
				found = true
			}
		}
		if !found {
			others = append(others, l)
		}
	}
	return others
}

// known drops the words that stand for nothing.
func known(text string) string {
	if meaning, _ := understand(text); meaning != told {
		return ""
	}
	return text
}

// meaning is what nvidia-smi means by the text of an element.
type meaning int

const (
	// told: a value.
	told meaning = iota
	// absent: the card has no such property.
	absent
	// denied: the caller may not know.
	denied
	// broken: the card answered with an error.
	broken
	// gone: the card does not answer at all.
	gone
)

// goneWords say that the card itself is out of reach.
var goneWords = regexp.MustCompile(`(?i)^\[?(gpu is lost|gpu has fallen off|gpu requires? (a )?reset|reset required|unable to determine)`)

// understand tells values from the words nvidia-smi writes in their place.
func understand(text string) (meaning, string) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(strings.Trim(text, "[] ")) {
	case "", "n/a", "not supported", "not available", "none", "unknown", "unsupported", "function not found", "requested functionality has been deprecated":
		return absent, text
	case "insufficient permissions", "no permission", "permission denied":
		return denied, text
	case "err!", "error", "unknown error":
		return broken, text
	}
	if goneWords.MatchString(text) {
		return gone, text
	}
	return told, text
}

// cardReader reads the elements of one card and notes what could not be read.
type cardReader struct {
	via string
	c   *card
}

func readCard(via string, gpu *element) card {
	c := card{}
	r := cardReader{via, &c}
	c.pci = known(gpu.id)
	if c.pci == "" {
		c.pci = r.text(gpu.at("pci", "pci_bus_id"), true)
	}
	c.uuid = r.text(gpu.at("uuid"), true)
	c.name = r.text(gpu.at("product_name"), true)
	c.architecture = r.text(gpu.at("product_architecture"), false)
	if n := r.number(gpu.at("minor_number"), ""); n != nil && *n < 1<<20 {
		c.minor = new(int(*n))
	}
	fb := gpu.first("fb_memory_usage", "memory_usage")
	c.memory = memory{
		total: r.amount(fb.at("total"), true), used: r.amount(fb.at("used"), false),
		free: r.amount(fb.at("free"), false), reserved: r.amount(fb.at("reserved"), false),
	}
	c.gpuPercent = r.number(gpu.at("utilization", "gpu_util"), "%")
	c.memoryPercent = r.number(gpu.at("utilization", "memory_util"), "%")
	c.computeMode = r.computeMode(gpu.at("compute_mode"))
	c.persistence = r.enabled(gpu.at("persistence_mode"))
	r.readECC(gpu)
	r.readMIG(gpu)
	r.readProcesses(gpu)
	if gpu.open {
		r.fault(gpu, "the description of the card ends in the middle", facts.ReasonFailed, false)
	}
	r.findGone(gpu, 0)
	return c
}

// findGone looks through all the card tells, since a card may answer some
// questions from what the driver remembers. Names of processes do not count.
func (r cardReader) findGone(e *element, depth int) {
	if e.name == "processes" || e.name == "accounted_processes" || len(r.c.faults) > 64 {
		return
	}
	if m, words := understand(e.word()); m == gone && depth > 0 {
		r.fault(e, tell(words), facts.ReasonFailed, true)
	}
	for _, k := range e.kids {
		r.findGone(k, depth+1)
	}
}

func (r cardReader) fault(e *element, words string, reason facts.Reason, fatal bool) {
	r.c.faults = append(r.c.faults, fault{what: r.where(e), words: words, reason: reason, fatal: fatal})
}

func (r cardReader) where(e *element) string {
	return fmt.Sprintf("%s:%d:%d: <%s>", r.via, e.line, e.column, e.name)
}

// text returns the value of the element, or notes why there is none. A card
// that cannot tell something vital does not work.
func (r cardReader) text(e *element, vital bool) string {
	m, text := understand(e.word())
	switch m {
	case told:
		return text
	case denied:
		r.fault(e, tell(text), facts.ReasonDenied, false)
	case broken:
		r.fault(e, tell(text), facts.ReasonFailed, vital)
	case absent, gone: // findGone notes the latter
	}
	return ""
}

var numberRegexp = regexp.MustCompile(`^(\d{1,19})(?:\.\d+)?\s*([A-Za-z%]*)$`)

// number returns a number that has the given unit.
func (r cardReader) number(e *element, unit string) *uint64 {
	text := r.text(e, false)
	if text == "" {
		return nil
	}
	m := numberRegexp.FindStringSubmatch(text)
	if m == nil || m[2] != unit {
		r.fault(e, fmt.Sprintf("%q is not a number%s", tell(text), map[bool]string{true: " of " + unit}[unit != ""]), facts.ReasonFailed, false)
		return nil
	}
	return r.parse(e, m[1], 0)
}

// amount returns an amount of memory in bytes. nvidia-smi writes MiB, older
// ones MB and mean the same.
func (r cardReader) amount(e *element, vital bool) *uint64 {
	text := r.text(e, vital)
	if text == "" {
		return nil
	}
	m := numberRegexp.FindStringSubmatch(text)
	if m != nil {
		switch m[2] {
		case "B", "bytes":
			return r.parse(e, m[1], 0)
		case "KiB", "KB":
			return r.parse(e, m[1], 10)
		case "MiB", "MB":
			return r.parse(e, m[1], 20)
		case "GiB", "GB":
			return r.parse(e, m[1], 30)
		}
	}
	r.fault(e, fmt.Sprintf("%q is not an amount of memory", tell(text)), facts.ReasonFailed, false)
	return nil
}

func (r cardReader) parse(e *element, digits string, shift int) *uint64 {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || bits.Len64(n)+shift > 63 {
		r.fault(e, fmt.Sprintf("%q is too large", tell(e.word())), facts.ReasonFailed, false)
		return nil
	}
	n <<= shift
	return &n
}

func (r cardReader) enabled(e *element) *bool {
	text := r.text(e, false)
	switch strings.ToLower(text) {
	case "":
		return nil
	case "enabled", "on":
		return new(true)
	case "disabled", "off":
		return new(false)
	}
	r.fault(e, fmt.Sprintf("%q is neither Enabled nor Disabled", tell(text)), facts.ReasonFailed, false)
	return nil
}

func (r cardReader) computeMode(e *element) string {
	text := r.text(e, false)
	switch strings.ToLower(strings.NewReplacer("_", "", " ", "").Replace(text)) {
	case "":
		return ""
	case "default":
		return "default"
	case "exclusiveprocess":
		return "exclusiveProcess"
	case "exclusivethread":
		return "exclusiveThread"
	case "prohibited":
		return "prohibited"
	}
	r.fault(e, fmt.Sprintf("the mode %q is not known", tell(text)), facts.ReasonFailed, false)
	return ""
}

// readECC adds up the uncorrected errors; drivers count them by different
// kinds of memory.
func (r cardReader) readECC(gpu *element) {
	on := r.enabled(gpu.at("ecc_mode", "current_ecc"))
	if on == nil {
		return
	}
	r.c.ecc = &facts.GPUECC{Enabled: *on}
	volatile := gpu.at("ecc_errors", "volatile")
	var counters []*element
	if total := volatile.at("double_bit", "total"); total != nil {
		counters = append(counters, total)
	} else if volatile != nil {
		for _, k := range volatile.kids {
			if strings.Contains(k.name, "uncorrectable") {
				counters = append(counters, k)
			}
		}
	}
	var sum *int64
	for _, e := range counters {
		if n := bytesOf(r.number(e, "")); n != nil && *n < 1<<53 {
			if sum == nil {
				sum = new(int64)
			}
			*sum += *n
		}
	}
	r.c.ecc.UncorrectedErrors = sum
}

func (r cardReader) readMIG(gpu *element) {
	on := r.enabled(gpu.at("mig_mode", "current_mig"))
	if on == nil {
		return
	}
	r.c.mig = map[bool]string{true: "enabled", false: "disabled"}[*on]
	if !*on {
		return
	}
	devices := gpu.at("mig_devices")
	if devices == nil {
		r.fault(gpu, "the card is in MIG mode and its MIG devices are not described", facts.ReasonFailed, false)
		return
	}
	if len(devices.kids) == 0 {
		r.text(devices, false)
	}
	for i, e := range devices.all("mig_device") {
		m := migDevice{
			index: i, uuid: r.text(e.at("uuid"), false), profile: known(e.first("profile", "profile_name").word()),
			gpuInstanceID:     r.number(e.at("gpu_instance_id"), ""),
			computeInstanceID: r.number(e.at("compute_instance_id"), ""),
			memoryTotalBytes:  r.amount(e.at("fb_memory_usage", "total"), false),
			memoryUsedBytes:   r.amount(e.at("fb_memory_usage", "used"), false),
		}
		if n := r.number(e.at("index"), ""); n != nil && *n < 1<<16 {
			m.index = int(*n)
		}
		r.c.migDevices = append(r.c.migDevices, m)
	}
}
