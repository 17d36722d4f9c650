package logs

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/docker"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/systemd"
	"github.com/gpugate/gpugate/fixtures/lab"
)

// told are the signals of each stream.
func told(t *testing.T, streams []facts.LogStream) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, s := range streams {
		names := []string{}
		for _, x := range s.Signals {
			names = append(names, x.Name)
			if s.Kind == KindContainer && (x.First == nil || s.First == nil) {
				t.Errorf("%s: %s has no time", s.Name, x.Name)
			}
		}
		all[s.Name] = names
	}
	text, err := json.Marshal(streams)
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range lab.SecretMarks {
		if strings.Contains(string(text), mark) {
			t.Errorf("a secret is kept: %s", text)
		}
	}
	return all
}

// The logs of real containers: of one that runs, and of one that died again and
// again before it was given up.
func TestLabContainers(t *testing.T) {
	_, d := collect(docker.Live(docker.Options{Hosts: []string{lab.Docker(t)}}))
	d.Launch.Manifest = &facts.Manifest{Services: []facts.Service{
		{Runtime: facts.Runtime{Docker: &facts.DockerRuntime{Container: "wan22-t2v"}}},
		{Runtime: facts.Runtime{Docker: &facts.DockerRuntime{Container: "bge-reranker"}}},
		{Runtime: facts.Runtime{Docker: &facts.DockerRuntime{Container: "never-heard-of"}}},
	}}
	report, streams := from(t, d, Options{})
	if report.Status != facts.StatusComplete {
		t.Errorf("%+v", report)
	}
	want := map[string][]string{
		"wan22-t2v":    {"cudaOutOfMemory", "loadProgress"},
		"bge-reranker": {"loadProgress", "serverReady"},
		"raw-device":   {"loadProgress", "serverReady"},
	}
	if diff := cmp.Diff(want, told(t, streams)); diff != "" {
		t.Error(diff)
	}
	for _, s := range streams {
		if !s.Whole || s.Endpoint != lab.Docker(t) {
			t.Errorf("%+v", s)
		}
		if s.Name == "wan22-t2v" && (s.Signals[0].Count < 3 || s.Signals[1].Count != 1) {
			t.Errorf("three runs ran out of memory, and one is the present: %+v", s.Signals)
		}
	}
	for i := range d.Docker.Daemons[0].Containers {
		d.Docker.Daemons[0].Containers[i].ID = "0000"
	}
	report, streams = from(t, d, Options{})
	if len(streams) > 0 || len(report.Gaps) == 0 || report.Status != facts.StatusFailed {
		t.Errorf("of containers that are gone: %+v %+v", report, streams)
	}
}

// The journal of real units.
func TestLabUnits(t *testing.T) {
	_, d := collect(systemd.Live(systemd.Options{Address: lab.Systemd(t)}))
	beside := journal{prefix: []string{"nsenter", "-t", strconv.Itoa(lab.SystemdPID(t)), "-m", "-p", "-u", "-i", "-C"}}
	report, streams := from(t, d, Options{journal: beside})
	if report.Status != facts.StatusComplete {
		t.Errorf("%+v", report)
	}
	all := told(t, streams)
	if diff := cmp.Diff([]string{"loadProgress", "serverReady"}, all["deepseek-v4-flash.service"]); diff != "" {
		t.Error(diff)
	}
	if got := all["wan22.service"]; len(got) == 0 || got[0] != "cudaOutOfMemory" {
		t.Errorf("wan22: %v", got)
	}
	if _, ok := all["qwen3-vl.service"]; ok {
		t.Error("the log of a unit that only starts a container is read")
	}
}
