package kubernetes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// errNoConfig means that nothing says where the cluster is.
var errNoConfig = errors.New("no kubeconfig")

// configError is a kubeconfig that cannot be used.
type configError struct {
	reason facts.Reason
	detail string
}

func (e *configError) Error() string { return e.detail }

// config finds out how to reach the cluster: the file the user gave, those of
// KUBECONFIG, ~/.kube/config, or the account of the pod this runs in. The
// kubelet's own credentials are never used.
func (o Options) config() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	// Old files at other places are read by kubectl, but moved there first.
	rules.MigrationRules = nil
	files := rules.Precedence
	if o.Kubeconfig != "" {
		rules.ExplicitPath = o.Kubeconfig
		files = []string{o.Kubeconfig}
	}
	there, err := readable(files, o.Kubeconfig != "")
	if err != nil {
		return nil, err
	}
	var config *rest.Config
	if there {
		overrides := &clientcmd.ConfigOverrides{CurrentContext: o.Context}
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
		if clientcmd.IsEmptyConfig(err) {
			err = errors.New("it names no cluster: set current-context or give --context")
		}
		if err != nil {
			return nil, &configError{facts.ReasonFailed, fmt.Sprintf("kubeconfig %s: %s", strings.Join(files, ", "), brief(err.Error()))}
		}
	} else if config, err = rest.InClusterConfig(); err != nil {
		if errors.Is(err, rest.ErrNotInCluster) || errors.Is(err, fs.ErrNotExist) {
			return nil, errNoConfig
		}
		return nil, &configError{reasonOf(err), "reading the pod's own account: " + brief(err.Error())}
	}
	return adapt(config), nil
}

// adapt sets what every client of this program wants: its name, no rate limit
// (a scan makes a handful of requests), no warnings on standard error, no
// questions on the terminal, no endless answers.
func adapt(c *rest.Config) *rest.Config {
	c.UserAgent = "gpugate"
	c.QPS = -1
	c.WarningHandlerWithContext = rest.NoWarnings{}
	c.Wrap(limitAnswers)
	if c.ExecProvider != nil {
		c.ExecProvider.StdinUnavailable = true
		c.ExecProvider.StdinUnavailableMessage = "gpugate asks nothing on the terminal"
	}
	return c
}

// via says how the cluster is reached, without credentials.
func via(c *rest.Config) string {
	server := redact.URL(c.Host)
	if c.ExecProvider != nil {
		return server + " (credentials by " + filepath.Base(c.ExecProvider.Command) + ")"
	}
	return server
}

// readable reports whether any of the files exists; one that exists must be
// readable, and one that the user named must exist.
func readable(files []string, named bool) (there bool, err error) {
	for _, file := range files {
		f, err := os.Open(file)
		switch {
		case err == nil:
			there = true
			if err := f.Close(); err != nil {
				return false, &configError{facts.ReasonFailed, fmt.Sprintf("kubeconfig %s: %v", file, err)}
			}
		case named || !errors.Is(err, fs.ErrNotExist):
			if p, ok := errors.AsType[*fs.PathError](err); ok {
				err = p.Err
			}
			return false, &configError{reasonOf(err), fmt.Sprintf("kubeconfig %s: %v", file, err)}
		}
	}
	return there, nil
}

func reasonOf(err error) facts.Reason {
	if errors.Is(err, fs.ErrPermission) {
		return facts.ReasonDenied
	}
	return facts.ReasonFailed
}
