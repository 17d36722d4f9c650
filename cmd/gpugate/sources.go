package main

import (
	"context"
	"fmt"
	"slices"
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

// manifestFlags name the files a team keeps in its repository.
type manifestFlags struct {
	launch     string
	tione      string
	tioneGroup string
}

func (m *manifestFlags) register(f *pflag.FlagSet) {
	f.StringVar(&m.launch, "launch", "", "the launch manifest (launch.yaml)")
	f.StringVar(&m.tione, "tione", "", "the TI-ONE scheduling policy (JSON)")
	f.StringVar(&m.tioneGroup, "tione-group", "", "the TI-ONE resource group: the answer of DescribeBillingResourceGroup (JSON)")
}

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
	o := collector.Options{Version: version(), Now: a.now(), Timeout: c.timeout}
	if !c.quiet {
		o.Progress = a.progress()
	}
	if c.from != "" {
		return c.fromCapture(ctx, o)
	}
	return c.live(ctx, o)
}
