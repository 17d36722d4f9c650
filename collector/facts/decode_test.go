package facts

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sample is a small document with something in every section.
func sample() *Document {
	d := &Document{
		SchemaVersion: SchemaVersion,
		CollectedAt:   time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Collector:     Collector{Name: "gpugate", Version: "test"},
		NVML: NVML{GPUs: []GPU{
			{UUID: "GPU-b", State: "ok", MIGDevices: []MIGDevice{}, NVLinks: []NVLink{}},
			{UUID: "GPU-a", State: "ok", MIGDevices: []MIGDevice{}, NVLinks: []NVLink{}},
		}},
		Docker:  Docker{Daemons: []Daemon{{Endpoint: "unix:///run/docker.sock", Status: StatusComplete}}},
		Origins: []Origin{{Pointer: "/launch/manifest", File: "launch.yaml", Positions: []Position{{Pointer: "/launch/manifest/owner", Line: 3, Column: 1}}}},
	}
	for _, name := range SourceNames() {
		d.SetSource(Complete(name, "test"))
	}
	return d
}

func TestDocumentSurvivesWritingAndReading(t *testing.T) {
	text, err := sample().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	d, places, err := Decode("host.json", text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(again)); diff != "" {
		t.Errorf("written, read and written again it differs:\n%s", diff)
	}
	if d.NVML.GPUs[0].UUID != "GPU-a" {
		t.Error("the cards are not sorted by UUID")
	}
	p := places.Position("/nvml/gpus/1/uuid")
	line := strings.Split(string(text), "\n")[p.Line-1]
	if !strings.HasPrefix(line[p.Column-1:], `"uuid": "GPU-b"`) {
		t.Errorf("position %+v is not where the value stands: %s", p, line)
	}
}

func TestNothingIsNull(t *testing.T) {
	text, err := (&Document{}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("null")) {
		t.Errorf("an empty collection is written as null:\n%s", text)
	}
}

// The order in which sources hand over what they found is not a fact.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sample(), sample()
		b.NVML.GPUs = rapid.Permutation(b.NVML.GPUs).Draw(t, "gpus")
		b.Sources = rapid.Permutation(b.Sources).Draw(t, "sources")
		x, errX := a.Marshal()
		y, errY := b.Marshal()
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Fatalf("two orders give two documents (%v, %v)", errX, errY)
		}
	})
}

func TestDecodeIsStrictAndNamesThePlace(t *testing.T) {
	good, err := sample().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	change := func(old, replacement string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("the sample has no %q", old)
		}
		return strings.Replace(string(good), old, replacement, 1)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "host.json:1:1: the file is empty"},
		{"blank", " \n\n", "host.json:3:1: the file is empty"},
		{"cut off", string(good[:len(good)/2]), "the file ends in the middle"},
		{"more after the end", string(good) + "{}", "unexpected data after the end"},
		{"no JSON", "hello", "host.json:1:1"},
		{"a list", "[]", "it has no schemaVersion"},
		{"another document", `{"a": 1}`, "it has no schemaVersion"},
		{"another version", change(`"gpugate.facts/v1"`, `"gpugate.facts/v2"`), `/schemaVersion: this program reads "gpugate.facts/v1", the file is "gpugate.facts/v2"`},
		{"duplicate name", change(`"collector": {`, `"collector": {}, "collector": {`), "duplicate object member name"},
		{"unknown member", change(`"state": "ok"`, `"state": "ok", "statd": "ok"`), "/nvml/gpus/0: "},
		{"unknown status", change(`"status": "complete"`, `"status": "fine"`), "/status"},
		{"no date", change(`"2026-11-30T12:00:00Z"`, `"yesterday"`), "collectedAt"},
		{"invalid UTF-8", change("launch.yaml", "launch\xff.yaml"), "UTF-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := Decode("host.json", []byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want an error that names %q", err, tc.want)
			}
			if !strings.HasPrefix(err.Error(), "host.json:") {
				t.Errorf("the error does not begin with file:line:column: %v", err)
			}
		})
	}
}

func TestGapsTouchInBothDirections(t *testing.T) {
	for _, tc := range []struct {
		gap, path string
		want      bool
	}{
		{"docker", "docker.daemons", true},
		{"docker.daemons", "docker", true},
		{"docker.daemons", "docker.daemons", true},
		{"docker.daemons", "docker.daemonsets", false},
		{"nvml.gpus", "nvml.processes", false},
	} {
		if got := (Gap{Path: tc.gap}).Touches(tc.path); got != tc.want {
			t.Errorf("gap at %s touches %s: %v", tc.gap, tc.path, got)
		}
	}
}

func TestFactsFromTheFutureHaveNoAge(t *testing.T) {
	d := sample()
	d.Age(d.CollectedAt.Add(-time.Hour), 2*time.Hour)
	if s := d.Source(SourceNVML); len(s.Gaps) != 1 || s.Gaps[0].Reason != ReasonStale {
		t.Errorf("facts of tomorrow count as fresh: %+v", s)
	}
}

func TestFactsAge(t *testing.T) {
	d := sample()
	d.Age(d.CollectedAt.Add(time.Hour), 2*time.Hour)
	if len(d.Gaps()) != 0 {
		t.Errorf("an hour old and already stale: %+v", d.Gaps())
	}
	d.Age(d.CollectedAt.Add(3*time.Hour), 2*time.Hour)
	for _, name := range []string{SourceHost, SourceNVML, SourceDocker, SourceSystemd, SourceKubernetes} {
		if s := d.Source(name); len(s.Gaps) != 1 || s.Gaps[0].Reason != ReasonStale {
			t.Errorf("%s is not stale: %+v", name, s)
		}
	}
	if len(d.Source(SourceLaunch).Gaps) != 0 {
		t.Error("the manifest is a file with a history of its own and does not age")
	}
}

// Whatever is read, it ends in a document or an error, never in a panic, and a
// document that was accepted can be written and read again.
func FuzzDecode(f *testing.F) {
	good, err := sample().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"schemaVersion":"gpugate.facts/v1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, _, err := Decode("f.json", text)
		if err != nil {
			return
		}
		again, err := d.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Decode("again.json", again); err != nil {
			t.Errorf("what was accepted is refused when written again: %v", err)
		}
	})
}
