package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/docker"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/host"
	"github.com/gpugate/gpugate/collector/kubernetes"
	"github.com/gpugate/gpugate/collector/launch"
	"github.com/gpugate/gpugate/collector/logs"
	"github.com/gpugate/gpugate/collector/nvml"
	"github.com/gpugate/gpugate/collector/samples"
	"github.com/gpugate/gpugate/collector/systemd"
	"github.com/gpugate/gpugate/collector/tione"
)

// defaultTimeout is how long a source may take.
const defaultTimeout = 10 * time.Second

// collecting are the flags of every command that collects.
type collecting struct {
	manifestFlags
	saved       sampleFlags
	from        string
	timeout     time.Duration
	dockerHosts []string
	kubeconfig  string
	context     string
	node        string
	quiet       bool
	// logs is whether the logs of this host are read.
	logs bool
}

func (c *collecting) register(f *pflag.FlagSet) {
	c.registerHost(f)
	c.manifestFlags.register(f)
	c.saved.register(f)
	f.BoolVar(&c.logs, "logs", false, "read the logs of GPU services and of the kernel too, for signals alone: no line is kept (those of a capture are always read)")
}

// inputs are the files that are named.
func (c *collecting) inputs() []string { return append(c.manifestFlags.inputs(), c.saved.samples...) }

// replace puts the files that the flags name in the place of the sections that
// came with the document.
func (c *collecting) replace(ctx context.Context, d *facts.Document) error {
	if err := c.manifestFlags.replace(ctx, d); err != nil {
		return err
	}
	return c.saved.replace(ctx, d)
}

// registerHost leaves out the files that a team keeps: a command that writes the
// first of them reads none.
func (c *collecting) registerHost(f *pflag.FlagSet) {
	f.StringVar(&c.from, "from", "", "read the capture in `DIR` instead of this host")
	f.StringArrayVar(&c.dockerHosts, "docker-host", nil, "ask the Docker daemon at `URL`, such as unix:///run/docker-sglang.sock; repeatable (default: all that are found)")
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig `FILE` of an account that may list nodes, pods and daemonsets (default: as kubectl)")
	f.StringVar(&c.context, "context", "", "use the context `NAME` of the kubeconfig")
	f.StringVar(&c.node, "node", "", "`NAME` of this host's Kubernetes node (default: found by name or address)")
	f.DurationVar(&c.timeout, "timeout", defaultTimeout, "`TIME` that each source may take")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "show no progress (none is shown where nobody watches)")
}

// check refuses what cannot be meant before any work is done.
func (c *collecting) check() (*facts.Manifest, error) {
	if c.timeout <= 0 {
		return nil, fmt.Errorf("--timeout %s: want more than nothing, such as 10s", c.timeout)
	}
	for _, h := range c.dockerHosts {
		if err := checkDockerHost(h); err != nil {
			return nil, err
		}
	}
	if c.kubeconfig != "" {
		// One that may not be read is missing evidence; one that is not there is a typo.
		if _, err := os.Stat(c.kubeconfig); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--kubeconfig: %w", err)
		}
	}
	if c.from != "" {
		switch {
		case len(c.dockerHosts) > 0:
			return nil, errLiveOnly("--docker-host")
		case c.kubeconfig != "":
			return nil, errLiveOnly("--kubeconfig")
		case c.context != "":
			return nil, errLiveOnly("--context")
		}
	}
	if err := c.saved.check(); err != nil {
		return nil, err
	}
	return c.manifestFlags.check()
}

func errLiveOnly(flag string) error {
	return fmt.Errorf("%s asks the live host; it cannot be used with --from", flag)
}

// checkDockerHost wants a URL or the path of a socket.
func checkDockerHost(host string) error {
	if scheme, rest, ok := strings.Cut(host, "://"); filepath.IsAbs(host) || ok && scheme != "" && rest != "" {
		return nil
	}
	return fmt.Errorf("--docker-host %q: want a URL, such as unix:///run/docker.sock", host)
}

// collect gathers the document. When ctx ends there is none: half a scan would
// look like missing evidence.
func (a *app) collect(ctx context.Context, c *collecting) (*facts.Document, error) {
	manifest, err := c.check()
	if err != nil {
		return nil, err
	}
	o := collector.Options{Version: version(), Now: a.now(), Timeout: c.timeout}
	if !c.quiet {
		o.Progress = a.progress()
	}
	read := c.live
	if c.from != "" {
		read = c.fromCapture
	}
	d, err := read(ctx, o, manifest)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return d, err
}

// live reads this host.
func (c *collecting) live(ctx context.Context, o collector.Options, manifest *facts.Manifest) (*facts.Document, error) {
	identity, err := collector.LocalIdentity()
	if err != nil {
		return nil, err
	}
	processes := host.Live(host.Options{})
	cluster := kubernetes.Options{Kubeconfig: c.kubeconfig, Context: c.context, NodeName: c.node, Host: identity}
	o.Then = func(d *facts.Document) []collector.Source {
		if !c.logs {
			return []collector.Source{logs.NotAsked()}
		}
		return []collector.Source{logs.Live(d, logs.Options{Pod: kubernetes.PodLogs(cluster)})}
	}
	return collector.Collect(ctx, []collector.Source{
		processes,
		nvml.Live(nvml.Options{}),
		docker.Live(docker.Options{Hosts: c.dockerHosts}),
		systemd.Live(systemd.Options{Named: unitsOf(manifest)}),
		kubernetes.Live(cluster),
		tione.New(tione.Options{PolicyFile: c.tione, GroupFile: c.tioneGroup, Host: identity}),
		launch.New(launch.Options{File: c.launch}),
		samples.New(samples.Options{Files: c.saved.samples, Services: servicesOf(manifest)}),
	}, processes, o), nil
}

// fromCapture reads a capture; files named by flags take the place of those
// that travelled with it.
func (c *collecting) fromCapture(ctx context.Context, o collector.Options, manifest *facts.Manifest) (*facts.Document, error) {
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
		logs.FromCapture(dir),
		samples.FromCapture(dir, servicesOf(manifest)),
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
