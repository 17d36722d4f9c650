package systemd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

var update = flag.Bool("update", false, "write the golden files anew")

// collect runs a source and returns what it puts into a document.
func collect(t *testing.T, s collector.Source) *facts.Document {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return collectWithin(ctx, s)
}

func collectWithin(ctx context.Context, s collector.Source) *facts.Document {
	r := s.Collect(ctx)
	d := &facts.Document{}
	d.SetSource(r.Report)
	if r.Attach != nil {
		r.Attach(d)
	}
	d.Normalize()
	return d
}

// captured writes a capture with these files.
func captured(t *testing.T, files map[string]string) *capture.Dir {
	t.Helper()
	root := t.TempDir()
	files["capture.json"] = `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-11-02T08:00:00Z","hostname":"h"}`
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, root)
}

func opened(t *testing.T, root string) *capture.Dir {
	t.Helper()
	dir, err := capture.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCaptureGivesTheseUnits(t *testing.T) {
	d := collect(t, FromCapture(opened(t, "testdata/workstation"), nil))
	report := d.Source(facts.SourceSystemd)
	if report.Status != facts.StatusComplete || len(report.Gaps) != 0 {
		t.Errorf("report: %+v", report)
	}
	got, err := json.MarshalIndent(d.Systemd, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	for _, secret := range []string{"sgl-top-secret", "hf_should_not_be_seen", "hidden-in-run"} {
		if strings.Contains(string(got), secret) {
			t.Errorf("the secret %s is in the facts", secret)
		}
	}
	golden := "testdata/workstation.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("facts differ from %s (-want +got; -update writes it anew):\n%s", golden, diff)
	}
}

func TestCaptureStatus(t *testing.T) {
	const unit = "Id=vllm.service\nLoadState=loaded\nActiveState=active\nExecStart={ path=/usr/bin/vllm ; argv[]=/usr/bin/vllm serve m ; ignore_errors=no ; pid=0 ; code=(null) ; status=0/0 }\n"
	for _, tc := range []struct {
		name   string
		files  map[string]string
		status facts.Status
		units  int
		// gaps are "item reason detail", the detail as far as it matters.
		gaps []string
	}{
		{"nothing", map[string]string{}, facts.StatusSkipped, 0, []string{" skipped the capture has no systemd/units"}},
		{"no systemd", map[string]string{"systemd/units.err": "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down\n"},
			facts.StatusAbsent, 0, nil},
		{"no systemctl", map[string]string{"systemd/units": "", "systemd/units.err": "sh: 1: systemctl: not found\n"},
			facts.StatusAbsent, 0, []string{" absent sh: 1: systemctl: not found"}},
		{"denied", map[string]string{"systemd/units.err": "Failed to connect to bus: Permission denied\n"}, facts.StatusDenied, 0, []string{" denied Permission denied"}},
		{"hanging bus", map[string]string{"systemd/units.err": "Failed to list units: Connection timed out\n"}, facts.StatusTimeout, 0, []string{" timeout timed out"}},
		{"failed after a part", map[string]string{"systemd/units": unit, "systemd/units.err": "Failed to get properties: Connection reset by peer"},
			facts.StatusPartial, 1, []string{" failed Connection reset by peer"}},
		{"empty", map[string]string{"systemd/units": "\n\n"}, facts.StatusFailed, 0, []string{" failed there is no unit in it"}},
		{"no dump at all", map[string]string{"systemd/units": "Running in chroot, ignoring command 'show'\n"}, facts.StatusFailed, 0, []string{" failed units:1: this line is no property"}},
		{"an excerpt", map[string]string{"systemd/units": unit}, facts.StatusComplete, 1, nil},
		{"line ends of Windows", map[string]string{"systemd/units": "\uFEFF" + strings.ReplaceAll(unit, "\n", "\r\n")}, facts.StatusComplete, 1, nil},
		{"no name", map[string]string{"systemd/units": "MainPID=7\nActiveState=active\n\n" + unit}, facts.StatusPartial, 1, []string{" failed units:1: these properties name no unit"}},
		{"no state", map[string]string{"systemd/units": unit + "\nId=llama.service\nMainPID=3\nExecStart={ path=/usr/bin/llama-server ; argv[]=/usr/bin/llama-server ; ignore_errors=no ; status=0/0 }\n"},
			facts.StatusPartial, 2, []string{"llama.service failed units:6: llama.service has no LoadState="}},
		{"broken command", map[string]string{"systemd/units": strings.Replace(unit, " ; pid=0 ; code=(null) ; status=0/0 }", " ; start", 1) + "MainPID=4\n\n" + strings.ReplaceAll(unit, "vllm", "sglang")},
			facts.StatusPartial, 2, []string{"vllm.service failed units:4: the command that begins here has no end"}},
		{"another kind of unit", map[string]string{"systemd/units": strings.Replace(unit, "vllm.service", "vllm.timer", 1) + "\n" + unit}, facts.StatusComplete, 1, nil},
		{"runs without a file", map[string]string{"systemd/units": "Id=was.service\nLoadState=not-found\nActiveState=active\nMainPID=12\n"},
			facts.StatusPartial, 1, []string{"was.service failed its unit file is gone"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := collect(t, FromCapture(captured(t, tc.files), nil))
			report := d.Source(facts.SourceSystemd)
			if report.Status != tc.status || len(d.Systemd.Units) != tc.units || len(report.Gaps) != len(tc.gaps) {
				t.Fatalf("status %s with %d units and gaps %+v", report.Status, len(d.Systemd.Units), report.Gaps)
			}
			for i, want := range tc.gaps {
				g := report.Gaps[i]
				head := fmt.Sprintf("%s %s ", g.Item, g.Reason)
				if rest, ok := strings.CutPrefix(want, head); !ok || !strings.Contains(g.Detail, rest) {
					t.Errorf("gap %+v, want %q", g, want)
				}
			}
			if report.Status == facts.StatusAbsent && len(tc.gaps) == 0 && report.Detail == "" {
				t.Error("absence is told without its proof")
			}
		})
	}
}

// In a full dump every service has the same properties in the same order, so
// that what was cut off shows, wherever it was cut.
func TestTruncationShows(t *testing.T) {
	var blocks []string
	for i := range 3 {
		var b strings.Builder
		b.WriteString("Type=simple\nMainPID=0\n")
		fmt.Fprintf(&b, "ExecStart={ path=/usr/bin/vllm ; argv[]=/usr/bin/vllm serve m%d ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }\n", i)
		for j := range 100 {
			fmt.Fprintf(&b, "Filler%d=%d\n", j, j)
		}
		fmt.Fprintf(&b, "Id=vllm@%d.service\nLoadState=loaded\nActiveState=active\nSubState=running\nFragmentPath=/etc/systemd/system/vllm@.service\nCollectMode=inactive\n", i)
		blocks = append(blocks, b.String())
	}
	whole := strings.Join(blocks, "\n")
	if raws, flaws := parseShow(whole); len(raws) != 3 || len(flaws) != 0 {
		t.Fatalf("the whole dump: %d units, %+v", len(raws), flaws)
	}
	boundaries := map[int]bool{len(whole): true}
	for i := range blocks { // between two blocks nothing shows, nor need it within the blank line
		end := len(strings.Join(blocks[:i+1], "\n"))
		boundaries[end], boundaries[end+1] = true, true
	}
	unscoped := func(flaws []flaw) bool {
		for _, f := range flaws {
			if f.unit == "" {
				return true
			}
		}
		return false
	}
	for cut := len(blocks[0]) + 2; cut < len(whole); cut += 2 {
		if boundaries[cut] {
			continue
		}
		if _, flaws := parseShow(whole[:cut]); !unscoped(flaws) {
			t.Fatalf("cut after %d bytes, at %q: %+v", cut, whole[max(0, cut-20):cut], flaws)
		}
	}
	if raws, flaws := parseShow(whole[1000:]); len(raws) != 3 || !unscoped(flaws) {
		t.Errorf("without its beginning: %d units, %+v", len(raws), flaws)
	}
	holed := strings.Replace(whole, "Id=vllm@1.service\nLoadState=loaded\n", "", 1)
	if raws, flaws := parseShow(holed); len(raws) != 2 || !unscoped(flaws) {
		t.Errorf("with a hole: %d units, %+v", len(raws), flaws)
	}
}

func FuzzShow(f *testing.F) {
	text, err := os.ReadFile("testdata/workstation/systemd/units")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("ExecStart={ path=/bin/sh ; argv[]=/bin/sh -c a\nb ; status=\n }")
	f.Add("Environment=\"a\\\nDeviceAllow=rw\n\nId=x.service\nId==\x00\nEnvironmentFiles=(ignore_errors=yes) (ignore_errors=")
	f.Fuzz(func(t *testing.T, text string) {
		raws, _ := parseShow(text)
		list, _ := units(raws, []string{"x"})
		for _, u := range list {
			if u.Name == "" || u.Role == "" || u.GPUs == nil || u.ExecStart == nil || u.Environment == nil {
				t.Errorf("an incomplete unit: %+v", u)
			}
		}
	})
}
