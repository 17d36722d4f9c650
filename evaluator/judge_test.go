package evaluator

import (
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

// A gap about one item leaves others alone only where the rule judges such
// items one by one.
func TestConcerns(t *testing.T) {
	subjects := func(list ...Subject) []SubjectResult {
		var all []SubjectResult
		for _, s := range list {
			all = append(all, SubjectResult{Subject: s})
		}
		return all
	}
	gpu0, gpu1 := Subject{Kind: "gpu", ID: "GPU-0"}, Subject{Kind: "gpu", ID: "GPU-1"}
	one, two := Subject{Kind: "container", ID: "c1"}, Subject{Kind: "container", ID: "c2"}
	daemon := Subject{Kind: "daemon", ID: "unix:///run/docker.sock"}
	data, models := Subject{Kind: "disk", ID: "/data"}, Subject{Kind: "disk", ID: "/data/models"}
	glm, other := Subject{Kind: "service", ID: "glm.service"}, Subject{Kind: "service", ID: "other"}
	for name, c := range map[string]struct {
		gap  facts.Gap
		of   Subject
		all  []SubjectResult
		want bool
	}{
		"everything":                           {facts.Gap{Path: "nvml.gpus"}, gpu0, subjects(gpu0, gpu1), true},
		"the card itself":                      {facts.Gap{Path: "nvml.gpus", Item: "GPU-0"}, gpu0, subjects(gpu0, gpu1), true},
		"another card":                         {facts.Gap{Path: "nvml.gpus", Item: "GPU-0"}, gpu1, subjects(gpu0, gpu1), false},
		"another card's processes":             {facts.Gap{Path: "nvml.processes", Item: "GPU-0"}, gpu1, subjects(gpu0, gpu1), false},
		"a card that is not listed":            {facts.Gap{Path: "nvml.gpus", Item: "GPU-9"}, gpu1, subjects(gpu0, gpu1), true},
		"a container may use any card":         {facts.Gap{Path: "docker.daemons", Item: "c1"}, gpu0, subjects(gpu0, gpu1), true},
		"another container":                    {facts.Gap{Path: "docker.daemons", Item: "c1"}, two, subjects(one, two), false},
		"a container of the daemon":            {facts.Gap{Path: "docker.daemons", Item: "c1"}, daemon, subjects(one, daemon), true},
		"a card beside containers":             {facts.Gap{Path: "docker.daemons", Item: "c1"}, gpu0, subjects(one, gpu0), true},
		"a mount may hold any disk":            {facts.Gap{Path: "host.mounts", Item: "/data"}, models, subjects(data, models), true},
		"a service called like another's unit": {facts.Gap{Path: "systemd.units", Item: "glm.service"}, other, subjects(glm, other), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := concerns(c.gap, c.of, c.all); got != c.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

// beside loads a rule beside the built-in policies, and selects it.
func beside(t *testing.T, text string) (*PolicySet, error) {
	t.Helper()
	modules, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	return load(t.Context(), append(modules, module{File: "test.rego", Text: text, Custom: true}), Selection{Select: []string{"TST001"}})
}

// idle is a rule that concludes from nothing being there.
func idle(condition string) string {
	text := strings.Replace(demo, "package gpugate.rules.test.readable", "package gpugate.rules.test.readable\n\nimport data.gpugate.lib.index", 1)
	return strings.Replace(text, `gpu.state == "unreadable"`, condition, 1)
}

// A rule that concludes nothing because a part of the facts is not complete has
// not found that all is well, even if it looks at nothing of that part.
func TestConclusionsFromAbsence(t *testing.T) {
	p, err := beside(t, strings.Replace(idle(`not gpu.name; index.complete("systemd.units")`), "nvml.processes]", "nvml.processes, systemd.units]", 1))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Verdict{"": Fail, "systemd.units": Unknown, "docker.daemons": Fail} {
		d := document(gpu("GPU-a", "ok"))
		if path != "" {
			s := d.Source(strings.Split(path, ".")[0])
			s.AddGap(facts.Gap{Path: path, Reason: facts.ReasonDenied, Detail: "denied"})
			d.SetSource(s)
		}
		a, err := p.Evaluate(t.Context(), d, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Rules[0].Verdict; got != want {
			t.Errorf("with a gap at %q: got %s, want %s", path, got, want)
		}
	}
}

func TestFaultyConclusionsDoNotLoad(t *testing.T) {
	for condition, want := range map[string]string{
		`index.complete("nvml.gpuz")`:           "is no part of the facts",
		`index.complete(gpu.uuid)`:              "name the part of the facts in quotes",
		`not index.complete("kubernetes.pods")`: "which its custom.requires does not name",
	} {
		if _, err := beside(t, idle(condition)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one that says %q", condition, err, want)
		}
	}
}
