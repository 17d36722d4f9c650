package nvml

import "github.com/gpugate/gpugate/collector/facts"

// snapshot is what the driver said, in the one form in which the library and
// nvidia-smi meet. From here there is a single way to facts: [snapshot.facts].
type snapshot struct {
	driverVersion, nvmlVersion, cudaVersion string
	cards                                   []card
	// gaps concern more than one card, or cards that nobody can name.
	gaps []facts.Gap
}

// card is one physical card as the driver told of it. Nil pointers and empty
// strings are what it did not tell.
type card struct {
	index *int
	uuid  string
	// pci is the bus id in any spelling.
	pci          string
	minor        *int
	name         string
	architecture string
	capability   string
	memory       memory
	// gpuPercent and memoryPercent are the load.
	gpuPercent, memoryPercent *uint64
	computeMode               string
	persistence               *bool
	// mig is "enabled", "disabled" or empty.
	mig          string
	migDevices   []migDevice
	ecc          *facts.GPUECC
	nvLinks      []facts.NVLink
	nvLinksKnown bool
	processes    []process
	// faults are properties that could not be read for another reason than
	// that the card has none.
	faults []fault
	// blind says why the list of processes may not be whole.
	blind []fault
}

// memory is a framebuffer in bytes.
type memory struct {
	total, used, free, reserved *uint64
}

// migDevice is one MIG device of a card.
type migDevice struct {
	index                             int
	uuid, profile                     string
	gpuInstanceID, computeInstanceID  *uint64
	memoryTotalBytes, memoryUsedBytes *uint64
}

// process is one row of one list of one card.
type process struct {
	pid uint64
	// kinds are the lists it stands in: any of C, G and M.
	kinds                            string
	name                             string
	usedMemoryBytes                  *uint64
	gpuInstanceID, computeInstanceID *uint64
}

// fault is one thing that could not be read.
type fault struct {
	// what was asked for: an NVML function, an element with its position.
	what string
	// words are the driver's: the name of an NVML code, nvidia-smi's text.
	words  string
	reason facts.Reason
	// fatal means that the card itself does not answer.
	fatal bool
}

func (f fault) String() string {
	if f.what == "" {
		return f.words
	}
	return f.what + ": " + f.words
}

// fatalFault returns the first fault that makes the card unreadable.
func (c *card) fatalFault() (fault, bool) {
	for _, f := range c.faults {
		if f.fatal {
			return f, true
		}
	}
	return fault{}, false
}

// notAvailable is how NVML says that it has no number to tell, in 64 bits;
// noInstance is the same for the ids of MIG instances.
const (
	notAvailable = 1<<64 - 1
	noInstance   = 1<<32 - 1
)

// Bounds on what one answer may hold, far above what any host has: beyond them
// an answer is nonsense, and is cut with a gap.
const (
	maxCards     = 256
	maxProcesses = 1 << 16
)
