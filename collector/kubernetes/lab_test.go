package kubernetes

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/fixtures/lab"
)

var labHost = collector.Identity{Names: []string{"cvd-lab"}, Addresses: []string{"10.0.0.12"}}

func labReport(t *testing.T, who lab.Identity, o Options) (got []string, k string, pods []string) {
	t.Helper()
	o.Kubeconfig, o.root = lab.Kubeconfig(t, who), testHost(t, nil, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	report, section := collect(ctx, Live(o))
	text, err := json.Marshal(section)
	if err != nil {
		t.Fatal(err)
	}
	details, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if all := string(text) + string(details); strings.Contains(all, "lab-secret") {
		t.Errorf("a secret of a pod got through: %s", all)
	}
	name := "none"
	if section.Node != nil {
		name = section.Node.Name
	}
	return summary(report), name + ", " + section.NodeFoundBy, podNames(section)
}

func TestLabPermissions(t *testing.T) {
	all := []string{"cuda-notebook", "glm-tke-0", "train-done", "ms-7kq2bd8x-1-6f9c"}
	for _, c := range []struct {
		who  lab.Identity
		want []string
		node string
		pods bool
	}{
		{lab.LeastPrivilege, []string{"complete"}, "node-10.0.0.12, address", true},
		{lab.NoNodes, []string{"partial", "denied kubernetes.node"}, "none, ", true},
		{lab.NoPods, []string{"partial", "denied kubernetes.pods"}, "node-10.0.0.12, address", false},
		{lab.NoDaemonSets, []string{"partial", "denied kubernetes.daemonSets"}, "node-10.0.0.12, address", true},
		{lab.Stranger, allPaths("denied"), "none, ", false},
	} {
		t.Run(string(c.who), func(t *testing.T) {
			got, node, pods := labReport(t, c.who, Options{Host: labHost})
			if d := cmp.Diff(c.want, got); d != "" || node != c.node {
				t.Error(d, node)
			}
			for _, name := range all {
				if slices.Contains(pods, name) != c.pods {
					t.Errorf("pod %s: pods are %v", name, pods)
				}
			}
			if slices.Contains(pods, "web") || slices.Contains(pods, "glm-waiting") {
				t.Errorf("pods of other nodes: %v", pods)
			}
		})
	}
}

func TestLabNodes(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want []string
		node string
	}{
		"named":         {Options{NodeName: "node-10.0.0.13", Host: labHost}, []string{"complete"}, "node-10.0.0.13, flag"},
		"by host name":  {Options{Host: collector.Identity{Names: []string{"node-10.0.0.14"}}}, []string{"complete"}, "node-10.0.0.14, name"},
		"not a node":    {Options{Host: collector.Identity{Names: []string{"x"}, Addresses: []string{"10.9.9.9"}}}, []string{"complete"}, "none, "},
		"no such node":  {Options{NodeName: "nope", Host: labHost}, []string{"partial", "failed kubernetes.node", "failed kubernetes.pods"}, "none, "},
		"no addresses":  {Options{Host: collector.Identity{Names: []string{"x"}}}, []string{"partial", "failed kubernetes.node", "failed kubernetes.pods"}, "none, "},
		"wrong context": {Options{Context: "nope", Host: labHost}, allPaths("failed"), "none, "},
	} {
		t.Run(name, func(t *testing.T) {
			got, node, _ := labReport(t, lab.LeastPrivilege, c.o)
			if d := cmp.Diff(c.want, got); d != "" || node != c.node {
				t.Error(d, node)
			}
		})
	}
}

// TestLabVerbs proves by the API server's own audit log that a scan reads with
// get and list alone, beside asking what it may do.
func TestLabVerbs(t *testing.T) {
	log := lab.KubeAudit(t)
	before, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	labReport(t, lab.LeastPrivilege, Options{Host: labHost})
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(before.Size(), 0); err != nil {
		t.Fatal(err)
	}
	seen := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct {
			Verb, RequestURI, UserAgent string
			ObjectRef                   struct{ Resource string }
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil || event.UserAgent != "gpugate" {
			continue
		}
		seen++
		asks := event.Verb == "create" && event.ObjectRef.Resource == "selfsubjectaccessreviews"
		if event.Verb != "get" && event.Verb != "list" && !asks {
			t.Errorf("%s %s", event.Verb, event.RequestURI)
		}
		if event.ObjectRef.Resource == "pods" && !strings.Contains(event.RequestURI, "fieldSelector=spec.nodeName%3Dnode-10.0.0.12") {
			t.Errorf("pods of other nodes were asked for: %s", event.RequestURI)
		}
	}
	if seen < 7 {
		t.Errorf("only %d requests in the audit log", seen)
	}
}
