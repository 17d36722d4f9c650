package logs

import (
	"bytes"
	"context"
	"encoding/json"
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

func at(text string) *time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return &t
}

// Progress bars write over themselves: one line, whose last state counts.
func TestPieces(t *testing.T) {
	m := newMatcher(KindFile, "glm", nil)
	text := "first\r\n\rLoading safetensors checkpoint shards:   0% Completed | 0/4\rLoading safetensors checkpoint shards:  75% Completed | 3/4\n\nlast without an end"
	if err := m.readText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	want := facts.LogStream{Kind: KindFile, Name: "glm", Lines: 4, Signals: []facts.LogSignal{{Name: "loadProgress", Count: 1, LastLine: 2, Value: new(int64(75))}}}
	if diff := cmp.Diff(want, m.result()); diff != "" {
		t.Error(diff)
	}
}

// What tells how far a run got is counted in the present run, what went wrong in
// every run.
func TestRuns(t *testing.T) {
	text := `2026-11-30T11:00:00.5Z Application startup complete.
2026-11-30T11:30:00.5Z torch.OutOfMemoryError: CUDA out of memory.
2026-11-30T12:00:00.000000001Z ==> start
2026-11-30T12:00:01Z Loading safetensors checkpoint shards:  50% Completed | 2/4
`
	m := newMatcher(KindContainer, "glm", at("2026-11-30T12:00:00Z"))
	if err := m.readText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	want := facts.LogStream{
		Kind: KindContainer, Name: "glm", Lines: 4, First: at("2026-11-30T11:00:00Z"), Last: at("2026-11-30T12:00:01Z"),
		Signals: []facts.LogSignal{
			{Name: "cudaOutOfMemory", Count: 1, LastLine: 2, First: at("2026-11-30T11:30:00Z"), Last: at("2026-11-30T11:30:00Z")},
			{Name: "loadProgress", Count: 1, LastLine: 4, First: at("2026-11-30T12:00:01Z"), Last: at("2026-11-30T12:00:01Z"), Value: new(int64(50))},
		},
	}
	if diff := cmp.Diff(want, m.result()); diff != "" {
		t.Error(diff)
	}
	if !m.reached {
		t.Error("the start of the run is not seen")
	}
}

// A line without an end, or of more than is looked at, costs no memory and does
// not hide the next.
func TestLongLines(t *testing.T) {
	m := newMatcher(KindFile, "glm", nil)
	long := "CUDA out of memory " + strings.Repeat("x", 3*maxLine) + " No space left on device"
	if err := m.readText(strings.NewReader(long + "\nConversion failed!\n")); err != nil {
		t.Fatal(err)
	}
	want := []facts.LogSignal{{Name: "cudaOutOfMemory", Count: 1, LastLine: 1}, {Name: "postProcessFailed", Count: 1, LastLine: 2}}
	if diff := cmp.Diff(want, m.result().Signals); diff != "" {
		t.Error(diff)
	}
	m = newMatcher(KindFile, "glm", nil)
	if err := m.readText(bytes.NewReader(make([]byte, maxLog+2))); err == nil {
		t.Error("an endless log is said to be read to the end")
	}
}

