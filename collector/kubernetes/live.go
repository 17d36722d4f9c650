package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// DefaultKubeletDir is where a kubelet keeps its state if nothing else is said.
const DefaultKubeletDir = "/var/lib/kubelet"

// Options says how to reach the cluster and which node this host is.
type Options struct {
	// Kubeconfig is the file to use; empty means KUBECONFIG, ~/.kube/config or
	// the account of the pod this runs in.
	Kubeconfig string
	// Context of the kubeconfig; empty means its current one.
	Context string
	// NodeName is the node this host is; empty means to find it.
	NodeName string
	// Host is what this host calls itself.
	Host collector.Identity
	// KubeletDir is the kubelet's folder; empty means [DefaultKubeletDir], or
	// what the running kubelet says.
	KubeletDir string

	// root is where the host's file system begins, for tests.
	root string
}

// Live asks the cluster, and reads what the kubelet of this host has written.
func Live(o Options) collector.Source { return &live{o} }

type live struct{ o Options }

func (s *live) Name() string { return facts.SourceKubernetes }

// Collect never fails: what could not be read is a gap.
func (s *live) Collect(ctx context.Context) collector.Result {
	root := first(s.o.root, "/")
	here := lookForKubelet(root)
	r := &raw{}
	config, err := s.o.config()
	if errors.Is(err, errNoConfig) {
		if here.absent() {
			return proveAbsent("no kubelet runs here, there is no /var/lib/kubelet and no /etc/kubernetes, and no kubeconfig was given")
		}
		reason, detail := here.withoutConfig()
		for _, path := range clusterPaths {
			r.gap(path, reason, "%s", detail)
		}
		s.readKubelet(r, root, here)
		return r.result("")
	}
	if err != nil {
		reason := facts.ReasonFailed
		if c, ok := errors.AsType[*configError](err); ok {
			reason = c.reason
		}
		for _, path := range clusterPaths {
			r.gap(path, reason, "%s", err)
		}
		s.readKubelet(r, root, here)
		return r.result("")
	}
	how := via(config)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		for _, path := range clusterPaths {
			r.gap(path, facts.ReasonFailed, "kubeconfig: %s", brief(err.Error()))
		}
	} else {
		r = readCluster(ctx, func(r *raw) *api {
			return &api{client: client, host: s.o.Host, nodeName: s.o.NodeName, raw: r}
		})
		r.server = redact.URL(config.Host)
	}
	doubtAbsence(r, here)
	s.readKubelet(r, root, here)
	return r.result(how)
}

// withoutConfig says why the cluster could not be asked when nothing says
// where it is. A running kubelet means that there is a cluster whose
// credentials are missing.
func (p presence) withoutConfig() (facts.Reason, string) {
	const give = "no kubeconfig was given (--kubeconfig FILE)"
	switch {
	case p.process != "":
		return facts.ReasonDenied, fmt.Sprintf("a kubelet is here (process %s), but %s", p.process, give)
	case p.hidden != "":
		return facts.ReasonSkipped, fmt.Sprintf("%s, and whether a kubelet is here is not known: %s", give, p.hidden)
	}
	return facts.ReasonSkipped, fmt.Sprintf("a kubelet is or was here (%s), but %s", p.residue, give)
}

// doubtAbsence: that a cluster does not list this host proves something only
// if no kubelet of another cluster is here.
func doubtAbsence(r *raw, here presence) {
	if r.node.note == "" {
		return
	}
	why := here.hidden
	if here.process != "" {
		why = fmt.Sprintf("a kubelet is here (process %s): the kubeconfig may be that of another cluster", here.process)
	}
	if why != "" {
		r.gap(nodePath, facts.ReasonFailed, "%s, but %s", r.node.note, why)
		r.gap(podsPath, facts.ReasonFailed, "%s, but %s", r.node.note, why)
	}
}

// handOver is how long reading may overrun its deadline to hand over what it
// has; credential plugins do not know of deadlines.
const handOver = 200 * time.Millisecond

// readCluster reads the cluster and comes back when the time is over, with
// nothing if need be.
func readCluster(ctx context.Context, reader func(*raw) *api) *raw {
	done := make(chan *raw, 1)
	go func() {
		r := &raw{}
		defer func() {
			if p := recover(); p != nil {
				r = &raw{}
				for _, path := range clusterPaths {
					r.gap(path, facts.ReasonFailed, "a fault of gpugate's own while reading the cluster: %v", p)
				}
			}
			done <- r
		}()
		reader(r).read(ctx)
	}()
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r
	case <-time.After(handOver):
	}
	r := &raw{}
	for _, path := range clusterPaths {
		r.gap(path, facts.ReasonTimeout, "no answer in time (raise it with --timeout)")
	}
	return r
}

// readKubelet reads what the kubelet of this host has written about devices.
func (s *live) readKubelet(r *raw, root string, here presence) {
	dir := first(s.o.KubeletDir, here.stateDir, DefaultKubeletDir)
	file := filepath.Join(dir, "device-plugins", "kubelet_internal_checkpoint")
	text, err := readCheckpoint(filepath.Join(root, file))
	switch {
	case err == nil:
		k, err := parseCheckpoint(file, text)
		if err != nil {
			r.gap(kubeletPath, facts.ReasonFailed, "%v", err)
			return
		}
		r.kubelet = k
	case errors.Is(err, fs.ErrPermission):
		r.gap(kubeletPath, facts.ReasonDenied, "%s: permission denied; run as root", file)
	case !errors.Is(err, fs.ErrNotExist):
		r.gap(kubeletPath, facts.ReasonFailed, "%s: %v", file, err)
	case here.process != "":
		r.gap(kubeletPath, facts.ReasonAbsent, "a kubelet is here (process %s), but %s is not: no device plugin has registered yet, or the kubelet keeps its state elsewhere", here.process, file)
	case here.hidden != "":
		r.gap(kubeletPath, facts.ReasonSkipped, "there is no %s, but whether a kubelet is here is not known: %s", file, here.hidden)
	}
}

// maxCheckpointBytes bounds the checkpoint: eight GPUs shared by hundreds of
// pods make some hundred kilobytes.
const maxCheckpointBytes = 32 << 20

func readCheckpoint(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxCheckpointBytes {
		return nil, errors.New("it is not a regular file of bearable size")
	}
	text, err := os.ReadFile(file)
	return text, cause(err)
}

// cause drops path and system call from a file error.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
