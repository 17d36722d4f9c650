package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/fixtures/lab"
)

// labNode is one of the lab's nodes; the tests say that this host is it.
const labNode = "node-10.0.0.12"

// ran is what a command line gave.
type ran struct {
	stdout, stderr string
	code           int
}

func gpugate(t *testing.T, args ...string) ran {
	t.Helper()
	return runCommand(t, exec.CommandContext(t.Context(), "gpugate", args...))
}

func runCommand(t *testing.T, c *exec.Cmd) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	c.Env = append(c.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=", "DOCKER_HOST=")
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := ran{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
	for _, mark := range lab.SecretMarks {
		if strings.Contains(r.stdout+r.stderr, mark) {
			t.Errorf("gpugate %s shows a secret of the lab (%s)", strings.Join(c.Args[1:], " "), mark)
		}
	}
	return r
}

// labFlags reach both engines and the cluster as somebody.
func labFlags(t *testing.T, who lab.Identity) []string {
	t.Helper()
	return []string{"--docker-host", lab.Docker(t), "--docker-host", lab.DockerSGLang(t), "--kubeconfig", lab.Kubeconfig(t, who), "--node", labNode}
}

func collectLab(t *testing.T, args ...string) *facts.Document {
	t.Helper()
	r := gpugate(t, append([]string{"collect"}, args...)...)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	d, _, err := facts.Decode("standard output", []byte(r.stdout))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func assess(t *testing.T, args ...string) *evaluator.Assessment {
	t.Helper()
	r := gpugate(t, append([]string{"scan", "-o", "json"}, args...)...)
	var a evaluator.Assessment
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("exit code %d: %v: %s", r.code, err, r.stderr)
	}
	return &a
}

// TestLiveReadsEverything reads both engines and the cluster with the rights
// that gpugate asks for, and no others.
func TestLiveReadsEverything(t *testing.T) {
	flags := labFlags(t, lab.LeastPrivilege)
	d := collectLab(t, flags...)
	for _, name := range []string{facts.SourceDocker, facts.SourceKubernetes} {
		if s := d.Source(name); s.Status != facts.StatusComplete || len(s.Gaps) > 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if len(d.Docker.Daemons) != 2 {
		t.Errorf("%d daemons, want 2", len(d.Docker.Daemons))
	}
	if d.Kubernetes.Node == nil || d.Kubernetes.Node.Name != labNode || len(d.Kubernetes.Pods) == 0 {
		t.Errorf("node %+v with %d pods", d.Kubernetes.Node, len(d.Kubernetes.Pods))
	}
	for _, format := range []string{"text", "json", "sarif", "facts"} {
		if r := gpugate(t, append([]string{"scan", "-o", format}, flags...)...); r.stderr != "" || r.stdout == "" {
			t.Errorf("scan -o %s: exit code %d, standard error %q", format, r.code, r.stderr)
		}
	}
	if r := gpugate(t, append([]string{"doctor"}, flags...)...); !strings.Contains(r.stdout, "✓ kubernetes  complete  from https://") {
		t.Errorf("doctor:\n%s", r.stdout)
	}
}

// TestLiveMissingRights takes one right after the other away. What it hid is a
// gap, doctor says what would help, and no rule that needs it passes.
func TestLiveMissingRights(t *testing.T) {
	const role = "deploy/kubernetes/rbac.yaml"
	for name, tc := range map[string]struct {
		who    lab.Identity
		gaps   []string
		advice string
	}{
		"nodes":       {lab.NoNodes, []string{"kubernetes.node"}, role},
		"pods":        {lab.NoPods, []string{"kubernetes.pods"}, role},
		"daemon sets": {lab.NoDaemonSets, []string{"kubernetes.daemonSets"}, role},
		"any":         {lab.Stranger, []string{"kubernetes.daemonSets", "kubernetes.node", "kubernetes.pods"}, "credentials are valid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := labFlags(t, tc.who)
			checkGaps(t, collectLab(t, flags...), facts.SourceKubernetes, facts.ReasonDenied, tc.gaps)
			checkNoBlindPass(t, assess(t, flags...))
			if r := gpugate(t, append([]string{"doctor"}, flags...)...); r.code != evaluator.ExitUnknown || !strings.Contains(r.stdout, tc.advice) {
				t.Errorf("doctor: exit code %d:\n%s", r.code, r.stdout)
			}
		})
	}
}

// TestLiveDaemonNotRead leaves one of the engines unread, in every way there is.
func TestLiveDaemonNotRead(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "silent.sock")
	l, err := net.Listen("unix", silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for name, tc := range map[string]struct {
		host   string
		reason facts.Reason
	}{
		"nobody asked it":      {lab.Docker(t), facts.ReasonSkipped},
		"there is no such one": {"unix:///nowhere/docker.sock", facts.ReasonAbsent},
		"it does not answer":   {"unix://" + silent, facts.ReasonTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--docker-host", lab.Docker(t), "--docker-host", tc.host, "--timeout", "3s"}
			d := collectLab(t, flags...)
			if !slices.ContainsFunc(d.Source(facts.SourceDocker).Gaps, func(g facts.Gap) bool { return g.Reason == tc.reason }) {
				t.Errorf("no gap of reason %s: %+v", tc.reason, d.Source(facts.SourceDocker))
			}
			a := assess(t, flags...)
			checkNoBlindPass(t, a)
			for _, r := range a.Rules {
				if r.ID == "OWN008" && r.Verdict == evaluator.Pass {
					t.Errorf("OWN008 passes, though not every daemon was read")
				}
			}
		})
	}
}

