package launch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// folder writes the files into a new folder and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func collect(t *testing.T, s collector.Source) (facts.Source, *facts.Document) {
	t.Helper()
	r := s.Collect(context.Background())
	d := &facts.Document{}
	if r.Attach != nil {
		r.Attach(d)
	}
	return r.Report, d
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const withEvidence = head + `
tke: {script: {file: add2tkectl-cls-aaaa1111-np-bbbb2222, sha256: ` + ones + `}}
attestations:
  - control: L5
    statement: s
    evidence:
      - docs/a.md
      - docs/b.md@sha256:` + ones + `
      - docs/none.md
      - docs
      - /etc/hostname
      - ../outside.md
      - docs/../../outside.md
      - out
      - loop
      - empty.md
      - pipe
      - docs/a.md/x
      - https://u:p@example.com/r?token=abc
      - docs/a.md
`

const ones = "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"

func TestEvidence(t *testing.T) {
	dir := folder(t, map[string]string{"outside.md": "x", "repo/launch.yaml": withEvidence, "repo/docs/a.md": "alpha", "repo/docs/b.md": "beta", "repo/empty.md": ""})
	repo := filepath.Join(dir, "repo")
	for _, err := range []error{
		os.Symlink("../outside.md", filepath.Join(repo, "out")),
		os.Symlink("loop", filepath.Join(repo, "loop")),
		syscall.Mkfifo(filepath.Join(repo, "pipe"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	report, d := collect(t, New(Options{File: filepath.Join(repo, "launch.yaml")}))
	yes, no := true, false
	const out = "the path leads out of the manifest's folder; evidence stands beside the manifest"
	none := "no such file beside the manifest"
	want := []facts.Evidence{
		{Reference: "add2tkectl-cls-aaaa1111-np-bbbb2222", Kind: "file", Path: "add2tkectl-cls-aaaa1111-np-bbbb2222", RecordedSHA256: ones, Found: &no, Problem: none},
		{Reference: "docs/a.md", Kind: "file", Path: "docs/a.md", Found: &yes, ActualSHA256: digest("alpha")},
		{Reference: "docs/b.md@sha256:" + ones, Kind: "file", Path: "docs/b.md", RecordedSHA256: ones, Found: &yes, ActualSHA256: digest("beta")},
		{Reference: "docs/none.md", Kind: "file", Path: "docs/none.md", Found: &no, Problem: none},
		{Reference: "docs", Kind: "file", Path: "docs", Found: &no, Problem: "this is not a file that can be read; name a file"},
		{Reference: "/etc/hostname", Kind: "file", Path: "/etc/hostname", Found: &no, Problem: out},
		{Reference: "../outside.md", Kind: "file", Path: "../outside.md", Found: &no, Problem: out},
		{Reference: "docs/../../outside.md", Kind: "file", Path: "docs/../../outside.md", Found: &no, Problem: out},
		{Reference: "out", Kind: "file", Path: "out", Found: &no, Problem: "a symbolic link leads out of the manifest's folder; evidence stands beside the manifest"},
		{Reference: "loop", Kind: "file", Path: "loop", Problem: "too many levels of symbolic links"},
		{Reference: "empty.md", Kind: "file", Path: "empty.md", Found: &no, Problem: "the file is empty; it shows nothing"},
		{Reference: "pipe", Kind: "file", Path: "pipe", Found: &no, Problem: "this is not a file that can be read; name a file"},
		{Reference: "docs/a.md/x", Kind: "file", Path: "docs/a.md/x", Found: &no, Problem: none},
		{Reference: "https://[redacted]@example.com/r?token=[redacted]", Kind: "url", Path: "https://[redacted]@example.com/r?token=[redacted]"},
	}
	if diff := cmp.Diff(want, d.Launch.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	wantGaps := []facts.Gap{{Path: "launch.evidence", Item: "loop", Reason: facts.ReasonFailed, Detail: "loop: too many levels of symbolic links"}}
	if diff := cmp.Diff(wantGaps, report.Gaps); diff != "" || report.Status != facts.StatusPartial {
		t.Errorf("status %s, gaps (-want +got):\n%s", report.Status, diff)
	}
}

// find runs a lookup as nobody, so that permissions hold for root too.
func findAsNobody(t *testing.T, l *lookup, refs []reference) ([]facts.Evidence, []facts.Gap) {
	t.Helper()
	var found []facts.Evidence
	var gaps []facts.Gap
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its identity
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				done <- err
				return
			}
		}
		found, gaps = l.find(context.Background(), refs)
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return found, gaps
}

func TestEvidenceNobodyCouldLookAt(t *testing.T) {
	dir := folder(t, map[string]string{"secret.md": "x", "large.md": "0123456789"})
	if err := os.Chmod(filepath.Join(dir, "secret.md"), 0); err != nil {
		t.Fatal(err)
	}
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := newLookup(dir, false)
	defer l.close()
	l.maxBytes = 9
	found, gaps := findAsNobody(t, l, []reference{{text: "secret.md"}, {text: "large.md"}})
	want := []facts.Gap{
		{Path: "launch.evidence", Item: "secret.md", Reason: facts.ReasonDenied, Detail: "secret.md: permission denied"},
		{Path: "launch.evidence", Item: "large.md", Reason: facts.ReasonSkipped, Detail: "large.md: the file has more than 9 bytes; its digest was not computed"},
	}
	if diff := cmp.Diff(want, gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	for _, e := range found {
		if e.Found != nil {
			t.Errorf("%s: found is %v though nobody could look", e.Reference, *e.Found)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	found, gaps = l.find(ctx, []reference{{text: "secret.md"}})
	if found[0].Found != nil || len(gaps) != 1 || gaps[0].Reason != facts.ReasonTimeout {
		t.Errorf("without time: %+v, %+v", found, gaps)
	}

	gone := newLookup(filepath.Join(dir, "gone"), false)
	found, gaps = gone.find(context.Background(), []reference{{text: "a.md"}})
	if found[0].Found != nil || len(gaps) != 1 || gaps[0].Reason != facts.ReasonFailed {
		t.Errorf("without the folder: %+v, %+v", found, gaps)
	}
}

func TestMissingManifest(t *testing.T) {
	dir := folder(t, map[string]string{"bad.yaml": head + "ower: docker\nscop: x\n"})
	tests := map[string]struct {
		file   string
		reason facts.Reason
		detail string
	}{
		"not given":   {"", facts.ReasonSkipped, "no launch manifest given (--launch launch.yaml; gpugate init writes a first one)"},
		"not there":   {filepath.Join(dir, "none.yaml"), facts.ReasonFailed, "reading the launch manifest: stat " + dir + "/none.yaml: no such file or directory"},
		"a folder":    {dir, facts.ReasonFailed, "reading the launch manifest: " + dir + " is not a file (d---------)"},
		"not a valid": {filepath.Join(dir, "bad.yaml"), facts.ReasonFailed, dir + `/bad.yaml:4:1: ower: unknown key "ower": did you mean "owner"?; ` + dir + `/bad.yaml:5:1: scop: unknown key "scop": did you mean "scope"?`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			report, d := collect(t, New(Options{File: tt.file}))
			want := facts.Source{Name: "launch", Status: tt.reason.Status(), Via: tt.file, Gaps: []facts.Gap{
				{Path: "launch.manifest", Reason: tt.reason, Detail: tt.detail},
				{Path: "launch.evidence", Reason: tt.reason, Detail: tt.detail},
			}}
			if diff := cmp.Diff(want, report); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if d.Launch.Manifest != nil {
				t.Error("a manifest from nothing")
			}
			if tt.file == "" {
				return
			}
			if _, _, err := Read(tt.file); err == nil {
				t.Error("Read gave no error")
			}
		})
	}
	_, _, err := Read(filepath.Join(dir, "none.yaml"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want an error that is fs.ErrNotExist", err)
	}
}

func TestFromCapture(t *testing.T) {
	const meta = `{"schemaVersion": "gpugate.capture/v1", "capturedAt": "2026-11-30T12:00:00Z", "hostname": "gpu-07"}`
	open := func(files map[string]string) *capture.Dir {
		files["capture.json"] = meta
		dir, err := capture.Open(folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	report, _ := collect(t, FromCapture(open(map[string]string{})))
	if report.Status != facts.StatusSkipped || report.Gaps[0].Detail != notGiven {
		t.Errorf("without a manifest: %+v", report)
	}

	dir := open(map[string]string{"launch.yaml": head + "tione: {policy: tione/policy.json}\nattestations: [{control: L5, statement: s, evidence: [docs/a.md]}]\n", "tione/policy.json": "{}"})
	report, d := collect(t, FromCapture(dir))
	if report.Status != facts.StatusPartial || len(report.Gaps) != 1 || report.Gaps[0].Item != "docs/a.md" || report.Gaps[0].Reason != facts.ReasonSkipped {
		t.Errorf("evidence that did not travel: %+v", report)
	}
	if e := d.Launch.Evidence; e[0].Found == nil || !*e[0].Found || e[1].Found != nil {
		t.Errorf("evidence: %+v", e)
	}

	report, d = collect(t, FromCapture(open(map[string]string{"launch.yaml": "kind: [\n"})))
	if report.Status != facts.StatusFailed || !strings.Contains(report.Gaps[0].Detail, "launch.yaml:1:7: ") || d.Launch.Manifest != nil {
		t.Errorf("a broken manifest: %+v", report)
	}

	report, _ = collect(t, FromCapture(open(map[string]string{"launch.yaml.err": "cat: launch.yaml: Permission denied"})))
	if report.Status != facts.StatusDenied {
		t.Errorf("a manifest nobody could read: %+v", report)
	}
}

func TestOriginAndSecrets(t *testing.T) {
	const text = head + `services:
  - name: a
    runtime: {docker: {container: c, host: "tcp://u:lab-secret-1@10.0.0.1:2376"}}
    args: [serve, --api-key, lab-secret-2, "--token=lab-secret-3"]
    gpus: [0, GPU-11111111-2222-3333-4444-555555555555]
    endpoint: {port: 80, health: "/health?token=lab-secret-4"}
attestations:
  - {control: L4, statement: "password=lab-secret-5", on: 2026-11-21, evidence: ["https://example.com/x?sig=lab-secret-6"]}
tione: {preemption: {acknowledged: true, reason: "token: lab-secret-7"}}
`
	dir := folder(t, map[string]string{"launch.yaml": text})
	file := filepath.Join(dir, "launch.yaml")
	l, origin, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "lab-secret") {
		t.Errorf("a secret entered the document: %s", b)
	}
	if diff := cmp.Diff([]string{"0", "GPU-11111111-2222-3333-4444-555555555555"}, l.Manifest.Services[0].GPUs); diff != "" {
		t.Errorf("gpus: %s", diff)
	}
	if origin.File != file || origin.SHA256 != digest(text) || origin.Pointer != "/launch/manifest" {
		t.Errorf("origin: %+v", origin)
	}
	at := map[string][2]int{}
	for _, p := range origin.Positions {
		at[p.Pointer] = [2]int{p.Line, p.Column}
	}
	for pointer, want := range map[string][2]int{
		"/launch/manifest":                            {1, 1},
		"/launch/manifest/services":                   {4, 1},
		"/launch/manifest/services/0":                 {5, 5},
		"/launch/manifest/services/0/args/1":          {7, 19},
		"/launch/manifest/services/0/gpus/1":          {8, 15},
		"/launch/manifest/services/0/runtime/docker":  {6, 15},
		"/launch/manifest/attestations/0":             {11, 5},
		"/launch/manifest/attestations/0/evidence/0":  {11, 82},
		"/launch/manifest/tione/preemption/reason":    {12, 42},
		"/launch/manifest/services/0/endpoint/health": {9, 26},
	} {
		if at[pointer] != want {
			t.Errorf("%s stands at %v, want %v", pointer, at[pointer], want)
		}
	}
	var again strings.Builder
	for range 2 {
		_, o, _ := Read(file)
		b, _ := json.Marshal(o)
		again.Write(b)
	}
	if s := again.String(); s[:len(s)/2] != s[len(s)/2:] {
		t.Error("two readings differ")
	}
}

// The attached section passes the schema of the document.
func TestSectionFitsTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../docs/launch.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	example, _, _ := strings.Cut(rest, "```")
	dir := folder(t, map[string]string{"launch.yaml": example, "docs/ssrf.md": "x"})
	report, d := collect(t, New(Options{File: filepath.Join(dir, "launch.yaml")}))
	d.SchemaVersion = facts.SchemaVersion
	d.SetSource(report)
	b, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := facts.Decode("facts.json", b); err != nil {
		t.Error(err)
	}
}