func TestLastLines(t *testing.T) {
	if got := string(lastLines([]byte("a\nb\nc"))); got != "a\nb\nc" {
		t.Errorf("%q", got)
	}
	text := lastLines([]byte("first\n" + strings.Repeat("x\n", MaxLines)))
	if n := bytes.Count(text, []byte("\n")); n != MaxLines || bytes.Contains(text, []byte("first")) {
		t.Errorf("%d lines", n)
	}
	if n := len(lastLines(bytes.Repeat([]byte("x"), maxLog+10))); n != 0 {
		t.Errorf("%d bytes of one line", n)
	}
	if n := len(lastLines(append(bytes.Repeat([]byte("x"), maxLog+10), "\ny\n"...))); n != 2 {
		t.Errorf("%d bytes after one long line", n)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("2026-11-30T12:00:00Z CUDA out of memory\r\r\n\x1b[1m"))
	f.Add([]byte("\"prompt\": \xff\xfe NVRM: Xid (x): 99999999999999999999"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := newMatcher(KindFile, "x", at("2026-11-30T12:00:00Z"))
		if err := m.readText(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		s := m.result()
		if problem := (Signals{Streams: []facts.LogStream{s}}).problem(); problem != "" {
			t.Error(problem)
		}
		if n := bytes.Count(text, []byte("\n")); s.Lines < n || s.Lines > n+1 {
			t.Errorf("%d lines, %d line feeds", s.Lines, n)
		}
	})
}

func openCapture(t *testing.T, files map[string]string) *capture.Dir {
	t.Helper()
	root := t.TempDir()
	files["capture.json"] = `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-11-30T12:00:00Z","hostname":"cvd-a"}`
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := capture.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func collect(s collector.Source) (facts.Source, *facts.Document) {
	r := s.Collect(context.Background())
	d := &facts.Document{}
	if r.Attach != nil {
		r.Attach(d)
	}
	return r.Report, d
}

func TestCapture(t *testing.T) {
	dir := openCapture(t, map[string]string{
		"logs/glm.log":      "prompt: seeded-secret\nCUDA out of memory seeded-secret\n",
		"logs/wan.log.err":  "cat: /var/log/seeded-secret: Permission denied",
		"logs/two-gpus.txt": "CUDA out of memory",
		"logs/signals.json": `{"streams": [{"kind": "unit", "name": "a.service", "lines": 10, "whole": true, "signals": [{"name": "serverReady", "count": 1, "lastLine": 9}]}],
			"gaps": [{"path": "logs.streams", "item": "b.service", "reason": "denied", "detail": "no"}]}`,
	})
	report, d := collect(FromCapture(dir))
	want := []facts.LogStream{
		{Kind: KindFile, Name: "glm", Lines: 2, Signals: []facts.LogSignal{{Name: "cudaOutOfMemory", Count: 1, LastLine: 2}}},
		{Kind: KindUnit, Name: "a.service", Lines: 10, Whole: true, Signals: []facts.LogSignal{{Name: "serverReady", Count: 1, LastLine: 9}}},
	}
	if diff := cmp.Diff(want, d.Logs.Streams); diff != "" {
		t.Error(diff)
	}
	if report.Status != facts.StatusPartial || len(report.Gaps) != 2 || report.Gaps[0].Item != "b.service" || report.Gaps[1].Item != "wan" || report.Gaps[1].Reason != facts.ReasonDenied {
		t.Errorf("%+v", report)
	}
	text, err := json.Marshal([]any{report, d})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("seeded")) {
		t.Errorf("something of a log is kept: %s", text)
	}
}

func TestNoLogsInCapture(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no folder": {},
		"no log":    {"logs/notes.txt": "CUDA out of memory"},
	} {
		report, d := collect(FromCapture(openCapture(t, files)))
		if report.Status != facts.StatusSkipped || len(report.Gaps) != 1 || len(d.Logs.Streams) > 0 {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

// A file of signals may come from anywhere: what cannot be is not taken.
func TestBadSignals(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":            `{`,
		"unknown signal":     `{"streams": [{"kind": "unit", "name": "a", "lines": 1, "signals": [{"name": "x", "count": 1, "lastLine": 1}]}]}`,
		"never":              `{"streams": [{"kind": "unit", "name": "a", "lines": 1, "signals": [{"name": "xid", "count": 0, "lastLine": 1}]}]}`,
		"beyond the end":     `{"streams": [{"kind": "unit", "name": "a", "lines": 1, "signals": [{"name": "xid", "count": 1, "lastLine": 2}]}]}`,
		"more than lines":    `{"streams": [{"kind": "unit", "name": "a", "lines": 1, "signals": [{"name": "xid", "count": 2, "lastLine": 1}]}]}`,
		"unknown kind":       `{"streams": [{"kind": "x", "name": "a", "lines": 1}]}`,
		"no name":            `{"streams": [{"kind": "unit", "lines": 1}]}`,
		"a gap of another":   `{"gaps": [{"path": "nvml", "reason": "denied"}]}`,
		"an unknown reason":  `{"gaps": [{"path": "logs.streams", "reason": "lazy"}]}`,
		"a list, no object":  `[]`,
		"streams are a word": `{"streams": "none"}`,
	} {
		report, d := collect(FromCapture(openCapture(t, map[string]string{"logs/signals.json": text})))
		if report.Status != facts.StatusFailed || len(report.Gaps) != 1 || report.Gaps[0].Item != "" || len(d.Logs.Streams) > 0 {
			t.Errorf("%s: %+v %+v", name, report, d.Logs)
		}
	}
	report, _ := collect(FromCapture(openCapture(t, map[string]string{"logs/signals.json.err": "permission denied"})))
	if report.Status != facts.StatusDenied {
		t.Errorf("%+v", report)
	}
	if report, _ := collect(NotAsked()); report.Status != facts.StatusSkipped || len(report.Gaps) != 1 {
		t.Errorf("%+v", report)
	}
}
