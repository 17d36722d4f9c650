package planning

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// server is one with two cards, of which everything was looked at.
func server() *facts.Document {
	d := &facts.Document{SchemaVersion: facts.SchemaVersion, Collector: facts.Collector{Name: "gpugate", Version: "test"}}
	d.Host.Name = "cvd-papa-11"
	for _, uuid := range []string{"GPU-a", "GPU-b"} {
		d.NVML.GPUs = append(d.NVML.GPUs, facts.GPU{UUID: uuid, State: "ok"})
	}
	for _, name := range facts.SourceNames() {
		d.Sources = append(d.Sources, facts.Source{Name: name, Status: facts.StatusComplete})
	}
	d.Normalize()
	return d
}

func source(d *facts.Document, name string) facts.Source { return d.Source(name) }

// What is supposed is told by a copy; the facts themselves stay what they are.
func TestSuppose(t *testing.T) {
	for _, as := range []Party{TKE, TIONE} {
		d := server()
		no := false
		d.Launch.Manifest = &facts.Manifest{APIVersion: "gpugate/v1", Kind: "Launch", Metadata: facts.Metadata{Name: "papa"}, TKE: &facts.TKERegistration{Registered: &no}, TIONE: &facts.TIONERegistration{Registered: &no, ResourceGroup: "rsg-7"}}
		d.Normalize()
		before, err := d.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		c, err := suppose(d, as)
		if err != nil {
			t.Fatal(err)
		}
		after, err := d.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(before, after) {
			t.Errorf("%s: supposing it changed the facts", as)
		}
		if registered(d, as) || !registered(c, as) {
			t.Errorf("%s: registered before: %t, in the copy: %t", as, registered(d, as), registered(c, as))
		}
		switch as {
		case TKE:
			if c.Launch.Manifest.TKE.Registered != nil || c.Launch.Manifest.TIONE.Registered == nil {
				t.Errorf("the manifest of the copy means %+v and %+v", c.Launch.Manifest.TKE, c.Launch.Manifest.TIONE)
			}
			if want := []facts.ResourceItem{{Resource: "nvidia.com/gpu", Quantity: 2}}; !cmp.Equal(want, c.Kubernetes.Node.Allocatable) {
				t.Errorf("the node offers %v", c.Kubernetes.Node.Allocatable)
			}
		case TIONE:
			if c.TIONE.ResourceGroup.ID != "rsg-7" || *c.TIONE.ResourceGroup.Instances[0].TotalGPUHundredths != 200 {
				t.Errorf("the group is %+v", c.TIONE.ResourceGroup)
			}
		}
	}
}

// A server that nobody uses is free for either, one that somebody uses is not, and
// one whose driver did not answer is neither.
func TestMake(t *testing.T) {
	used := func(d *facts.Document) {
		d.NVML.Processes = []facts.GPUProcess{{GPU: "GPU-a", PID: 41, Type: "compute"}}
		d.Host.Processes = []facts.Process{{PID: 41, Owner: facts.Owner{Manager: "systemd", Name: "flash.service", Unit: "flash.service"}}}
	}
	blind := func(d *facts.Document) {
		d.NVML = facts.NVML{}
		d.SetSource(facts.Source{Name: facts.SourceNVML, Status: facts.StatusDenied, Gaps: []facts.Gap{{Path: "nvml", Reason: facts.ReasonDenied, Detail: "no"}}})
	}
	for _, as := range []Party{TKE, TIONE} {
		for name, c := range map[string]struct {
			change func(*facts.Document)
			want   evaluator.Verdict
			steps  int
		}{"free": {func(*facts.Document) {}, evaluator.Pass, 0}, "used": {used, evaluator.Fail, 1}, "blind": {blind, evaluator.Unknown, 0}} {
			d := server()
			c.change(d)
			d.Normalize()
			p, err := Make(t.Context(), d, as, evaluator.Options{})
			if err != nil {
				t.Fatal(err)
			}
			rule := map[Party]string{TKE: "OWN002", TIONE: "OWN011"}[as]
			i := slices.IndexFunc(p.Conflicts, func(r evaluator.RuleResult) bool { return r.ID == rule })
			if got := p.Conflicts[i].Verdict; got != c.want || len(p.Steps) != c.steps || p.Registered {
				t.Errorf("%s, %s: %s is %s, with %d steps; want %s with %d", as, name, rule, got, len(p.Steps), c.want, c.steps)
			}
			if p.ExitCode == evaluator.ExitPass || len(p.After) == 0 {
				t.Errorf("%s, %s: exit %d without any evidence of what is to hold before", as, name, p.ExitCode)
			}
		}
	}
}

