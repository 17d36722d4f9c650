package capture

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

const meta = `{"schemaVersion": "gpugate.capture/v1", "capturedAt": "2026-11-30T12:00:00Z", "hostname": "gpu-07"}`

func TestClassify(t *testing.T) {
	tests := []struct {
		words string
		want  facts.Reason
	}{
		{"permission denied while trying to connect to the Docker daemon socket at unix:///run/docker.sock", facts.ReasonDenied},
		{`Error from server (Forbidden): pods is forbidden: User "x" cannot list resource "pods"`, facts.ReasonDenied},
		{"error: You must be logged in to the server (Unauthorized)", facts.ReasonDenied},
		{"iptables-save v1.8.9 (nf_tables): Could not fetch rule set generation id: Permission denied (you must be root)", facts.ReasonDenied},
		{"dmesg: read kernel buffer failed: Operation not permitted", facts.ReasonDenied},
		{"Failed to list units: Interactive authentication required.", facts.ReasonDenied},
		{"cat: /x: No such file or directory\ncat: /y: Permission denied", facts.ReasonDenied},
		{"cat: /x: 허가 거부", facts.ReasonDenied},
		{"sh: nvidia-smi: command not found", facts.ReasonAbsent},
		{"sh: 1: kubectl: not found", facts.ReasonAbsent},
		{"sh: timeout: command not found", facts.ReasonAbsent},
		{"bash: kubectl: 명령어를 찾을 수 없음", facts.ReasonAbsent},
		{"cat: /var/lib/kubelet/x: No such file or directory", facts.ReasonAbsent},
		{"Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?", facts.ReasonAbsent},
		{"System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down", facts.ReasonAbsent},
		{"No devices were found", facts.ReasonAbsent},
		{"df: timed out after 30s", facts.ReasonTimeout},
		{"Unable to connect to the server: net/http: TLS handshake timeout", facts.ReasonTimeout},
		{"Unable to connect to the server: context deadline exceeded", facts.ReasonTimeout},
		{"Failed to initialize NVML: Driver/library version mismatch", facts.ReasonFailed},
		{"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", facts.ReasonFailed},
		{"nvidia-smi: error while loading shared libraries: libnvidia-ml.so.1: cannot open shared object file: No such file or directory", facts.ReasonFailed},
		{"The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?", facts.ReasonFailed},
		{"dial tcp 10.0.0.1:6443: connect: connection refused", facts.ReasonFailed},
		{"cat: /proc/x: Input/output error", facts.ReasonFailed},
		{"", facts.ReasonFailed},
	}
	for _, tt := range tests {
		if got := Classify(tt.words); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.words, got, tt.want)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, files map[string]string) (*Dir, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "capture.json", meta)
	for name, text := range files {
		write(t, dir, name, text)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, dir
}

