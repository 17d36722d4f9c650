package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestPodLogs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		switch r.URL.Path {
		case "/api/v1/namespaces/ai/pods/glm/log":
			q := r.URL.Query()
			fmt.Fprintf(w, "%s %s %s", q.Get("container"), q.Get("tailLines"), q.Get("timestamps"))
		case "/api/v1/namespaces/ai/pods/slow/log":
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second):
			}
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"pods \"secret\" is forbidden: cannot get pods/log"}`)
		}
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: a, cluster: {server: %q}}]\ncontexts: [{name: a, context: {cluster: a}}]\n", server.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	read := PodLogs(Options{Kubeconfig: file})
	var b bytes.Buffer
	if gap := read(t.Context(), "ai", "glm", "main", 7, &b); gap != nil || b.String() != "main 7 true" {
		t.Errorf("%q %+v", &b, gap)
	}
	if gap := read(t.Context(), "ai", "secret", "main", 7, &b); gap == nil || gap.Reason != facts.ReasonDenied || !strings.Contains(gap.Detail, "ai/secret") {
		t.Errorf("%+v", gap)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if gap := read(ctx, "ai", "slow", "main", 7, &b); gap == nil || gap.Reason != facts.ReasonTimeout {
		t.Errorf("%+v", gap)
	}
	if gap := PodLogs(Options{Kubeconfig: "/nowhere/kubeconfig"})(t.Context(), "ai", "glm", "main", 7, &b); gap == nil || gap.Reason != facts.ReasonFailed {
		t.Errorf("%+v", gap)
	}
}
