package systemd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// lab returns what the lab of real daemons tells in an environment variable.
// Without the lab the test is skipped, but never where CI must prove things.
func lab(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not set; run make lab", variable)
		}
		t.Skipf("%s is not set; run make lab", variable)
	}
	return value
}

// inLab runs a command beside the lab's systemd.
func inLab(t *testing.T, command ...string) []byte {
	t.Helper()
	args := append([]string{"-t", lab(t, "GPUGATE_LAB_SYSTEMD_PID"), "-m", "-p", "-u", "-i", "-C"}, command...)
	var stderr bytes.Buffer
	c := exec.Command("nsenter", args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, &stderr)
	}
	return out
}

func TestZDump(t *testing.T) {
	d := collect(t, Live(Options{Address: lab(t, "GPUGATE_LAB_SYSTEMD"), Named: []string{"no-such"}}))
	b, _ := json.MarshalIndent(d.Systemd, "", " ")
	fmt.Println(string(b), d.Sources)
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "systemd"), 0o755)
	os.WriteFile(filepath.Join(dir, "capture.json"), []byte(`{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-11-30T12:00:00Z","hostname":"x"}`), 0o644)
	os.WriteFile(filepath.Join(dir, "systemd/units"), inLab(t, "systemctl", "show", "*.service", "--all"), 0o644)
	c, err := capture.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	d2 := collect(t, FromCapture(c, []string{"no-such"}))
	fmt.Println(cmp.Diff(d.Systemd, d2.Systemd), d2.Sources)
}

func collect(t *testing.T, s interface {
	Collect(context.Context) collector.Result
}) *facts.Document {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r := s.Collect(ctx)
	d := &facts.Document{}
	d.SetSource(r.Report)
	if r.Attach != nil {
		r.Attach(d)
	}
	return d
}
