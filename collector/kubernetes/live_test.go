package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	kubetesting "k8s.io/client-go/testing"

	"github.com/gpugate/gpugate/collector"
)

var here = collector.Identity{Names: []string{"gpu-five"}, Addresses: []string{"127.0.0.1", "10.44.0.5"}}

// testHost is a file system like that of a server.
func testHost(t *testing.T, processes map[string]string, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("proc/1/comm", "systemd\n")
	put("proc/uptime", "1 1")
	for pid, comm := range processes {
		put("proc/"+pid+"/comm", comm+"\n")
		put("proc/"+pid+"/cmdline", "/usr/bin/"+comm+"\x00--root-dir=/data/kubelet\x00")
	}
	for name, text := range files {
		put(name, text)
	}
	setNamespace(t, root, initialPIDNamespace)
	return root
}

func setNamespace(t *testing.T, root, to string) {
	t.Helper()
	link := filepath.Join(root, "proc", "self", "ns", "pid")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, link); err != nil {
		t.Fatal(err)
	}
}

// noConfig takes every way to a cluster away.
func noConfig(t *testing.T) {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
}

func TestWithoutKubeconfig(t *testing.T) {
	noConfig(t)
	kubelet := map[string]string{"812": "kubelet"}
	cluster := func(reason, rest string) []string {
		list := []string{reason, reason + " kubernetes.node", reason + " kubernetes.pods", reason + " kubernetes.daemonSets"}
		if rest != "" {
			list = append(list, rest)
		}
		return list
	}
	for name, c := range map[string]struct {
		processes, files map[string]string
		contained        bool
		want             []string
		says             string
	}{
		"a host without Kubernetes": {nil, nil, false, []string{"absent"}, "no kubelet runs here"},
		"residue":                   {nil, map[string]string{"etc/kubernetes/pki/ca.crt": ""}, false, cluster("skipped", ""), "is or was here (/etc/kubernetes)"},
		"a kubelet":                 {kubelet, map[string]string{"data/kubelet/device-plugins/kubelet_internal_checkpoint": noDevices}, false, cluster("denied", ""), "a kubelet is here (process kubelet), but no kubeconfig was given (--kubeconfig FILE)"},
		"a kubelet, no checkpoint":  {kubelet, nil, false, cluster("denied", "absent kubernetes.kubelet"), "/data/kubelet/device-plugins"},
		"k3s":                       {map[string]string{"9": "k3s-agent"}, nil, false, cluster("denied", "absent kubernetes.kubelet"), "process k3s-agent"},
		"in a container":            {nil, nil, true, cluster("skipped", "skipped kubernetes.kubelet"), "does not see the host's processes"},
		"a broken checkpoint":       {nil, map[string]string{"var/lib/kubelet/device-plugins/kubelet_internal_checkpoint": "{\"Data\""}, false, cluster("skipped", "failed kubernetes.kubelet"), "ends in the middle"},
	} {
		t.Run(name, func(t *testing.T) {
			root := testHost(t, c.processes, c.files)
			if c.contained {
				setNamespace(t, root, "pid:[4026532500]")
			}
			report, _ := collect(context.Background(), Live(Options{Host: here, root: root}))
			if d := cmp.Diff(c.want, summary(report)); d != "" {
				t.Error(d, report.Gaps)
			}
			said := report.Detail
			for _, g := range report.Gaps {
				said += g.Detail + "\n"
			}
			if !strings.Contains(said, c.says) {
				t.Errorf("%q is not said in %s", c.says, said)
			}
		})
	}
}

func TestHiddenProcessesProveNothing(t *testing.T) {
	root := testHost(t, nil, nil)
	if err := os.RemoveAll(filepath.Join(root, "proc", "1")); err != nil {
		t.Fatal(err)
	}
	if p := lookForKubelet(root); p.absent() || p.hidden == "" {
		t.Errorf("a /proc without process 1 was taken for a full one: %+v", p)
	}
	if p := lookForKubelet(filepath.Join(root, "none")); p.absent() {
		t.Errorf("no /proc at all: %+v", p)
	}
}

