package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/fixtures/lab"
)

// TestLiveOnlyReads looks at the lab before and after everything that reads it:
// no container has changed, and the API server was asked for nothing else.
func TestLiveOnlyReads(t *testing.T) {
	engines := []string{lab.Docker(t), lab.DockerSGLang(t)}
	audit := lab.KubeAudit(t)
	from := size(t, audit)
	var before []map[string]any
	for _, e := range engines {
		before = append(before, inspectAll(t, e))
	}
	flags := labFlags(t, lab.LeastPrivilege)
	for _, command := range []string{"collect", "scan", "doctor"} {
		gpugate(t, append([]string{command}, flags...)...)
	}
	gpugate(t, "capture", "--docker-host", engines[0], "--docker-host", engines[1], t.TempDir()+"/capture")
	for i, e := range engines {
		if diff := cmp.Diff(before[i], inspectAll(t, e)); diff != "" {
			t.Errorf("the containers of %s have changed (-before +after):\n%s", e, diff)
		}
	}
	checkAudit(t, audit, from)
}

// inspectAll is what an engine says of its containers, without the results of
// their health checks, which the engine itself renews.
func inspectAll(t *testing.T, endpoint string) map[string]any {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", strings.TrimPrefix(endpoint, "unix://"))
	}}}
	defer client.CloseIdleConnections()
	get := func(path string, into any) {
		r, err := client.Get("http://engine" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Body.Close() }()
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	var list []struct{ ID string }
	get("/containers/json?all=1", &list)
	if len(list) == 0 {
		t.Fatalf("%s has no containers", endpoint)
	}
	containers := map[string]any{}
	for _, c := range list {
		var one map[string]any
		get("/containers/"+c.ID+"/json", &one)
		if state, ok := one["State"].(map[string]any); ok {
			delete(state, "Health")
		}
		delete(one, "ExecIDs") // health checks, too
		containers[c.ID] = one
	}
	return containers
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// checkAudit wants the API server's record of gpugate's own user to hold
// nothing but reading, and asking what one may read.
func checkAudit(t *testing.T, file string, from int64) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Verb      string
			User      struct{ Username string }
			ObjectRef struct{ Resource string }
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.User.Username != "gpugate" {
			continue // the last line may be half written
		}
		what := e.Verb + " " + e.ObjectRef.Resource
		seen[what]++
		switch what {
		case "get ", // the server's version, and which kinds of objects it has
			"get nodes", "list nodes", "list pods", "list daemonsets", "create selfsubjectaccessreviews":
		default:
			t.Errorf("gpugate did %q", what)
		}
	}
	for _, want := range []string{"list pods", "list daemonsets"} {
		if seen[want] == 0 {
			t.Errorf("the audit log has no %q of gpugate; it has %v", want, seen)
		}
	}
}
