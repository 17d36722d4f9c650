package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/docker"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/host"
	"github.com/gpugate/gpugate/collector/kubernetes"
	"github.com/gpugate/gpugate/collector/launch"
	"github.com/gpugate/gpugate/collector/nvml"
	"github.com/gpugate/gpugate/collector/systemd"
	"github.com/gpugate/gpugate/collector/tione"
)

// collecting are the flags of every command that collects.
type collecting struct {
	manifestFlags
	from        string
	timeout     time.Duration
	dockerHosts []string
	kubeconfig  string
	context     string
	node        string
	quiet       bool
}

func (c *collecting) register(f *pflag.FlagSet) {
	c.manifestFlags.register(f)
	f.StringVar(&c.from, "from", "", "read a capture (a folder) instead of this host")
	f.DurationVar(&c.timeout, "timeout", 10*time.Second, "deadline of each source")
	f.StringArrayVar(&c.dockerHosts, "docker-host", nil, "a Docker daemon, such as unix:///run/docker-sglang.sock, repeatable (default: all that are found)")
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig of an account that may list nodes, pods and daemonsets")
	f.StringVar(&c.context, "context", "", "context of the kubeconfig")
	f.StringVar(&c.node, "node", "", "name of this host's Kubernetes node (default: found by name or address)")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "show no progress")
}

// collect gathers the document.
func (a *app) collect(ctx context.Context, c *collecting) (*facts.Document, error) {
	if c.timeout <= 0 {
		return nil, fmt.Errorf("--timeout %s: want a positive duration, such as 10s", c.timeout)
	}
	manifest, err := c.check()
	if err != nil {
		return nil, err
	}
	o := collector.Options{Version: version(), Now: a.now(), Timeout: c.timeout}
	if !c.quiet {
		o.Progress = a.progress()
	}
	if c.from != "" {
		return c.fromCapture(ctx, o, manifest)
	}
	return c.live(ctx, o, manifest)
}

// live reads this host.
func (c *collecting) live(ctx context.Context, o collector.Options, manifest *facts.Manifest) (*facts.Document, error) {
	identity, err := collector.LocalIdentity()
	if err != nil {
		return nil, err
	}
	processes := host.Live(host.Options{})
	return collector.Collect(ctx, []collector.Source{
		processes,
		nvml.Live(nvml.Options{}),
		docker.Live(docker.Options{Hosts: c.dockerHosts}),
		systemd.Live(systemd.Options{Named: unitsOf(manifest)}),
		kubernetes.Live(kubernetes.Options{Kubeconfig: c.kubeconfig, Context: c.context, NodeName: c.node, Host: identity}),
		tione.New(tione.Options{PolicyFile: c.tione, GroupFile: c.tioneGroup, Host: identity}),
		launch.New(launch.Options{File: c.launch}),
	}, processes, o), nil
}

// fromCapture reads a capture; files named by flags take the place of those
// that travelled with it.
func (c *collecting) fromCapture(ctx context.Context, o collector.Options, manifest *facts.Manifest) (*facts.Document, error) {
	if len(c.dockerHosts) > 0 || c.kubeconfig != "" || c.context != "" {
		return nil, errors.New("--docker-host, --kubeconfig and --context read the live host; they cannot be used with --from")
	}
	dir, err := capture.Open(c.from)
	if err != nil {
		return nil, err
	}
	o.Now = dir.Meta.CapturedAt
	if manifest == nil {
		if l, _, err := launch.Read(dir.Path("launch.yaml")); err == nil {
			manifest = l.Manifest
		}
	}
	processes := host.FromCapture(dir)
	d := collector.Collect(ctx, []collector.Source{
		processes,
		nvml.FromCapture(dir),
		docker.FromCapture(dir),
		systemd.FromCapture(dir, unitsOf(manifest)),
		kubernetes.FromCapture(dir, c.node),
		tione.FromCapture(dir),
		launch.FromCapture(dir),
	}, processes, o)
	return d, c.replace(ctx, d)
}

// unitsOf returns the systemd units that a manifest names.
func unitsOf(m *facts.Manifest) []string {
	var units []string
	if m == nil {
		return units
	}
	for _, s := range m.Services {
		if s.Runtime.Systemd != nil {
			units = append(units, s.Runtime.Systemd.Unit)
		}
	}
	return units
}
