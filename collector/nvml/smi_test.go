package nvml

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

var update = flag.Bool("update", false, "rewrite the golden facts beside the XML files")

// section is what a result attaches and reports.
type section struct {
	Source facts.Source `json:"source"`
	NVML   facts.NVML   `json:"nvml"`
}

// sectionOf attaches the result to an empty document and sorts it, as a run does.
func sectionOf(r collector.Result) section {
	var d facts.Document
	d.SetSource(r.Report)
	if r.Attach != nil {
		r.Attach(&d)
	}
	d.Normalize()
	return section{d.Source(facts.SourceNVML), d.NVML}
}

func readText(text string) section {
	r := readOutput(output{via: "smi.xml", text: []byte(text)})
	return sectionOf(r.result())
}

// TestOutputs compares the facts of each testdata/NAME.xml with NAME.json. The
// files are reviewed by hand; what matters in them is said again below.
func TestOutputs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got, err := json.MarshalIndent(readText(readFile(t, file)), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(file, ".xml") + ".json"
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(strings.TrimSpace(readFile(t, golden)), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The things in the golden files that matter most.
func TestOutputsSay(t *testing.T) {
	read := func(name string) section { return readText(readFile(t, "testdata/"+name+".xml")) }
	t.Run("a lost card keeps its place and no other is renumbered", func(t *testing.T) {
		s := read("lost-card")
		want := map[string]int{"GPU-7d1c0000-52ab-4e10-9f3d-0c1e2a3b4c5d": 0, "PCI-00000000:5b:00.0": 1, "GPU-7d1c0002-52ab-4e10-9f3d-0c1e2a3b4c5d": 2}
		for _, g := range s.NVML.GPUs {
			if g.Index == nil || *g.Index != want[g.UUID] {
				t.Errorf("%s: index %v, want %d", g.UUID, g.Index, want[g.UUID])
			}
		}
		wantGaps(t, s, "nvml.gpus PCI-00000000:5b:00.0 failed", "nvml.processes PCI-00000000:5b:00.0 failed")
	})
	t.Run("an empty list of processes is an answer, a missing one is none", func(t *testing.T) {
		wantGaps(t, read("container-blank"))
		wantGaps(t, read("no-process-element"),
			"nvml.processes GPU-7d1c0000-52ab-4e10-9f3d-0c1e2a3b4c5d failed", "nvml.processes GPU-7d1c0001-52ab-4e10-9f3d-0c1e2a3b4c5d denied")
		wantGaps(t, read("old-driver"), "nvml.processes GPU-0b5ad77c-1111-2222-3333-444455556666 failed")
	})
	t.Run("no load in MIG mode, and no memory in use where none is told", func(t *testing.T) {
		g := read("mig-h100").NVML.GPUs[0]
		if g.Utilization != nil || g.Memory.UsedBytes != nil || g.MIGMode != "enabled" || len(g.MIGDevices) != 2 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("a name cannot write XML", func(t *testing.T) {
		s := read("hostile-name")
		if len(s.NVML.Processes) != 2 || s.NVML.Processes[0].PID != 66 || s.NVML.GPUs[0].State != "ok" {
			t.Errorf("%+v", s.NVML)
		}
		wantGaps(t, s)
	})
	t.Run("no card is a failure, never zero cards", func(t *testing.T) {
		for _, text := range []string{"No devices were found\n", "<nvidia_smi_log><attached_gpus>0</attached_gpus></nvidia_smi_log>", "<nvidia_smi_log/>", "<nvidia_smi_log></nvidia_smi_log>"} {
			s := readText(text)
			if s.Source.Status != facts.StatusFailed {
				t.Errorf("%q: %+v", text, s.Source)
			}
		}
	})
	t.Run("nobody has an index when the missing card may stand anywhere", func(t *testing.T) {
		for _, g := range read("miscounted").NVML.GPUs {
			if g.Index != nil {
				t.Errorf("%s has index %d", g.UUID, *g.Index)
			}
		}
		s := readText("Unable to determine the device handle for GPU: Unknown Error\n" + readFile(t, "testdata/l20-pair.xml"))
		for _, g := range s.NVML.GPUs {
			if g.Index != nil {
				t.Errorf("%s has index %d", g.UUID, *g.Index)
			}
		}
	})
	t.Run("half a PID is no PID", func(t *testing.T) {
		text := readFile(t, "testdata/l20-pair.xml")
		s := readText(text[:strings.Index(text, "88102")+3])
		if len(s.NVML.Processes) != 1 {
			t.Errorf("%+v", s.NVML.Processes)
		}
		wantGaps(t, s, "nvml.gpus  failed", "nvml.gpus GPU-7d1c0001-52ab-4e10-9f3d-0c1e2a3b4c5d failed",
			"nvml.processes  failed", "nvml.processes GPU-7d1c0001-52ab-4e10-9f3d-0c1e2a3b4c5d failed")
	})
}

// TestTruncatedAnywhere cuts an output at every byte: what is left must never
// look whole.
func TestTruncatedAnywhere(t *testing.T) {
	text := strings.TrimSpace(readFile(t, "testdata/lost-card.xml"))
	for n := range len(text) {
		if s := readText(text[:n]); s.Source.Status == facts.StatusComplete || s.Source.Status == facts.StatusAbsent || len(s.Source.Gaps) == 0 {
			t.Fatalf("cut at %d: %+v", n, s.Source)
		}
	}
}

// wantGaps compares "path item reason" of all gaps, in the order of the document.
func wantGaps(t *testing.T, s section, want ...string) {
	t.Helper()
	got := []string{}
	for _, g := range s.Source.Gaps {
		got = append(got, g.Path+" "+g.Item+" "+string(g.Reason))
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if (len(want) == 0) != (s.Source.Status == facts.StatusComplete) {
		t.Errorf("status %s with %d gaps", s.Source.Status, len(got))
	}
}

func TestLostCardLines(t *testing.T) {
	for line, want := range map[string]string{
		"Unable to determine the device handle for GPU 0000:C1:00.0: GPU is lost.  Reboot": "00000000:c1:00.0 - GPU is lost.  Reboot",
		"Unable to determine the device handle for GPU0000:A1:00.0: Unknown Error":         "00000000:a1:00.0 - Unknown Error",
		"Unable to determine the device handle for GPU1: 0000:34:00.0: Unknown Error":      "00000000:34:00.0 1 Unknown Error",
		"Unable to determine the device handle for GPU12: Unknown Error":                   " 12 Unknown Error",
		"Unable to determine the device handle for gpu 00000000:01:00.0: Not Found":        "00000000:01:00.0 - Not Found",
		"NVRM: GPU 0000:a1:00.0: GPU has fallen off the bus.":                              "00000000:a1:00.0 - GPU has fallen off the bus.",
		"NVRM: Xid (PCI:0000:a1:00): 79, pid=1, GPU has fallen off the bus.":               "00000000:a1:00.0 - 79, pid=1, GPU has fallen off the bus.",
	} {
		c, ok := lostCard(line)
		if !ok {
			t.Errorf("%q is not understood", line)
			continue
		}
		index := "-"
		if c.index != nil {
			index = strconv.Itoa(*c.index)
		}
		if got := busID(c.pci) + " " + index + " " + c.faults[0].words; got != want {
			t.Errorf("%q:\n got %q\nwant %q", line, got, want)
		}
	}
	if _, ok := lostCard("WARNING: infoROM is corrupted at gpu 0000:3B:00.0"); ok {
		t.Error("a warning is taken for a lost card")
	}
}

func TestWordsAround(t *testing.T) {
	whole := readFile(t, "testdata/new-labels.xml")
	for name, c := range map[string]struct {
		o    output
		want []string
	}{
		"a warning of the infoROM":   {output{text: []byte(whole + "WARNING: infoROM is corrupted at gpu 0000:27:00.0\n")}, nil},
		"chatter of a login shell":   {output{text: []byte("Welcome to Ubuntu\n" + whole)}, nil},
		"an error after the answer":  {output{text: []byte(whole + "Failed to query something\n")}, []string{"nvml.gpus  failed", "nvml.processes  failed"}},
		"an error on the other side": {output{text: []byte(whole), errors: []byte("oh no\n"), errorsFrom: "smi.xml.err"}, []string{"nvml.gpus  failed", "nvml.processes  failed"}},
		"a denial on the other side": {output{text: []byte(whole), errors: []byte("permission denied\n"), errorsFrom: "smi.xml.err"}, []string{"nvml.gpus  denied", "nvml.processes  denied"}},
		"a bad end":                  {output{text: []byte(whole), exit: "exit status 3"}, []string{"nvml.gpus  failed", "nvml.processes  failed"}},
		"a lost card on the other side": {output{text: []byte(strings.Replace(whole, "<attached_gpus>1", "<attached_gpus>2", 1)), exit: "exit status 15",
			errors: []byte("Unable to determine the device handle for GPU1: 0000:9A:00.0: Unknown Error\n")},
			[]string{"nvml.gpus PCI-00000000:9a:00.0 failed", "nvml.processes PCI-00000000:9a:00.0 failed"}},
		"the same document twice": {output{text: []byte(whole + whole)}, nil},
		"words within the answer": {output{text: []byte(strings.Replace(whole, "<attached_gpus>1", "Unable to determine the device handle for GPU1: 0000:9A:00.0: Unknown Error\n<attached_gpus>2", 1))},
			[]string{"nvml.gpus PCI-00000000:9a:00.0 failed", "nvml.processes PCI-00000000:9a:00.0 failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.via = "smi.xml"
			r := readOutput(c.o)
			wantGaps(t, sectionOf(r.result()), c.want...)
		})
	}
}

func TestWordsInsteadOfAnAnswer(t *testing.T) {
	for words, want := range map[string]facts.Reason{
		"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.": facts.ReasonFailed,
		"Failed to initialize NVML: Driver/library version mismatch":                    facts.ReasonFailed,
		"Failed to initialize NVML: Insufficient Permissions":                           facts.ReasonDenied,
		"Failed to initialize NVML: Unknown Error":                                      facts.ReasonFailed,
		"NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.":              facts.ReasonFailed,
		"sh: 1: nvidia-smi: not found":                                                  facts.ReasonAbsent,
		"No devices were found":                                                         facts.ReasonFailed,
		"Unable to determine the device handle for GPU 0000:01:00.0: Not Found":         facts.ReasonFailed,
		"nvidia-smi: timed out":                                                         facts.ReasonTimeout,
	} {
		s := readText(words + "\n")
		if len(s.Source.Gaps) == 0 || s.Source.Gaps[0].Reason != want {
			t.Errorf("%q: %+v, want %s", words, s.Source, want)
		}
	}
}

// TestHugeOutputs: nonsense of any size is read in a moment, and is a gap.
func TestHugeOutputs(t *testing.T) {
	in := func(text string) string { return "<nvidia_smi_log>" + text + "</nvidia_smi_log>" }
	many := 1 << 17
	for name, text := range map[string]string{
		"cards":          in(strings.Repeat("<gpu/>\n", many)),
		"lost cards":     strings.Repeat("Unable to determine the device handle for GPU1: 0000:5B:00.0: Unknown Error\n", many),
		"other cards":    strings.Repeat("Unable to determine the device handle for GPU: Unknown Error\n", many),
		"complaints":     in("") + strings.Repeat("error\n", many),
		"names":          in(strings.Repeat("<process_name>", many)),
		"lines":          in(strings.Repeat("a\n", many)),
		"processes":      in("<gpu><processes>" + strings.Repeat("<process_info><pid>1</pid></process_info>", many) + "</processes></gpu>"),
		"bad processes":  in("<gpu><processes>" + strings.Repeat("<process_info><pid>x</pid></process_info>", many) + "</processes></gpu>"),
		"depth":          "<nvidia_smi_log>" + strings.Repeat("<a>", many),
		"MIG devices":    in("<gpu><mig_mode><current_mig>Enabled</current_mig></mig_mode><mig_devices>" + strings.Repeat("<mig_device/>", many) + "</mig_devices></gpu>"),
		"one long line":  strings.Repeat("x", 16<<20),
		"one long value": in("<gpu><uuid>" + strings.Repeat("x", 8<<20) + "</uuid></gpu>"),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			s := readText(text)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if len(s.Source.Gaps) == 0 || len(s.Source.Gaps) > 2*maxCards+2 {
				t.Errorf("%d gaps", len(s.Source.Gaps))
			}
		})
	}
}