// TestLiveWithoutRoot looks as somebody who may do nothing.
func TestLiveWithoutRoot(t *testing.T) {
	lab.Docker(t)
	r := runCommand(t, asNobody(t, "doctor"))
	for _, want := range []string{"as nobody sees it", "! docker      denied", "sudo usermod -aG docker nobody", "leaves unknown"} {
		if r.code != evaluator.ExitUnknown || !strings.Contains(strings.Join(strings.Fields(r.stdout), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("exit code %d, and no %q in:\n%s%s", r.code, want, r.stdout, r.stderr)
		}
	}
	r = runCommand(t, asNobody(t, "scan", "-o", "json"))
	var a evaluator.Assessment
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("exit code %d: %v: %s", r.code, err, r.stderr)
	}
	checkNoBlindPass(t, &a)
}

// asNobody is the program, where anybody may run it, as uid 65534.
func asNobody(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become nobody")
	}
	program, err := exec.LookPath("gpugate")
	if err != nil {
		t.Fatal(err)
	}
	setpriv := []string{"--reuid", "65534", "--regid", "65534", "--clear-groups", "--", program}
	for dir := filepath.Dir(program); dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return exec.CommandContext(t.Context(), "setpriv", append(setpriv, args...)...)
}

func checkGaps(t *testing.T, d *facts.Document, source string, reason facts.Reason, paths []string) {
	t.Helper()
	var got []string
	for _, g := range d.Source(source).Gaps {
		got = append(got, g.Path)
		if g.Reason != reason {
			t.Errorf("%s: reason %s, want %s: %s", g.Path, g.Reason, reason, g.Detail)
		}
	}
	if diff := cmp.Diff(paths, got); diff != "" {
		t.Errorf("gaps of %s (-want +got):\n%s", source, diff)
	}
}

// checkNoBlindPass wants no rule to pass of which a required fact could not be
// read from the host, the engines or the cluster. (Files that nobody handed
// over may be required for no more than the question whether a rule applies.)
func checkNoBlindPass(t *testing.T, a *evaluator.Assessment) {
	t.Helper()
	for _, r := range a.Rules {
		if r.Verdict != evaluator.Pass {
			continue
		}
		for _, s := range a.Sources {
			if s.Name == facts.SourceLaunch || s.Name == facts.SourceTIONE {
				continue
			}
			for _, g := range s.Gaps {
				if g.Item == "" && slices.ContainsFunc(r.Requires, g.Touches) {
					t.Errorf("%s passes, though %s could not be read: %s", r.ID, g.Path, g.Detail)
				}
			}
		}
	}
}
