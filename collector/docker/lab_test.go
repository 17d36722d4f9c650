package docker

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/fixtures/lab"
)

func TestRealDaemons(t *testing.T) {
	one, two := lab.Docker(t), lab.DockerSGLang(t)
	section, report := ask(t, emptyHost(t), 20*time.Second, one, two)
	if report.Status != facts.StatusComplete || len(report.Gaps) > 0 {
		t.Fatalf("%s: %q", report.Status, gapsOf(report))
	}
	gpus, health, state := map[string][]string{}, map[string]string{}, map[string]string{}
	for _, d := range section.Daemons {
		if d.Engine != "docker" || d.APIVersion == "" || d.ID == "" {
			t.Errorf("daemon: %+v", d)
		}
		for _, c := range d.Containers {
			name := c.Name
			if d.Endpoint == two {
				name = "sglang:" + name
			}
			gpus[name], health[name], state[name] = brief(c.GPUs), c.Health, c.State
		}
	}
	for name, want := range map[string][]string{
		"glm53-flash":               {"deviceRequest: index=0"},
		"minimax-all":               {"deviceRequest: all"},
		"qwen3-embedding":           nil,
		"cuda-base":                 nil,
		"dev-bind":                  {"deviceCgroupRule: all", "mount: all"},
		"privileged-exporter":       {"privileged: all"},
		"lora-training":             {"deviceRequest: index=1"},
		"raw-device":                {"device: unknown=/dev/null"},
		"sglang:deepseek-v4-sglang": {"deviceRequest: index=0 index=1"},
		"sglang:sglang-router":      nil,
		"sglang:qwen3-embedding":    nil,
	} {
		if diff := cmp.Diff(want, gpus[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, want := range map[string]string{"bge-reranker": "healthy", "bge-unhealthy": "unhealthy", "cuda-base": ""} {
		if health[name] != want {
			t.Errorf("%s: health %q, want %q", name, health[name], want)
		}
	}
	for name, want := range map[string]string{"glm53-flash": "created", "paused-model": "paused", "weights-download": "exited", "cuda-base": "running"} {
		if state[name] != want {
			t.Errorf("%s: state %q, want %q", name, state[name], want)
		}
	}
	text := asJSON(t, section)
	for _, secret := range []string{"lab-secret", "hf_lab"} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("a secret got in: …%s…", text[max(0, i-60):min(len(text), i+40)])
		}
	}
}

// The daemons that run are found by their processes, wherever their sockets are.
func TestRealDaemonsAreFound(t *testing.T) {
	one, two := lab.Docker(t), lab.DockerSGLang(t)
	section, report := ask(t, host{proc: "/proc", env: func(string) string { return "" }}, 20*time.Second)
	found := map[string]bool{}
	for _, d := range section.Daemons {
		found[d.Endpoint] = true
	}
	if !found[one] || !found[two] {
		t.Errorf("found %v (%s)", found, asJSON(t, report))
	}
}
