package host

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/fixtures/lab"
)

// TestLabOwners reads processes of the lab's real daemons. The lab's service
// manager and engines write real control groups.
func TestLabOwners(t *testing.T) {
	manager := lab.SystemdPID(t)
	if !(&live{root: "/"}).look().pids {
		t.Skip("this is a container with PIDs of its own")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		lines, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cgroup"))
		if err != nil {
			continue
		}
		want := ""
		switch text := string(lines); {
		case strings.Contains(text, "/docker/") || strings.Contains(text, "/docker-"):
			want = "docker"
		case strings.Contains(text, "/system.slice/dbus.service"):
			want = "systemd"
		default:
			continue
		}
		processes, _ := Live(Options{}).Processes(ctx, []int{pid})
		if p := processes[0]; p.State != "gone" && p.Owner.Manager != want {
			t.Errorf("process %d: %+v, want %s", pid, p.Owner, want)
		}
		seen[want]++
	}
	if seen["systemd"] == 0 {
		t.Errorf("no unit of the lab's service manager (PID %d) was found", manager)
	}
}