func TestKubeconfigThatCannotBeUsed(t *testing.T) {
	noConfig(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"garbage": "}{", "empty": "", "other": "apiVersion: v1\nkind: Config\nclusters: []\n", "cert": kubeconfigText("https://127.0.0.1:1", "token: hunter2hunter2\n    client-certificate: /nonexistent.crt")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, says := range map[string]string{"garbage": "kubeconfig", "empty": "names no cluster", "other": "names no cluster", "cert": "/nonexistent.crt", "missing": "no such file"} {
		t.Run(name, func(t *testing.T) {
			report, _ := collect(context.Background(), Live(Options{Kubeconfig: filepath.Join(dir, name), Host: here, root: testHost(t, nil, nil)}))
			if d := cmp.Diff([]string{"failed", "failed kubernetes.node", "failed kubernetes.pods", "failed kubernetes.daemonSets"}, summary(report)); d != "" {
				t.Fatal(d, report.Gaps)
			}
			if detail := report.Gaps[0].Detail; !strings.Contains(detail, says) || strings.Contains(detail, "hunter2") {
				t.Errorf("%q, want %q", detail, says)
			}
		})
	}
}

func kubeconfigText(server, user string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters:\n- name: a\n  cluster: {server: %q, insecure-skip-tls-verify: true}\nusers:\n- name: a\n  user:\n    %s\ncontexts:\n- name: a\n  context: {cluster: a, user: a}\n", server, user)
}

func kubeconfigFile(t *testing.T, server, user string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfigText(server, user)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// allPaths is the summary of a cluster that told nothing.
func allPaths(reason string) []string {
	return []string{reason, reason + " kubernetes.node", reason + " kubernetes.pods", reason + " kubernetes.daemonSets"}
}

func TestBrokenServers(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	hang := make(chan struct{})
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
		return s.URL
	}
	wait := func(r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}
	cases := map[string]struct {
		url  string
		want []string
		says string
	}{
		"refused": {closed.URL, allPaths("failed"), "connection refused"},
		"hanging": {serve(func(_ http.ResponseWriter, r *http.Request) { wait(r) }), allPaths("timeout"), "no answer in time"},
		"hanging after the version": {serve(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/version" {
				wait(r)
				return
			}
			_, _ = fmt.Fprint(w, `{"gitVersion":"v1.33.0"}`)
		}), allPaths("timeout"), "no answer in time"},
		"garbage":      {serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>login</html>") }), allPaths("failed"), ""},
		"not found":    {serve(http.NotFound), allPaths("failed"), ""},
		"unauthorised": {serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }), allPaths("denied"), "does not accept the credentials"},
		"wrong types": {serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, `{"gitVersion":"v1","kind":"NodeList","items":{"a":"token=hunter2hunter2"}}`)
		}), allPaths("failed"), ""},
	}
	// Servers wait for their handlers, so these are let go first.
	t.Cleanup(func() { close(hang) })
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
			defer cancel()
			began := time.Now()
			report, _ := collect(ctx, Live(Options{Kubeconfig: kubeconfigFile(t, c.url, "token: hunter2hunter2"), Host: here, root: testHost(t, nil, nil)}))
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("it took %s", took)
			}
			if d := cmp.Diff(c.want, summary(report)); d != "" {
				t.Error(d, report.Gaps)
			}
			for _, g := range report.Gaps {
				if (g.Path == nodePath && !strings.Contains(g.Detail, c.says)) || strings.Contains(g.Detail, "hunter2") || g.Detail == "" {
					t.Errorf("detail %q", g.Detail)
				}
			}
		})
	}
}

func TestCredentialPlugin(t *testing.T) {
	// Over plain HTTP client-go sends no credentials and asks no plugin.
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	user := "exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/sleep, args: [\"2\"], interactiveMode: Never}"
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	report, _ := collect(ctx, Live(Options{Kubeconfig: kubeconfigFile(t, server.URL, user), Host: here, root: testHost(t, nil, nil)}))
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("a plugin that hangs held the scan for %s", took)
	}
	if d := cmp.Diff(allPaths("timeout"), summary(report)); d != "" || report.Via != server.URL+" (credentials by sleep)" {
		t.Error(d, report)
	}
}

// forbid makes the fake cluster refuse a verb on a resource.
func forbid(c *fake.Clientset, verb, resource string) {
	c.PrependReactor(verb, resource, func(kubetesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", fmt.Errorf("no"))
	})
}

