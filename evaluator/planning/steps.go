package planning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// Step frees the GPUs of one claimant.
type Step struct {
	// Manager and Claimant are who holds them.
	Manager  string `json:"manager"`
	Claimant string `json:"claimant"`
	// GPUs are those it holds, by index where that is known, else by UUID.
	GPUs []string `json:"gpus"`
	// Service is the service of the launch manifest that it is; empty for one
	// that nobody declared.
	Service string `json:"service,omitempty"`
	// LongRunning is true for work that takes long to do again: it is to be
	// waited for, or its state saved.
	LongRunning bool `json:"longRunning,omitempty"`
	// Commands are what to run, in this order. They are shown, never run.
	Commands []string `json:"commands"`
}

// steps are the claims of other parties, the ones that can be drained first:
// declared services, then what nobody declared, then what no party manages.
func steps(ownership []evaluator.GPUOwnership, d *facts.Document, as Party) []Step {
	all := []Step{}
	for _, g := range ownership {
		for _, c := range g.Claims {
			if c.Manager == string(as) || !holds(c) {
				continue
			}
			i := slices.IndexFunc(all, func(s Step) bool { return s.Manager == c.Manager && s.Claimant == c.Claimant })
			if i < 0 {
				i = len(all)
				all = append(all, newStep(c, d))
			}
			if name := gpuName(g); !slices.Contains(all[i].GPUs, name) {
				all[i].GPUs = append(all[i].GPUs, name)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Claimant, b.Claimant))
	})
	return all
}

// holds reports whether a claim keeps the GPU from others: who could reach it, and
// was not given it, does not.
func holds(c evaluator.Claim) bool {
	return c.Kind != "configured" || !strings.Contains(c.Note, "access without a request")
}

func gpuName(g evaluator.GPUOwnership) string {
	if g.Index == nil {
		return g.GPU
	}
	return fmt.Sprint(*g.Index)
}

// rank orders steps.
func (s Step) rank() int {
	switch {
	case s.Service != "":
		return 0
	case s.Manager == "session" || s.Manager == "orphan" || s.Manager == "unknown":
		return 2
	}
	return 1
}

func newStep(c evaluator.Claim, d *facts.Document) Step {
	s := Step{Manager: c.Manager, Claimant: c.Claimant}
	switch c.Manager {
	case "docker":
		s.docker(d)
	case "systemd":
		s.Commands = []string{"systemctl disable --now " + c.Claimant}
	case "tke", "kubernetes":
		node := "NODE"
		if d.Kubernetes.Node != nil {
			node = d.Kubernetes.Node.Name
		}
		s.Commands = []string{"kubectl cordon " + node, "kubectl drain " + node + " --ignore-daemonsets", "kubectl delete node " + node}
	case "ti-one":
		s.Commands = []string{"take the server out of its resource group in the TI-ONE console"}
	default:
		s.processes(d)
	}
	s.declared(d.Launch.Manifest)
	return s
}

// docker stops the container, and keeps it from coming back.
func (s *Step) docker(d *facts.Document) {
	for _, daemon := range d.Docker.Daemons {
		for _, c := range daemon.Containers {
			if c.Name != s.Claimant {
				continue
			}
			client := "docker -H " + daemon.Endpoint
			if c.RestartPolicy != "" && c.RestartPolicy != "no" {
				s.Commands = append(s.Commands, client+" update --restart=no "+c.Name)
			}
			s.Commands = append(s.Commands, client+" stop "+c.Name)
		}
	}
}

// processes ends what no party manages.
func (s *Step) processes(d *facts.Document) {
	for _, p := range d.Host.Processes {
		if p.Owner.Manager == s.Manager && (p.Owner.Name == s.Claimant || s.Claimant == fmt.Sprintf("process %d", p.PID)) {
			s.Commands = append(s.Commands, ending(p))
		}
	}
}

// ending is how a process is ended; a zombie has ended already.
func ending(p facts.Process) string {
	switch {
	case p.State == "Z" && p.ParentPID > 1:
		return fmt.Sprintf("kill %d # the parent of %d, a zombie that only it can reap", p.ParentPID, p.PID)
	case p.State == "Z":
		return fmt.Sprintf("reboot # nothing else takes the memory from %d, a zombie that nobody reaps", p.PID)
	}
	return fmt.Sprintf("kill %d", p.PID)
}

// declared finds the service of the manifest that this is.
func (s *Step) declared(m *facts.Manifest) {
	if m == nil {
		return
	}
	for _, service := range m.Services {
		r := service.Runtime
		if r.Docker != nil && s.Manager == "docker" && r.Docker.Container == s.Claimant ||
			r.Systemd != nil && s.Manager == "systemd" && (r.Systemd.Unit == s.Claimant || r.Systemd.Unit+".service" == s.Claimant) {
			s.Service, s.LongRunning = service.Name, service.LongRunning
		}
	}
	for _, training := range m.Training {
		if training.Service != "" && training.Service == s.Service {
			s.LongRunning = true
		}
	}
}
