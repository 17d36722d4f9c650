package nvml

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// presence is what the host shows of NVIDIA hardware without the driver.
type presence struct {
	// bus are the display and 3D controllers of NVIDIA, in bus order.
	bus []pciDevice
	// busDevices counts all devices of the bus, NVIDIA's or not.
	busDevices int
	busErr     error
	// nodes are device nodes that only stand where a GPU is or was driven.
	nodes    []string
	nodesErr error
}

// pciDevice is one NVIDIA GPU on the PCI bus.
type pciDevice struct {
	// id as the kernel writes it, 0000:c1:00.0.
	id string
	// driver that is bound to it, empty when none is.
	driver string
}

const (
	nvidiaVendor = "0x10de"
	// displayClass begins the class of VGA (0x0300…) and 3D (0x0302…)
	// controllers: every GPU, and no NVSwitch or sound function of a card.
	displayClass = "0x03"
)

// deviceNodes are the names under /dev of NVIDIA devices, also of those that
// stand on no PCI bus: Jetson and WSL.
func deviceNodes() []string {
	return []string{"nvidia*", "nvhost*", "nvmap", "nvgpu*", "dxg"}
}

// look reads the bus and the device nodes.
func look(pciRoot, devRoot string) presence {
	p := presence{}
	p.bus, p.busDevices, p.busErr = readBus(filepath.Join(pciRoot, "devices"))
	if _, err := os.ReadDir(devRoot); err != nil {
		p.nodesErr = err
		return p
	}
	for _, pattern := range deviceNodes() {
		found, err := filepath.Glob(filepath.Join(devRoot, pattern))
		if err != nil {
			p.nodesErr = err
		}
		p.nodes = append(p.nodes, found...)
	}
	slices.Sort(p.nodes)
	return p
}

// readBus lists the NVIDIA GPUs of the bus. A device that cannot be read makes
// the whole answer unusable: it may be a GPU.
func readBus(devices string) (gpus []pciDevice, count int, err error) {
	entries, err := os.ReadDir(devices)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		dir := filepath.Join(devices, e.Name())
		vendor, err := readWord(filepath.Join(dir, "vendor"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // unplugged since the list was read
		}
		if err != nil {
			return nil, 0, err
		}
		count++
		if vendor != nvidiaVendor {
			continue
		}
		class, err := readWord(filepath.Join(dir, "class"))
		if err != nil {
			return nil, 0, err
		}
		if !strings.HasPrefix(class, displayClass) || isVirtualFunction(dir) {
			continue
		}
		d := pciDevice{id: e.Name()}
		if target, err := os.Readlink(filepath.Join(dir, "driver")); err == nil {
			d.driver = filepath.Base(target)
		}
		gpus = append(gpus, d)
	}
	return gpus, count, nil
}

// isVirtualFunction reports whether the device is a share of another one, as
// vGPU hosts make them; the card itself is listed on its own.
func isVirtualFunction(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "physfn"))
	return err == nil
}

func readWord(file string) (string, error) {
	text, err := os.ReadFile(file)
	return strings.ToLower(strings.TrimSpace(string(text))), err
}

// proof says how it is known that this host has no NVIDIA GPU, or why that is
// not known; shown is set when it visibly has one.
func (p presence) proof() (absence, shown, doubt string) {
	switch {
	case len(p.bus) > 0:
		return "", fmt.Sprintf("the PCI bus shows %s", plural(len(p.bus), "NVIDIA GPU")), ""
	case len(p.nodes) > 0:
		return "", fmt.Sprintf("the device node %s is there", p.nodes[0]), ""
	case p.busErr != nil:
		return "", "", fmt.Sprintf("the PCI bus cannot be read (%v), so it is not known whether a GPU is there", p.busErr)
	case p.nodesErr != nil:
		return "", "", fmt.Sprintf("the device nodes cannot be read (%v), so it is not known whether a GPU is there", p.nodesErr)
	case p.busDevices == 0:
		return "", "", "the PCI bus shows no device at all, so it is hidden from here and proves nothing"
	}
	return fmt.Sprintf("none of the %s is an NVIDIA GPU and no NVIDIA device node is there", plural(p.busDevices, "PCI device")), "", ""
}

// plural counts things for people.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// withoutDriver reports on a host where nothing that could ask the driver is
// there; tried says what was looked for.
func (p presence) withoutDriver(via, tried string) facts.Source {
	absence, shown, doubt := p.proof()
	switch {
	case absence != "":
		return facts.Absent(facts.SourceNVML, via, tried+"; "+absence)
	case shown != "":
		return facts.Missing(facts.SourceNVML, via, facts.ReasonFailed, fmt.Sprintf("%s, but %s: the NVIDIA driver is not installed or not loaded", tried, shown))
	}
	return facts.Missing(facts.SourceNVML, via, facts.ReasonAbsent, tried+"; "+doubt)
}
