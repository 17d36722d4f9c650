package evaluator

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// Object is a thing on the server that evidence speaks of.
type Object struct {
	// Kind is gpu, daemon, container, unit, node, pod, daemonset or service.
	Kind string `json:"kind"`
	// Name is what a person calls it.
	Name string `json:"name"`
}

// objectAt tells which object a JSON pointer into the facts lies in; nil where
// it is none that has a name.
func objectAt(d *facts.Document, pointer string) *Object {
	part := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	at := func(n int) string {
		if n < len(part) {
			return part[n]
		}
		return ""
	}
	switch at(0) + "." + at(1) {
	case "nvml.gpus":
		return named(d.NVML.GPUs, at(2), "gpu", func(g facts.GPU) string {
			if g.Index != nil {
				return fmt.Sprintf("GPU %d", *g.Index)
			}
			return g.UUID
		})
	case "docker.daemons":
		daemon := item(d.Docker.Daemons, at(2))
		if daemon == nil || at(3) != "containers" || at(4) == "" {
			return named(d.Docker.Daemons, at(2), "daemon", func(d facts.Daemon) string { return d.Endpoint })
		}
		return named(daemon.Containers, at(4), "container", func(c facts.Container) string {
			return cmp.Or(c.Name, c.ID[:min(12, len(c.ID))])
		})
	case "systemd.units":
		return named(d.Systemd.Units, at(2), "unit", func(u facts.Unit) string { return u.Name })
	case "kubernetes.pods":
		return named(d.Kubernetes.Pods, at(2), "pod", func(p facts.Pod) string { return p.Namespace + "/" + p.Name })
	case "kubernetes.daemonSets":
		return named(d.Kubernetes.DaemonSets, at(2), "daemonset", func(s facts.DaemonSet) string { return s.Namespace + "/" + s.Name })
	case "kubernetes.node":
		if d.Kubernetes.Node != nil {
			return &Object{Kind: "node", Name: d.Kubernetes.Node.Name}
		}
	case "launch.manifest":
		if d.Launch.Manifest != nil && at(2) == "services" {
			return named(d.Launch.Manifest.Services, at(3), "service", func(s facts.Service) string { return s.Name })
		}
	}
	return nil
}

// item is the element with an index, if there is one.
func item[T any](list []T, index string) *T {
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}

func named[T any](list []T, index, kind string, name func(T) string) *Object {
	found := item(list, index)
	if found == nil || name(*found) == "" {
		return nil
	}
	return &Object{Kind: kind, Name: name(*found)}
}
