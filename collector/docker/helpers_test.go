package docker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// writeCapture writes a capture with these files.
func writeCapture(t testing.TB, files map[string]string) *capture.Dir {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "capture.json"), `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-10-05T08:00:00Z","hostname":"gpu-7"}`)
	for name, text := range files {
		write(t, filepath.Join(root, name), text)
	}
	dir, err := capture.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// collected runs a source's result into a document and checks what holds for
// every one: it is valid against the schema.
func collected(t testing.TB, r collector.Result) (facts.Docker, facts.Source) {
	t.Helper()
	d := facts.Document{SchemaVersion: facts.SchemaVersion}
	d.SetSource(r.Report)
	if r.Attach != nil {
		r.Attach(&d)
	}
	text, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := facts.Decode("document", text); err != nil {
		t.Fatalf("the document does not fit its schema: %v", err)
	}
	return d.Docker, d.Source(facts.SourceDocker)
}

func gapsOf(s facts.Source) (lines []string) {
	for _, g := range s.Gaps {
		lines = append(lines, strings.TrimSpace(string(g.Reason)+" "+g.Item)+": "+g.Detail)
	}
	return lines
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// brief writes what a container may use, a way each.
func brief(selections []facts.DeviceSelection) (lines []string) {
	for _, s := range selections {
		line := s.Via + ":"
		if s.All {
			line += " all"
		}
		for range s.Count {
			line += " I"
		}
		for _, d := range s.Devices {
			line += " " + d.Kind + "=" + d.Value
		}
		if s.Utility {
			line += " utility"
		}
		lines = append(lines, line)
	}
	return lines
}
