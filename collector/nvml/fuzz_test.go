package nvml

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

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
