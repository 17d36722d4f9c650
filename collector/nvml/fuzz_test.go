package nvml

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

// FuzzLinks holds what must be true of any output on links: no card has more than
// there are, none is known by an output that says something else.
func FuzzLinks(f *testing.F) {
	f.Add([]byte("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n\t Link 0: 25 GB/s\n\t Link 1: <inactive>\n"))
	f.Add([]byte("GPU 0: NVIDIA L20 (UUID: GPU-1)\nNVML: Unable to retrieve NVLink information as all links are inActive\n"))
	f.Add([]byte("\xff\x00Link 0: 25 GB/s"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := snapshot{cards: []card{{uuid: "GPU-1"}, {uuid: "GPU-2", mig: "enabled"}, {}}}
		s.readLinks(text)
		for _, c := range s.cards {
			if len(c.nvLinks) > maxLinks+1 || len(c.nvLinks) > 0 && !c.nvLinksKnown || c.uuid == "" && c.nvLinksKnown {
				t.Errorf("%q gives %+v", text, c)
			}
		}
	})
}

// FuzzSMI holds what must be true of any output: it never panics, a document
// without gaps has cards, ids are unique, and no process is without a PID.
func FuzzSMI(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte{})
	}
	f.Add([]byte("<nvidia_smi_log><gpu/><gpu/></nvidia_smi_log>"), []byte("permission denied"))
	f.Add([]byte("\xff\xfe<\x00n\x00"), []byte("Unable to determine the device handle for GPU1: 0000:5B:00.0: Unknown Error"))
	f.Fuzz(func(t *testing.T, text, errors []byte) {
		r := readOutput(output{via: "smi.xml", text: text, errors: errors, errorsFrom: "smi.xml.err"})
		s := sectionOf(r.result())
		if len(s.NVML.GPUs) == 0 && len(s.Source.Gaps) == 0 {
			t.Errorf("no card and no gap: %+v", s.Source)
		}
		if s.Source.Status == facts.StatusAbsent && len(s.Source.Gaps) == 0 {
			t.Error("absence is proven by a capture")
		}
		seen := map[string]bool{}
		for _, g := range s.NVML.GPUs {
			if g.UUID == "" || seen[g.UUID] {
				t.Errorf("the id %q is empty or used twice", g.UUID)
			}
			seen[g.UUID] = true
			if g.Index != nil && *g.Index < 0 {
				t.Errorf("index %d", *g.Index)
			}
		}
		for _, p := range s.NVML.Processes {
			if p.PID < 1 || !seen[p.GPU] {
				t.Errorf("a process of nobody: %+v", p)
			}
		}
	})
}