// What could not be looked at, and is not supposed, stays missing.
func TestSupposedGaps(t *testing.T) {
	for name, c := range map[string]struct {
		as     Party
		source string
		gaps   []string
		want   []string
	}{
		"nothing missing":    {TKE, facts.SourceKubernetes, nil, nil},
		"the node":           {TKE, facts.SourceKubernetes, []string{"kubernetes.node", "kubernetes.node.labels", "kubernetes.kubelet"}, nil},
		"the pods":           {TKE, facts.SourceKubernetes, []string{"kubernetes.pods", "kubernetes.node"}, []string{"kubernetes.pods"}},
		"the whole cluster":  {TKE, facts.SourceKubernetes, []string{"kubernetes"}, []string{"kubernetes.access", "kubernetes.daemonSets", "kubernetes.pods"}},
		"another's":          {TKE, facts.SourceTIONE, []string{"tione"}, []string{"tione"}},
		"the group":          {TIONE, facts.SourceTIONE, []string{"tione.resourceGroup.instances"}, nil},
		"the policy":         {TIONE, facts.SourceTIONE, []string{"tione.policy"}, []string{"tione.policy"}},
		"all of TI-ONE":      {TIONE, facts.SourceTIONE, []string{"tione"}, []string{"tione.policy"}},
		"the cluster beside": {TIONE, facts.SourceKubernetes, []string{"kubernetes.pods"}, []string{"kubernetes.pods"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := server()
			s := source(d, c.source)
			for _, path := range c.gaps {
				s.Gaps, s.Status = append(s.Gaps, facts.Gap{Path: path, Reason: facts.ReasonDenied, Detail: "no"}), facts.StatusPartial
			}
			d.SetSource(s)
			copied, err := suppose(d, c.as)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, g := range source(copied, c.source).Gaps {
				got = append(got, g.Path)
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("missing paths (-want +got):\n%s", diff)
			}
		})
	}
}

func claim(kind, manager, claimant, note string) evaluator.Claim {
	return evaluator.Claim{Kind: kind, Manager: manager, Claimant: claimant, Note: note}
}

// Declared services come first, what no party manages comes last; who could only
// reach a card is left alone.
func TestSteps(t *testing.T) {
	zero := 0
	d := server()
	d.Docker.Daemons = []facts.Daemon{{Endpoint: "unix:///run/docker.sock", Containers: []facts.Container{{Name: "chat", RestartPolicy: "always"}, {Name: "video", RestartPolicy: "no"}}}}
	d.Host.Processes = []facts.Process{
		{PID: 41, Owner: facts.Owner{Manager: "session", Name: "session-4.scope"}},
		{PID: 42, State: "Z", ParentPID: 40, Owner: facts.Owner{Manager: "unknown"}},
		{PID: 43, State: "Z", ParentPID: 1, Owner: facts.Owner{Manager: "unknown"}},
	}
	d.Launch.Manifest = &facts.Manifest{
		Services: []facts.Service{
			{Name: "clips", Runtime: facts.Runtime{Docker: &facts.DockerRuntime{Container: "video"}}, LongRunning: true},
			{Name: "tuning", Runtime: facts.Runtime{Systemd: &facts.SystemdRuntime{Unit: "tune"}}},
		},
		Training: []facts.Training{{Service: "tuning"}},
	}
	ownership := []evaluator.GPUOwnership{
		{GPU: "GPU-a", Index: &zero, Claims: []evaluator.Claim{
			claim("running", "session", "session-4.scope", ""), claim("running", "docker", "video", ""), claim("configured", "docker", "video", ""),
			claim("allocatable", "tke", "node cvd-papa-11", ""), claim("configured", "docker", "watch", "access without a request (privileged)"),
		}},
		{GPU: "GPU-b", Claims: []evaluator.Claim{
			claim("running", "unknown", "process 42", ""), claim("running", "unknown", "process 43", ""), claim("running", "docker", "chat", ""),
			claim("running", "docker", "video", ""), claim("running", "systemd", "tune.service", ""), claim("registered", "ti-one", "resource group rsg-7", ""),
		}},
	}
	want := []Step{
		{Manager: "docker", Claimant: "video", GPUs: []string{"0", "GPU-b"}, Service: "clips", LongRunning: true, Commands: []string{"docker -H unix:///run/docker.sock stop video"}},
		{Manager: "systemd", Claimant: "tune.service", GPUs: []string{"GPU-b"}, Service: "tuning", LongRunning: true, Commands: []string{"systemctl disable --now tune.service"}},
		{Manager: "docker", Claimant: "chat", GPUs: []string{"GPU-b"}, Commands: []string{"docker -H unix:///run/docker.sock update --restart=no chat", "docker -H unix:///run/docker.sock stop chat"}},
		{Manager: "ti-one", Claimant: "resource group rsg-7", GPUs: []string{"GPU-b"}, Commands: []string{"take the server out of its resource group in the TI-ONE console"}},
		{Manager: "session", Claimant: "session-4.scope", GPUs: []string{"0"}, Commands: []string{"kill 41"}},
		{Manager: "unknown", Claimant: "process 42", GPUs: []string{"GPU-b"}, Commands: []string{"kill 40 # the parent of 42, a zombie that only it can reap"}},
		{Manager: "unknown", Claimant: "process 43", GPUs: []string{"GPU-b"}, Commands: []string{"reboot # nothing else takes the memory from 43, a zombie that nobody reaps"}},
	}
	if diff := cmp.Diff(want, steps(ownership, d, TKE)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestStepsOutOfACluster(t *testing.T) {
	d := server()
	held := []evaluator.GPUOwnership{{GPU: "GPU-a", Claims: []evaluator.Claim{claim("allocatable", "tke", "node n1", "")}}}
	if got := steps(held, d, TIONE); len(got) != 1 || got[0].Commands[0] != "kubectl cordon NODE" {
		t.Errorf("without a node record: %+v", got)
	}
	d.Kubernetes.Node = &facts.Node{Name: "n1"}
	if got := steps(held, d, TIONE); got[0].Commands[2] != "kubectl delete node n1" {
		t.Errorf("with one: %+v", got)
	}
}
