package kubernetes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector/capture"
)

// TestListedOfCapture holds what the files of a capture prove of the account's
// permissions: a list that was printed was allowed, a refusal by the API server
// was not, and anything else proves neither.
func TestListedOfCapture(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		file, text string
		allowed    *bool
	}{
		"a list":                  {"nodes.json", `{"kind": "List", "items": []}`, &yes},
		"one object":              {"nodes.json", `{"kind": "Node", "metadata": {"name": "a"}}`, nil},
		"refused":                 {"nodes.json.err", `Error from server (Forbidden): nodes is forbidden: User "eve" cannot list resource "nodes" in API group "" at the cluster scope`, &no},
		"refused, as a Status":    {"nodes.json", `{"kind": "Status", "reason": "Forbidden", "code": 403, "message": "nodes is forbidden: User \"eve\" cannot list resource \"nodes\" in API group \"\" at the cluster scope"}`, &no},
		"refused to get":          {"nodes.json.err", `Error from server (Forbidden): nodes "a" is forbidden: User "eve" cannot get resource "nodes" in API group "" at the cluster scope`, nil},
		"no right to kubeconfig":  {"nodes.json.err", "error: open /etc/kubernetes/kubelet-kubeconfig: permission denied", nil},
		"no kubectl":              {"nodes.json.err", "sh: kubectl: command not found", nil},
		"a damaged list":          {"nodes.json", `{"kind": "List", "items": [{"kind": "Node"}]}`, nil},
		"garbled":                 {"nodes.json", `{"kind": "List", "items": [`, nil},
		"nothing":                 {"other", "", nil},
		"a list of another thing": {"nodes.json", `{"kind": "PodList", "items": []}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range map[string]string{
				"capture.json":         `{"schemaVersion": "gpugate.capture/v1", "capturedAt": "2026-11-30T12:00:00Z", "hostname": "a"}`,
				"kubernetes/" + c.file: c.text,
			} {
				path := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			dir, err := capture.Open(root)
			if err != nil {
				t.Fatal(err)
			}
			var allowed *bool
			if l := readList[corev1.Node](dir, &raw{}, nodesFile, nodePath, "Node"); l.listed != nil {
				allowed = &l.listed.Allowed
			}
			if diff := cmp.Diff(c.allowed, allowed); diff != "" {
				t.Errorf("may list (-want +got):\n%s", diff)
			}
		})
	}
}
