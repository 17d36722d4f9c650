package docker

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fakeDaemon is a Docker API of API version 1.41 on a Unix socket. Its fields
// break it in the ways that daemons break.
type fakeDaemon struct {
	containers int
	// answer may answer a request in the daemon's stead.
	answer func(w http.ResponseWriter, r *http.Request) bool
	// slow is how long each inspection takes.
	slow time.Duration

	socket        string
	now, most     atomic.Int64
	images, other atomic.Int64
}

// start listens; the endpoint is the daemon's until the test ends.
func (f *fakeDaemon) start(t testing.TB) string {
	t.Helper()
	if f.socket == "" {
		dir, err := os.MkdirTemp("", "gpugate") // t.TempDir is too long a path for a socket
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		f.socket = filepath.Join(dir, "docker.sock")
	}
	listener, err := net.Listen("unix", f.socket)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(f)
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return "unix://" + f.socket
}

func fakeID(i int) string { return fmt.Sprintf("%064x", i+1) }

func (f *fakeDaemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Api-Version", "1.41")
	if f.answer != nil && f.answer(w, r) {
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		f.other.Add(1)
	}
	path := strings.TrimPrefix(r.URL.Path, "/v1.41")
	say := func(format string, args ...any) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, format, args...)
	}
	switch {
	case r.URL.Path == "/_ping":
	case path == r.URL.Path:
		http.Error(w, `{"message":"client version is too new"}`, http.StatusBadRequest)
	case path == "/version":
		say(`{"Version":"20.10.24","ApiVersion":"1.41","Components":[{"Name":"Engine","Version":"20.10.24"}]}`)
	case path == "/info":
		say(`{"ID":"X","ServerVersion":"20.10.24","DefaultRuntime":"runc","Runtimes":{"runc":{"path":"runc"}},"Containers":%d}`, f.containers)
	case path == "/containers/json" && r.URL.Query().Get("all") == "1":
		var list []string
		for i := range f.containers {
			list = append(list, fmt.Sprintf(`{"Id":%q}`, fakeID(i)))
		}
		say("[%s]", strings.Join(list, ","))
	case strings.HasPrefix(path, "/containers/"):
		f.most.Store(max(f.most.Load(), f.now.Add(1)))
		time.Sleep(f.slow)
		f.now.Add(-1)
		id := strings.Split(path, "/")[2]
		say(`{"Id":%q,"Name":"/n-%s","Image":"sha256:%s","State":{"Status":"running","Pid":7},"HostConfig":{"Runtime":"runc"},"Config":{}}`, id, id[60:], strings.Repeat("c", 64))
	case strings.HasPrefix(path, "/images/"):
		f.images.Add(1)
		say(`{"Id":"sha256:%s","RepoDigests":["r@sha256:1"]}`, strings.Repeat("c", 64))
	default:
		http.NotFound(w, r)
	}
}

// hang answers nothing for a path until the client goes away.
func hang(part string) func(http.ResponseWriter, *http.Request) bool {
	return func(_ http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, part) {
			return false
		}
		<-r.Context().Done()
		return true
	}
}

// reply answers a path with this.
func reply(part string, status int, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, part) {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
		return true
	}
}
