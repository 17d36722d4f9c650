package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/fixtures/lab"
)

// needed is a program a test cannot do without; where everything must be
// tested, its absence is a failure.
func needed(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("%v; install it to run this test", err)
	}
	return path
}

// shells are those the script must run in, with the tools they come with.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	busybox := needed(t, "busybox")
	return map[string][]string{"sh": {"sh"}, "busybox": {busybox, "sh"}}
}

func runScript(t *testing.T, shell []string, p Plan) string {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "capture.sh")
	if err := os.WriteFile(script, []byte(p.Script()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "capture")
	cmd := exec.Command(shell[0], append(slices.Clone(shell[1:]), script, out)...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if got := string(said); got != "wrote "+out+"\n" {
		t.Errorf("the script said %q", got)
	}
	return out
}

func runWrite(t *testing.T, p Plan) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "capture")
	err := Write(context.Background(), out, p, WriteOptions{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Hostname: "gpu-07"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// tree reads a capture; modes are checked on the way.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if e.IsDir() {
			if info.Mode().Perm() != 0o700 {
				t.Errorf("%s has mode %s", path, info.Mode())
			}
			return nil
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func names(files map[string]string) []string {
	var all []string
	for name := range files {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// moving are the files that differ between two moments.
var moving = regexp.MustCompile(`^(capture\.json|host/(meminfo|df|device-holders|namespaces)|host/proc/.*/status)(\.err)?$`)

// same compares two captures of one server, JSON by its values. The tools of
// busybox speak other words and know less.
func same(t *testing.T, shell string, want, got map[string]string) {
	t.Helper()
	if shell == "busybox" {
		for _, files := range []map[string]string{want, got} {
			for _, name := range []string{"host/addresses", "host/addresses.err", "host/cgroup", "host/device-holders", "host/device-holders.err"} {
				delete(files, name)
			}
		}
	}
	if diff := cmp.Diff(names(want), names(got)); diff != "" {
		t.Errorf("files (-Write +script):\n%s", diff)
	}
	for name, text := range want {
		if moving.MatchString(name) || shell == "busybox" && strings.HasSuffix(name, ".err") {
			continue
		}
		var a, b any = text, got[name]
		if strings.HasSuffix(name, ".json") {
			a, b = decoded(t, name, text), decoded(t, name, got[name])
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s (-Write +script):\n%s", name, diff)
		}
	}
}

func decoded(t *testing.T, name, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
	return v
}

var planted = regexp.MustCompile(`lab-?secret`)

func noSecrets(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		for line := range strings.SplitSeq(text, "\n") {
			if planted.MatchString(line) {
				t.Errorf("a secret stands in %s: %.300s", name, line)
			}
		}
	}
}

func TestScriptWritesWhatWriteWrites(t *testing.T) {
	t.Setenv("DOCKER_HOST", "")
	stubbed(t)
	launch := filepath.Join(t.TempDir(), "it's launch.yaml")
	if err := os.WriteFile(launch, []byte("kind: Launch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := NewPlan(Options{DockerHosts: []string{"unix:///stub/docker.sock", "tcp://u:lab-secret-host@10.0.0.1:2375"}, Launch: launch, Timeout: 20 * time.Second})
	written := tree(t, runWrite(t, p))
	noSecrets(t, written)
	for name, want := range map[string]string{
		"launch.yaml":                   "kind: Launch\n",
		"docker/2-docker.sock/endpoint": "unix:///stub/docker.sock\n",
		"systemd/units": `Id=render.service
ExecStart={ path=/usr/bin/render ; argv[]=/usr/bin/render --hf-token [redacted] --lora x --password=[redacted] ; ignore_errors=no ; pid=0 }
Environment=CUDA_VISIBLE_DEVICES=0,1 API_KEY GREETING "NVIDIA_VISIBLE_DEVICES=all" A PLAIN
LoadState=loaded
ActiveState=active
User=render

Id=multi.service
ExecStart={ path=/bin/sh ; argv[]=/bin/sh -c echo one
echo two ; ignore_errors=no ; pid=0 }
Environment=NOTE
LoadState=loaded
ActiveState=inactive
`,
		"kubernetes/daemonsets.json.err": "Error from server (Forbidden): daemonsets.apps is forbidden: token=[redacted]\n",
		"host/addresses":                 "10.20.0.7 fd00::7 \n",
	} {
		if diff := cmp.Diff(want, written[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, name := range []string{"docker/2-docker.sock/containers.json.err", "docker/2-docker.sock/info.json.err"} {
		if words, ok := written[name]; ok {
			t.Errorf("%s: %s", name, words)
		}
	}
	if !strings.Contains(written["host/residue"], "iptables KUBE-SERVICES\n") || !strings.Contains(written["host/residue"], "interface lo\n") {
		t.Errorf("host/residue: %s", written["host/residue"])
	}
	for name, shell := range shells(t) {
		t.Run(name, func(t *testing.T) {
			if name == "busybox" {
				// The tools of the script itself, as on a small system.
				bin := t.TempDir()
				for _, tool := range []string{"sed", "tr", "grep", "sort", "cat", "mkdir", "mv", "rm", "ls", "dirname", "basename", "date", "uname", "timeout"} {
					if err := os.Symlink(shell[0], filepath.Join(bin, tool)); err != nil {
						t.Fatal(err)
					}
				}
				t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			}
			got := tree(t, runScript(t, shell, p))
			noSecrets(t, got)
			same(t, name, maps.Clone(written), got)
		})
	}
}

// On a server that has none of the programs every file says so.
func TestBareServer(t *testing.T) {
	t.Setenv("DOCKER_HOST", "")
	p := NewPlan(Options{})
	written := tree(t, runWrite(t, p))
	for name, shell := range shells(t) {
		t.Run(name, func(t *testing.T) {
			same(t, name, maps.Clone(written), tree(t, runScript(t, shell, p)))
		})
	}
	d, err := Open(runWrite(t, p))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Steps {
		if _, err := d.Read(s.File); s.Scope == Once && err != nil && err.Reason == "skipped" {
			t.Errorf("%s is neither there nor explained", s.File)
		}
	}
	if _, err := os.Stat("/usr/bin/nvidia-smi"); err != nil {
		if _, err := d.Read("nvidia/smi.xml"); err == nil || err.Reason != "absent" || !strings.HasSuffix(err.Detail, "sh: nvidia-smi: command not found") {
			t.Errorf("nvidia-smi: %v", err)
		}
	}
}

func TestScriptIsClean(t *testing.T) {
	script := NewPlan(Options{DockerHosts: []string{"tcp://10.0.0.1:2375"}, Launch: "it's.yaml", Node: "n"}).Script()
	if strings.Contains(script, "{{DE") || strings.Contains(script, "{{CL") {
		t.Error("a placeholder was left in the script")
	}
	cmd := exec.Command(needed(t, "shellcheck"), "--shell=sh", "-")
	cmd.Stdin = strings.NewReader(script)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestScriptRefusesAFullFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "x", "x")
	cmd := exec.Command("sh", "-s", dir)
	cmd.Stdin = strings.NewReader(NewPlan(Options{}).Script())
	said, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(said, []byte("not an empty folder")) {
		t.Errorf("got %v: %s", err, said)
	}
}

// The lab's daemons hold planted credentials of every kind.
func TestLabSecretsStayOut(t *testing.T) {
	hosts := []string{lab.Docker(t), lab.DockerSGLang(t)}
	t.Setenv("DOCKER_HOST", "")
	t.Setenv("KUBECONFIG", lab.Kubeconfig(t, lab.LeastPrivilege))
	p := NewPlan(Options{DockerHosts: hosts})
	written := tree(t, runWrite(t, p))
	noSecrets(t, written)
	var containers []any
	for name, text := range written {
		if strings.HasPrefix(name, "docker/") && strings.HasSuffix(name, "/containers.json") {
			list, _ := decoded(t, name, text).([]any)
			containers = append(containers, list...)
		}
		if strings.HasPrefix(name, "docker/") && strings.HasSuffix(name, ".err") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if len(containers) < 4 {
		t.Errorf("only %d containers", len(containers))
	}
	for name, shell := range shells(t) {
		t.Run(name, func(t *testing.T) {
			got := tree(t, runScript(t, shell, p))
			noSecrets(t, got)
			same(t, name, maps.Clone(written), got)
		})
	}
}
