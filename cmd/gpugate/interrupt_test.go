package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestInterrupted interrupts commands while they wait. They end soon, with the
// signal's exit code, and write nothing: half a scan would look like missing
// evidence.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.json")
	for name, tc := range map[string]struct {
		signal syscall.Signal
		code   int
		words  string
		// waits prepares something to wait for. It returns the command line and
		// what blocks until the command has come to wait.
		waits func(*testing.T) (args []string, reached func())
	}{
		"for a daemon": {syscall.SIGINT, 130, "gpugate: interrupted\n", func(t *testing.T) ([]string, func()) {
			socket := filepath.Join(t.TempDir(), "silent.sock")
			l, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			return []string{"scan", "--docker-host", "unix://" + socket, "--timeout", "5m", "-o", "json=" + out}, func() {
				c, err := l.Accept()
				if err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(func() { _ = c.Close() })
			}
		}},
		"for a file": {syscall.SIGTERM, 143, "gpugate: terminated\n", func(t *testing.T) ([]string, func()) {
			fifo := filepath.Join(t.TempDir(), "facts.json")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			return []string{"evaluate", "--facts", fifo, "-o", "json=" + out}, func() {
				f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
				if err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(func() { _ = f.Close() })
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			args, reached := tc.waits(t)
			var stdout, stderr bytes.Buffer
			c := exec.CommandContext(t.Context(), "gpugate", args...)
			c.Stdout, c.Stderr = &stdout, &stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			reached()
			began := time.Now()
			if err := c.Process.Signal(tc.signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // the exit code says it
			if code := c.ProcessState.ExitCode(); code != tc.code || stdout.String() != "" || stderr.String() != tc.words {
				t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout.String(), stderr.String())
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %s to end", took)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a file was written")
			}
		})
	}
}