func TestRead(t *testing.T) {
	d, dir := open(t, map[string]string{
		"host/plain":         "text",
		"host/both":          "half",
		"host/both.err":      "df: /mnt: Permission denied\nmore",
		"host/failed.err":    "boom",
		"host/silent.err":    "",
		"host/quiet":         "text",
		"host/quiet.err":     " \n",
		"host/folder/x":      "x",
		"host/errfolder":     "text",
		"host/errfolder.err": "",
	})
	outside := t.TempDir()
	write(t, outside, "secret", "outside")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Remove(filepath.Join(dir, "host/errfolder.err")))
	must(os.Mkdir(filepath.Join(dir, "host/errfolder.err"), 0o755))
	must(os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "host/absolute")))
	must(os.Symlink("../../"+filepath.Base(outside)+"/secret", filepath.Join(dir, "host/relative")))
	must(os.Symlink(outside, filepath.Join(dir, "docker")))
	must(os.Symlink("plain", filepath.Join(dir, "host/inside")))
	must(syscall.Mkfifo(filepath.Join(dir, "host/pipe"), 0o644))
	huge, err := os.Create(filepath.Join(dir, "host/huge"))
	must(err)
	must(huge.Truncate(maxFileBytes + 1))
	must(huge.Close())

	tests := map[string]struct {
		text   string
		reason facts.Reason
		detail string
	}{
		"host/plain":     {text: "text"},
		"host/inside":    {text: "text"},
		"host/quiet":     {text: "text"},
		"host/both":      {"half", facts.ReasonDenied, dir + "/host/both.err: df: /mnt: Permission denied"},
		"host/failed":    {"", facts.ReasonFailed, dir + "/host/failed.err: boom"},
		"host/silent":    {"", facts.ReasonFailed, dir + "/host/silent.err: the command failed and said nothing"},
		"host/none":      {"", facts.ReasonSkipped, "the capture has no host/none"},
		"nowhere/none":   {"", facts.ReasonSkipped, "the capture has no nowhere/none"},
		"host/folder":    {"", facts.ReasonFailed, dir + "/host/folder: it is not a regular file (d---------)"},
		"host/errfolder": {"text", facts.ReasonFailed, dir + "/host/errfolder.err: it is not a regular file (d---------)"},
		"host/pipe":      {"", facts.ReasonFailed, dir + "/host/pipe: it is not a regular file (p---------)"},
		"host/absolute":  {"", facts.ReasonFailed, dir + "/host/absolute: path escapes from parent"},
		"host/relative":  {"", facts.ReasonFailed, dir + "/host/relative: path escapes from parent"},
		"docker/secret":  {"", facts.ReasonFailed, dir + "/docker/secret.err: path escapes from parent"},
		"host/huge":      {"", facts.ReasonFailed, dir + "/host/huge: it has more than the 268435456 bytes that are read"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := d.Read(name)
			if string(text) != tt.text {
				t.Errorf("text %q, want %q", text, tt.text)
			}
			switch {
			case err == nil && tt.reason != "":
				t.Errorf("no error, want %s", tt.reason)
			case err != nil && (err.Reason != tt.reason || err.Detail != tt.detail):
				t.Errorf("got %s: %s\nwant %s: %s", err.Reason, err.Detail, tt.reason, tt.detail)
			}
		})
	}
	if text, err := d.Read("../" + filepath.Base(outside) + "/secret"); err == nil || len(text) > 0 {
		t.Errorf("read outside the capture: %q", text)
	}
	if _, err := d.List("docker"); err == nil {
		t.Error("listed a folder outside the capture")
	}
}

func TestReadDenied(t *testing.T) {
	d, dir := open(t, map[string]string{"host/x": "text", "host/y": "text", "host/y.err": "boom"})
	for _, name := range []string{"host/x", "host/y.err"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	type result struct{ x, y *Error }
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its identity
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Error(err)
			}
		}
		_, x := d.Read("host/x")
		_, y := d.Read("host/y")
		done <- result{x, y}
	}()
	got := <-done
	if got.x == nil || got.x.Reason != facts.ReasonDenied {
		t.Errorf("an unreadable file: %+v", got.x)
	}
	if got.y == nil || got.y.Reason != facts.ReasonDenied {
		t.Errorf("unreadable words of a command that failed: %+v", got.y)
	}
}

func TestList(t *testing.T) {
	d, _ := open(t, map[string]string{"docker/b/endpoint": "", "docker/a/endpoint": "", "docker/a.err": "", "docker/c.err": ""})
	names, err := d.List("docker")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" {
		t.Error(diff)
	}
	if _, err := d.List("none"); err == nil || err.Reason != facts.ReasonSkipped {
		t.Errorf("got %v", err)
	}
	if _, err := d.List("capture.json"); err == nil || err.Reason != facts.ReasonFailed {
		t.Errorf("got %v", err)
	}
}

func TestOpen(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"malformed":       {"{", "capture.json:1:2: "},
		"another version": {`{"schemaVersion": "gpugate.capture/v9", "capturedAt": "2026-11-30T12:00:00Z"}`, `this program reads "gpugate.capture/v1", the capture is "gpugate.capture/v9"`},
		"no date":         {`{"schemaVersion": "gpugate.capture/v1"}`, "capturedAt is missing"},
		"a wrong date":    {`{"schemaVersion": "gpugate.capture/v1", "capturedAt": "yesterday"}`, "capture.json: "},
		"a list":          {`[]`, "capture.json: "},
		"twice":           {`{"hostname": "a", "hostname": "b"}`, "duplicate"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "capture.json", tt.text)
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a capture") {
		t.Errorf("got %v", err)
	}
	if _, err := Open("/nowhere"); err == nil {
		t.Error("opened nowhere")
	}
}