// review makes the fake cluster answer what the account may do.
func review(c *fake.Clientset, denied ...string) {
	c.PrependReactor("create", "selfsubjectaccessreviews", func(a kubetesting.Action) (bool, runtime.Object, error) {
		r := a.(kubetesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
		asked := r.Spec.ResourceAttributes
		r.Status.Allowed = !slices.Contains(denied, asked.Verb+" "+asked.Resource)
		return true, r, nil
	})
}

func readFake(ctx context.Context, c *fake.Clientset, nodeName string) *raw {
	r := readCluster(ctx, func(r *raw) *api { return &api{client: c, host: here, nodeName: nodeName, raw: r} })
	return r
}

func fakeCluster(t *testing.T) *fake.Clientset {
	t.Helper()
	mine := object[corev1.Pod](t, podJSON("mine", "node-10.44.0.5", "Running"))
	mine.Status.HostIP = "10.44.0.5"
	c := fake.NewClientset(object[corev1.Node](t, nodeJSON("node-10.44.0.5", "10.44.0.5")), object[corev1.Node](t, nodeJSON("node-10.44.0.6", "10.44.0.6")))
	// The fake cluster knows no field selectors of its own.
	c.PrependReactor("list", "pods", func(a kubetesting.Action) (bool, runtime.Object, error) {
		l := &corev1.PodList{}
		if a.(kubetesting.ListAction).GetListRestrictions().Fields.Matches(fields.Set{"spec.nodeName": mine.Spec.NodeName}) {
			l.Items = append(l.Items, *mine)
		}
		return true, l, nil
	})
	return c
}

func TestPermissions(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*fake.Clientset)
		node string // --node
		want []string
		pods int
	}{
		"all":                             {func(c *fake.Clientset) { review(c) }, "", nil, 1},
		"no nodes":                        {func(c *fake.Clientset) { review(c, "get nodes", "list nodes") }, "", []string{"denied kubernetes.node"}, 1},
		"get nodes only":                  {func(c *fake.Clientset) { review(c, "list nodes") }, "", nil, 1},
		"list nodes only, named":          {func(c *fake.Clientset) { review(c, "get nodes") }, "node-10.44.0.5", nil, 1},
		"no nodes, named":                 {func(c *fake.Clientset) { review(c, "get nodes", "list nodes") }, "node-10.44.0.5", []string{"denied kubernetes.node"}, 1},
		"no pods":                         {func(c *fake.Clientset) { review(c, "list pods") }, "", []string{"denied kubernetes.pods"}, 0},
		"no daemonsets":                   {func(c *fake.Clientset) { review(c, "list daemonsets") }, "", []string{"denied kubernetes.daemonSets"}, 1},
		"403 despite the review":          {func(c *fake.Clientset) { review(c); forbid(c, "list", "pods") }, "", []string{"denied kubernetes.pods"}, 0},
		"403 on nodes despite the review": {func(c *fake.Clientset) { review(c); forbid(c, "list", "nodes") }, "", []string{"denied kubernetes.node"}, 1},
		"no reviews":                      {func(c *fake.Clientset) { forbid(c, "create", "selfsubjectaccessreviews") }, "", nil, 1},
		"no reviews, no daemonsets": {func(c *fake.Clientset) {
			forbid(c, "create", "selfsubjectaccessreviews")
			forbid(c, "list", "daemonsets")
		}, "", []string{"denied kubernetes.daemonSets"}, 1},
		"a node nobody has": {func(c *fake.Clientset) { review(c) }, "nope", []string{"failed kubernetes.node", "failed kubernetes.pods"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			client := fakeCluster(t)
			c.set(client)
			r := readFake(context.Background(), client, c.node)
			var got []string
			for _, g := range r.gaps {
				got = append(got, string(g.Reason)+" "+g.Path)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d, r.gaps)
			}
			for _, p := range r.pods {
				if p.Spec.NodeName != r.node.name {
					t.Errorf("pod on %q", p.Spec.NodeName)
				}
			}
			if len(r.pods) != c.pods {
				t.Errorf("%d pods, want %d", len(r.pods), c.pods)
			}
		})
	}
}

func TestAnotherClusterProvesNothingWhereAKubeletRuns(t *testing.T) {
	r := &raw{node: finding{note: "the cluster lists 3 nodes; none is this host"}}
	doubtAbsence(r, presence{})
	if len(r.gaps) != 0 {
		t.Errorf("proven absence was doubted: %v", r.gaps)
	}
	for _, p := range []presence{{process: "kubelet"}, {hidden: "in a container"}} {
		r := &raw{node: finding{note: "the cluster lists 3 nodes; none is this host"}}
		if doubtAbsence(r, p); len(r.gaps) != 2 {
			t.Errorf("%+v: gaps %v", p, r.gaps)
		}
	}
}

func TestPages(t *testing.T) {
	type answer struct {
		items int
		next  string
		err   error
	}
	for name, c := range map[string]struct {
		answers map[string]answer // by the token that asks for them
		items   int
		says    string // empty where all was read
	}{
		"two":         {map[string]answer{"": {2, "b", nil}, "b": {1, "", nil}}, 3, ""},
		"one, then":   {map[string]answer{"": {2, "b", nil}, "b": {0, "", context.DeadlineExceeded}}, 2, "after 2 of them: no answer in time"},
		"too many":    {map[string]answer{"": {pageSize, "b", nil}, "b": {maxItems, "c", nil}}, pageSize + maxItems, "more than the"},
		"without end": {map[string]answer{"": {1, "b", nil}, "b": {0, "b", nil}}, 1, "do not end"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &raw{}
			l := pages(context.Background(), r, podsPath, func(o metav1.ListOptions) ([]int, string, error) {
				a := c.answers[o.Continue]
				return make([]int, a.items), a.next, a.err
			})
			if len(l.items) != c.items || l.whole != (c.says == "") || len(r.gaps) > 1 {
				t.Errorf("%d items, whole %v, gaps %v", len(l.items), l.whole, r.gaps)
			}
			if c.says != "" && (len(r.gaps) == 0 || !strings.Contains(r.gaps[0].Detail, c.says)) {
				t.Errorf("gaps %v, want %q", r.gaps, c.says)
			}
		})
	}
}
