package kubernetes

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

func openCapture(t testing.TB, files map[string]string) *capture.Dir {
	t.Helper()
	root := t.TempDir()
	all := map[string]string{"capture.json": `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-05-06T07:08:09Z","hostname":"gpu-five"}`}
	maps.Copy(all, files)
	for name, text := range all {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := capture.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func collect(ctx context.Context, s collector.Source) (facts.Source, facts.Kubernetes) {
	r := s.Collect(ctx)
	var d facts.Document
	if r.Attach != nil {
		r.Attach(&d)
	}
	return r.Report, d.Kubernetes
}

// summary is what a report says, a line a gap.
func summary(r facts.Source) []string {
	lines := []string{string(r.Status)}
	for _, g := range r.Gaps {
		lines = append(lines, string(g.Reason)+" "+g.Path)
	}
	return lines
}

func listOf(items ...string) string {
	return `{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[` + strings.Join(items, ",") + `]}`
}

func nodeJSON(name, ip string) string {
	return `{"kind":"Node","metadata":{"name":"` + name + `"},"status":{"addresses":[{"type":"InternalIP","address":"` + ip + `"}],
	  "capacity":{"nvidia.com/gpu":"2"},"allocatable":{"nvidia.com/gpu":"2"},"conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"osImage":"Ubuntu 22.04.4 LTS"}}}`
}

func podJSON(name, node, phase string) string {
	return `{"kind":"Pod","metadata":{"name":"` + name + `","namespace":"default","uid":"u-` + name + `"},"spec":{"nodeName":"` + node + `","containers":[{"name":"c","image":"i"}]},"status":{"phase":"` + phase + `"}}`
}

const (
	noSets    = `{"kind":"List","items":[]}`
	noDevices = `{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":1}`
)

func podNames(k facts.Kubernetes) []string {
	var list []string
	for _, p := range k.Pods {
		list = append(list, p.Name)
	}
	return list
}

func TestCapture(t *testing.T) {
	dir := openCapture(t, map[string]string{
		"host/addresses":     "10.44.0.5 172.17.0.1",
		nodesFile:            listOf(nodeJSON("node-10.44.0.5", "10.44.0.5"), nodeJSON("node-10.44.0.6", "10.44.0.6")),
		podsFile:             "\ufeff" + listOf(podJSON("mine", "node-10.44.0.5", "Running"), podJSON("done", "node-10.44.0.5", "Succeeded"), podJSON("theirs", "node-10.44.0.6", "Running"), podJSON("waiting", "", "Pending")),
		daemonSetsFile:       noSets,
		checkpointFile:       noDevices,
		"kubernetes/x.ignor": "x",
	})
	report, k := collect(context.Background(), FromCapture(dir, ""))
	if d := cmp.Diff([]string{"complete"}, summary(report)); d != "" {
		t.Error(d, report.Gaps)
	}
	if k.Node == nil || k.Node.Name != "node-10.44.0.5" || k.NodeFoundBy != "address" {
		t.Errorf("%+v by %q", k.Node, k.NodeFoundBy)
	}
	if d := cmp.Diff([]string{"mine", "done"}, podNames(k)); d != "" {
		t.Error(d)
	}
}

func TestCaptureShapes(t *testing.T) {
	one := nodeJSON("n5", "10.44.0.5")
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
		node  string
		pods  []string
		says  string // part of some detail
	}{
		"nothing":           {nil, []string{"skipped", "skipped kubernetes"}, "", nil, "no kubernetes/"},
		"one object a file": {map[string]string{nodesFile: one, podsFile: podJSON("p", "n5", "Running"), daemonSetsFile: noSets, checkpointFile: noDevices}, []string{"complete"}, "n5", []string{"p"}, ""},
		"no kubectl": {map[string]string{nodesFile + ".err": "sh: 1: kubectl: command not found", podsFile + ".err": "sh: 1: kubectl: command not found", daemonSetsFile + ".err": "sh: 1: kubectl: command not found"},
			[]string{"absent", "absent kubernetes.node", "absent kubernetes.pods", "absent kubernetes.daemonSets", "skipped kubernetes.kubelet"}, "", nil, "command not found"},
		"forbidden pods": {map[string]string{nodesFile: listOf(one), podsFile + ".err": `Error from server (Forbidden): pods is forbidden: User "u" cannot list resource "pods"`, daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "denied kubernetes.pods"}, "n5", nil, "forbidden"},
		"refused": {map[string]string{nodesFile + ".err": "The connection to the server localhost:8080 was refused - did you specify the right host or port?"},
			[]string{"failed", "failed kubernetes.node", "skipped kubernetes.pods", "skipped kubernetes.daemonSets", "skipped kubernetes.kubelet"}, "", nil, "refused"},
		"a status object": {map[string]string{nodesFile: `{"kind":"Status","status":"Failure","message":"nodes is forbidden","reason":"Forbidden","code":403}`, podsFile: listOf(), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "denied kubernetes.node", "failed kubernetes.pods"}, "", nil, "nodes is forbidden"},
		"one page": {map[string]string{nodesFile: strings.Replace(listOf(one), `"resourceVersion":""`, `"continue":"abc","remainingItemCount":3`, 1), podsFile: listOf(podJSON("p", "n5", "Running")), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "failed kubernetes.node", "failed kubernetes.node", "failed kubernetes.pods"}, "", nil, "one page of several"},
		"wrong kind": {map[string]string{nodesFile: podJSON("p", "n5", "Running"), podsFile: one, daemonSetsFile: `[]`, checkpointFile: `{}`},
			[]string{"failed", "failed kubernetes.node", "failed kubernetes.pods", "failed kubernetes.daemonSets", "failed kubernetes.kubelet"}, "", nil, "it holds Pod"},
		"one bad pod": {map[string]string{nodesFile: listOf(one), podsFile: listOf(podJSON("p", "n5", "Running"), "\n"+`{"kind":"Pod","metadata":{"name":"bad","namespace":"a","uid":"u-bad"},"spec":{"containers":[{"name":7}]}}`), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "failed kubernetes.pods"}, "n5", []string{"p"}, "pods.json:2:94: a/bad: a number cannot stand here"},
		"garbage": {map[string]string{nodesFile: "<html>", podsFile: "\x00", daemonSetsFile: "", checkpointFile: "{"},
			[]string{"failed", "failed kubernetes.node", "failed kubernetes.pods", "failed kubernetes.daemonSets", "failed kubernetes.kubelet"}, "", nil, "nodes.json:1:1"},
		"truncated pods": {map[string]string{nodesFile: listOf(one), podsFile: listOf(podJSON("p", "n5", "Running"))[:200], daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "failed kubernetes.pods"}, "n5", nil, "ends in the middle"},
		"another's cluster": {map[string]string{"host/addresses": "10.50.0.1", nodesFile: listOf(one), podsFile: listOf(podJSON("p", "n5", "Running")), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"complete"}, "", nil, ""},
		"another's, with a kubelet here": {map[string]string{"host/addresses": "10.50.0.1", nodesFile: listOf(one), podsFile: listOf(), daemonSetsFile: noSets, checkpointFile: checkpointV2},
			[]string{"partial", "failed kubernetes.node", "failed kubernetes.pods"}, "", nil, "may be those of another cluster"},
		"which of two": {map[string]string{nodesFile: listOf(one, nodeJSON("n6", "10.44.0.6")), podsFile: listOf(podJSON("p", "n5", "Running")), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "failed kubernetes.node", "failed kubernetes.pods"}, "", nil, "--node NAME"},
		"nodes denied, pods tell": {map[string]string{"host/addresses": "10.44.0.5", nodesFile + ".err": "Error from server (Forbidden): nodes", podsFile: listOf(strings.Replace(podJSON("p", "n5", "Running"), `"phase"`, `"hostIP":"10.44.0.5","phase"`, 1), podJSON("q", "n6", "Running")), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "denied kubernetes.node"}, "", []string{"p"}, ""},
		"pod on no node": {map[string]string{nodesFile: one, podsFile: listOf(podJSON("p", "", "Running"), podJSON("q", "", "")), daemonSetsFile: noSets, checkpointFile: noDevices},
			[]string{"partial", "failed kubernetes.pods"}, "n5", []string{"p"}, "default/q does not say which node"},
	} {
		t.Run(name, func(t *testing.T) {
			report, k := collect(context.Background(), FromCapture(openCapture(t, c.files), ""))
			if d := cmp.Diff(c.want, summary(report)); d != "" {
				t.Error(d, report.Gaps)
			}
			node := ""
			if k.Node != nil {
				node = k.Node.Name
			}
			if d := cmp.Diff(c.pods, podNames(k)); node != c.node || d != "" {
				t.Errorf("node %q, pods %s", node, d)
			}
			said := ""
			for _, g := range report.Gaps {
				said += g.Detail + "\n"
			}
			if !strings.Contains(said, c.says) {
				t.Errorf("%q is not said in\n%s", c.says, said)
			}
		})
	}
}

func TestCaptureNodeNamed(t *testing.T) {
	dir := openCapture(t, map[string]string{nodesFile: listOf(nodeJSON("n5", "10.44.0.5"), nodeJSON("n6", "10.44.0.6")), podsFile: listOf(podJSON("p", "n6", "Running"))})
	if _, k := collect(context.Background(), FromCapture(dir, "n6")); k.Node == nil || k.Node.Name != "n6" || k.NodeFoundBy != "flag" || len(k.Pods) != 1 {
		t.Errorf("%+v", k)
	}
}

func TestManyBadObjectsAreFewGaps(t *testing.T) {
	items := make([]string, 3000)
	for i := range items {
		items[i] = `{"kind":"Pod","metadata":{"name":"x","uid":"u"},"spec":7}`
	}
	report, _ := collect(context.Background(), FromCapture(openCapture(t, map[string]string{nodesFile: nodeJSON("n5", ""), podsFile: listOf(items...), daemonSetsFile: noSets, checkpointFile: noDevices}), ""))
	if n := len(report.Gaps); n < 1 || n > maxBadItems+1 {
		t.Errorf("%d gaps", n)
	}
}

// FuzzNodes looks for panics, and for a file that gives neither a node nor a
// word why.
func FuzzNodes(f *testing.F) {
	f.Add([]byte(listOf(nodeJSON("n5", "10.44.0.5"))))
	f.Add([]byte(nodeText))
	f.Add([]byte(`{"kind":"List","items":[null,7,{"metadata":{"name":"x","labels":{"a":null}},"status":{"capacity":{"nvidia.com/gpu":"-1"}}}]}`))
	f.Add([]byte(`{"kind":"Status","code":"x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		report, k := collect(context.Background(), FromCapture(openCapture(t, map[string]string{nodesFile: string(text), podsFile: string(text), daemonSetsFile: string(text)}), ""))
		said := report.Detail != ""
		for _, g := range report.Gaps {
			said = said || g.Touches(nodePath)
		}
		if k.Node == nil && !said {
			t.Error("no node, and nothing says why")
		}
	})
}
