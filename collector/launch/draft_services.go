package launch

import (
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/gpugate/gpugate/collector/facts"
)

// draftedService is one service that holds a GPU or may.
type draftedService struct {
	Name string
	// Exactly one of these is set.
	Docker     *facts.DockerRuntime
	Systemd    *facts.SystemdRuntime
	Kubernetes *facts.KubernetesRuntime
	// Image with its digest; empty if none is known.
	Image string
	Args  []string
	// Models are paths in the arguments that look like weights.
	Models []string
	// GPUs are indices, or UUIDs where there are MIG instances.
	GPUs []string
	Port int
}

func draftServices(d *facts.Document) []draftedService {
	services := slices.Concat(draftContainers(d), draftUnits(d), draftPods(d))
	names := map[string]bool{}
	for i := range services {
		s := &services[i]
		for n := 2; names[s.Name]; n++ {
			s.Name = s.Name + "-" + strconv.Itoa(n)
		}
		names[s.Name] = true
		s.Models = models(s.Args)
	}
	return services
}

func draftContainers(d *facts.Document) []draftedService {
	var services []draftedService
	for _, daemon := range d.Docker.Daemons {
		for _, c := range daemon.Containers {
			if c.State != "running" || c.ClusterNode || c.PodUID != "" || !computes(c.GPUs) {
				continue
			}
			s := draftedService{
				Name: c.Name, Docker: &facts.DockerRuntime{Container: c.Name, Host: daemon.Endpoint}, Args: c.Args,
				GPUs: gpusOf(d, c.GPUs, func(o facts.Owner) bool { return o.ContainerID == c.ID }),
			}
			if len(c.RepoDigests) == 1 {
				s.Image = c.RepoDigests[0]
			}
			if len(c.Ports) == 1 && c.Ports[0].Protocol == "tcp" {
				s.Port = c.Ports[0].HostPort
			}
			services = append(services, s)
		}
	}
	return services
}

func draftUnits(d *facts.Document) []draftedService {
	var services []draftedService
	for _, u := range d.Systemd.Units {
		if u.ActiveState != "active" || u.Role != "model" || u.Wraps != nil {
			continue
		}
		s := draftedService{
			Name: trimUnit(u.Name), Systemd: &facts.SystemdRuntime{Unit: u.Name}, Port: portOf(d, u.MainPID),
			GPUs: gpusOf(d, u.GPUs, func(o facts.Owner) bool { return o.Manager == "systemd" && o.Unit == u.Name }),
		}
		if n := len(u.ExecStart); n > 0 {
			s.Args = argv(u.ExecStart[n-1])
		}
		services = append(services, s)
	}
	return services
}

// argv is a command as its process shows it: systemd's path stands before the
// arguments unless these begin with the program themselves.
func argv(c facts.Command) []string {
	if len(c.Args) > 0 && path.Base(c.Args[0]) == path.Base(c.Path) {
		return c.Args
	}
	return append([]string{c.Path}, c.Args...)
}

// portOf is the one port a process listens on; 0 if there is not exactly one.
func portOf(d *facts.Document, pid int) int {
	port := 0
	for _, l := range d.Host.Listeners {
		if pid == 0 || !slices.ContainsFunc(l.Processes, func(p facts.ListenerProcess) bool { return p.PID == pid }) {
			continue
		}
		if port != 0 && port != l.Port {
			return 0
		}
		port = l.Port
	}
	return port
}

func draftPods(d *facts.Document) []draftedService {
	var services []draftedService
	for _, p := range d.Kubernetes.Pods {
		if p.Role != "workload" || p.Phase != "Running" {
			continue
		}
		containers := slices.DeleteFunc(slices.Clone(p.Containers), func(c facts.PodContainer) bool { return c.Init })
		for _, c := range containers {
			if !computes(c.GPUs) {
				continue
			}
			k := &facts.KubernetesRuntime{Namespace: p.Namespace, Workload: workload(p)}
			if len(containers) > 1 {
				k.Container = c.Name
			}
			if slices.ContainsFunc(services, func(s draftedService) bool { return *s.Kubernetes == *k }) {
				continue // another replica
			}
			services = append(services, draftedService{
				Name: k.Workload, Kubernetes: k, Args: c.Args, Image: digested(c.ImageID),
				GPUs: gpusOf(d, c.GPUs, func(o facts.Owner) bool { return o.PodUID == p.UID }),
			})
		}
	}
	return services
}

// workload is the pod's controller; a ReplicaSet is named after its Deployment.
func workload(p facts.Pod) string {
	switch {
	case p.OwnerKind == "ReplicaSet":
		return replicaHash.ReplaceAllString(p.OwnerName, "")
	case p.OwnerName != "":
		return p.OwnerName
	}
	return p.Name
}

var (
	replicaHash = regexp.MustCompile(`-[a-z0-9]+$`)
	withDigest  = regexp.MustCompile(`^(?:[a-z-]+://)?([^@]+@sha256:[0-9a-f]{64})$`)
	modelFlag   = regexp.MustCompile(`^--(?:model|model-path|model-dir|model-id|ckpt-dir|ckpt_dir)(?:=(/.+))?$`)
)

// digested is an image id as a record writes it; empty without a digest.
func digested(imageID string) string {
	if m := withDigest.FindStringSubmatch(imageID); m != nil {
		return m[1]
	}
	return ""
}

// models are the paths that the arguments name as a model.
func models(args []string) []string {
	var paths []string
	for i, a := range args {
		m := modelFlag.FindStringSubmatch(a)
		switch {
		case m == nil:
		case m[1] != "":
			paths = append(paths, m[1])
		case i+1 < len(args) && path.IsAbs(args[i+1]):
			paths = append(paths, args[i+1])
		}
	}
	return paths
}

func trimUnit(name string) string {
	if n := len(name) - len(".service"); n > 0 && name[n:] == ".service" {
		return name[:n]
	}
	return name
}

// computes holds if a selection gives more than management access.
func computes(all []facts.DeviceSelection) bool {
	return slices.ContainsFunc(all, func(s facts.DeviceSelection) bool { return !s.Utility })
}

// gpusOf are the cards that the owner's processes run on, or else those that it
// was given one by one. Where a card has MIG instances it takes a person to say
// which is meant.
func gpusOf(d *facts.Document, given []facts.DeviceSelection, owns func(facts.Owner) bool) []string {
	if slices.ContainsFunc(d.NVML.GPUs, func(g facts.GPU) bool { return g.Index == nil || g.MIGMode == "enabled" }) {
		return nil
	}
	held := map[string]bool{}
	for _, p := range d.NVML.Processes {
		if i := slices.IndexFunc(d.Host.Processes, func(h facts.Process) bool { return h.PID == p.PID }); i >= 0 && owns(d.Host.Processes[i].Owner) {
			held[p.GPU] = true
		}
	}
	if len(held) == 0 {
		for _, g := range d.NVML.GPUs {
			held[g.UUID] = slices.ContainsFunc(given, func(s facts.DeviceSelection) bool { return !s.Utility && gives(s, g) })
		}
	}
	var indices []string
	for _, g := range d.NVML.GPUs {
		if held[g.UUID] {
			indices = append(indices, strconv.Itoa(*g.Index))
		}
	}
	return indices
}

func gives(s facts.DeviceSelection, g facts.GPU) bool {
	return s.All || slices.ContainsFunc(s.Devices, func(r facts.DeviceReference) bool {
		return r.Kind == "uuid" && r.Value == g.UUID || r.Kind == "index" && r.Value == strconv.Itoa(*g.Index)
	})
}
