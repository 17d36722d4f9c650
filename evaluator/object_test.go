package evaluator

import (
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestObjectAt(t *testing.T) {
	d := document(facts.GPU{UUID: "GPU-a", Index: new(int)}, facts.GPU{UUID: "PCI-b"})
	d.Docker.Daemons = []facts.Daemon{{Endpoint: "unix:///run/docker.sock", Containers: []facts.Container{
		{ID: strings.Repeat("ab", 32), Name: "glm"}, {ID: strings.Repeat("cd", 32)}, {},
	}}}
	d.Systemd.Units = []facts.Unit{{Name: "vllm.service"}}
	d.Kubernetes.Node = &facts.Node{Name: "node-1"}
	d.Kubernetes.Pods = []facts.Pod{{Namespace: "ml", Name: "serve-0"}}
	d.Kubernetes.DaemonSets = []facts.DaemonSet{{Namespace: "kube-system", Name: "nvidia-device-plugin"}}
	d.Launch.Manifest = &facts.Manifest{Services: []facts.Service{{Name: "glm53-flash"}}}
	for pointer, want := range map[string]string{
		"/nvml/gpus/0":                              "gpu GPU 0",
		"/nvml/gpus/1/memory":                       "gpu PCI-b",
		"/docker/daemons/0/status":                  "daemon unix:///run/docker.sock",
		"/docker/daemons/0/containers":              "daemon unix:///run/docker.sock",
		"/docker/daemons/0/containers/0/args":       "container glm",
		"/docker/daemons/0/containers/1":            "container cdcdcdcdcdcd",
		"/docker/daemons/0/containers/2":            "",
		"/docker/daemons/0/containers/9":            "",
		"/docker/daemons/1/containers/0":            "",
		"/systemd/units/0/environment":              "unit vllm.service",
		"/systemd/units/-1":                         "",
		"/systemd/units/x":                          "",
		"/systemd/units":                            "",
		"/kubernetes/node/allocatable/0":            "node node-1",
		"/kubernetes/pods/0/containers/0":           "pod ml/serve-0",
		"/kubernetes/daemonSets/0":                  "daemonset kube-system/nvidia-device-plugin",
		"/launch/manifest/services/0/endpoint/auth": "service glm53-flash",
		"/launch/manifest/owner":                    "",
		"/host/os":                                  "",
		"":                                          "",
		"nonsense":                                  "",
	} {
		got := ""
		if o := objectAt(d, pointer); o != nil {
			got = o.Kind + " " + o.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", pointer, got, want)
		}
	}
	if o := objectAt(&facts.Document{}, "/kubernetes/node"); o != nil {
		t.Errorf("there is no node, but %v", o)
	}
}

func TestSecuritySeverityIsAScore(t *testing.T) {
	with := func(line string) error {
		_, err := loadTexts(t, strings.Replace(demo, "#   severity: error\n", "#   severity: error\n#   securitySeverity: "+line+"\n", 1))
		return err
	}
	for _, good := range []string{`"7.5"`, `7.5`, `"10"`, `"0.1"`, `4`} {
		if err := with(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{`"high"`, `"0"`, `"10.1"`, `"-1"`, `"0x5"`, `"NaN"`, `"7,5"`, `""`} {
		err := with(bad)
		if bad == `""` {
			if err != nil {
				t.Errorf("an empty score is none: %v", err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "securitySeverity") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
	p := demoSet(t, strings.Replace(demo, "#   severity: error\n", "#   severity: error\n#   securitySeverity: 7.5\n", 1))
	if got := p.Rules[0].SecuritySeverity; got != "7.5" {
		t.Errorf("a number without quotes is %q", got)
	}
}

func TestIDsOfMissingEvidenceAreKept(t *testing.T) {
	rule := func(id string) string {
		text := strings.Replace(demo, "id: TST001", "id: "+id, 1)
		return strings.Replace(text, "package gpugate.rules.test.readable", "package gpugate.rules.test.readable"+strings.ToLower(id), 1)
	}
	if _, err := loadTexts(t, rule("AB001"), rule("ABU001")); err == nil || !strings.Contains(err.Error(), "ABU001 has the id that reports use where evidence for rule AB001 is missing") {
		t.Errorf("got %v", err)
	}
	if _, err := loadTexts(t, rule("AB001"), rule("ABU002")); err != nil {
		t.Errorf("these two have nothing in common: %v", err)
	}
}

func TestPolicyText(t *testing.T) {
	p, err := Load(t.Context(), nil, Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Rules {
		text, ok := PolicyText(r.File)
		lines := strings.Split(text, "\n")
		if !ok || len(lines) < r.Line || lines[r.Line-1] != "package "+r.Package {
			t.Errorf("%s:%d is not the rule %s", r.File, r.Line, r.ID)
		}
	}
	for _, file := range []string{"owner/one_party_runs.rego", "policies/no/such.rego", "policies/../go.mod", ""} {
		if _, ok := PolicyText(file); ok {
			t.Errorf("%q is no built-in policy", file)
		}
	}
}
