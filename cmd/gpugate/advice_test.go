package main

import (
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// TestAdvice: what helps depends on who looks, at what, and what was in the way.
func TestAdvice(t *testing.T) {
	user := viewer{user: "mlops", timeout: 10 * time.Second}
	root := viewer{user: "root", root: true, timeout: 10 * time.Second}
	captured := viewer{capture: "host-a", user: "mlops"}
	for _, tc := range []struct {
		name   string
		v      viewer
		source string
		gap    facts.Gap
		want   string
	}{
		{"docker, a user", user, "docker", facts.Gap{Path: "docker.daemons", Reason: facts.ReasonDenied}, "sudo usermod -aG docker mlops"},
		{"docker, root", root, "docker", facts.Gap{Path: "docker.daemons", Reason: facts.ReasonDenied}, "root was refused"},
		{"docker, a capture", captured, "docker", facts.Gap{Path: "docker.daemons", Reason: facts.ReasonDenied}, "sudo gpugate capture DIR"},
		{"host, a user", user, "host", facts.Gap{Path: "host.residue", Reason: facts.ReasonDenied}, "run gpugate as root"},
		{"kubelet, a user", user, "kubernetes", facts.Gap{Path: "kubernetes.kubelet", Reason: facts.ReasonDenied}, "run gpugate as root"},
		{"cluster", user, "kubernetes", facts.Gap{Path: "kubernetes.pods", Reason: facts.ReasonDenied, Detail: "may not list pods"}, clusterRole},
		{"unknown credentials", user, "kubernetes", facts.Gap{Path: "kubernetes.pods", Reason: facts.ReasonDenied, Detail: "not accepted (401)"}, "credentials are valid"},
		{"no kubeconfig", user, "kubernetes", facts.Gap{Path: "kubernetes.pods", Reason: facts.ReasonDenied, Detail: "a kubelet is here, but no kubeconfig was given"}, "--kubeconfig FILE"},
		{"closed kubeconfig", user, "kubernetes", facts.Gap{Path: "kubernetes.pods", Reason: facts.ReasonDenied, Detail: "kubeconfig k: permission denied"}, "readable for mlops"},
		{"kubeconfig not given", root, "kubernetes", facts.Gap{Path: "kubernetes.node", Reason: facts.ReasonSkipped}, "--kubeconfig FILE"},
		{"slow", user, "systemd", facts.Gap{Path: "systemd.units", Reason: facts.ReasonTimeout}, "--timeout 30s"},
		{"slow, a capture", captured, "systemd", facts.Gap{Path: "systemd.units", Reason: facts.ReasonTimeout}, "gpugate capture --timeout 60s DIR"},
		{"export", user, "tione", facts.Gap{Path: "tione.policy", Reason: facts.ReasonSkipped}, "--tione FILE"},
		{"group", user, "tione", facts.Gap{Path: "tione.resourceGroup", Reason: facts.ReasonSkipped}, "--tione-group FILE"},
		{"closed manifest", user, "launch", facts.Gap{Path: "launch.manifest", Reason: facts.ReasonDenied}, "readable for mlops"},
		{"only its own words help", user, "nvml", facts.Gap{Path: "nvml.gpus", Reason: facts.ReasonFailed}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.v.advice(tc.source, tc.gap)
			if !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestPrintable: what a file holds does not reach a terminal as commands.
func TestPrintable(t *testing.T) {
	if got, want := printable("a\x1b[31mb\u202ec\nd\te"), "a?[31mb?c\nd\te"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFault: a panic becomes an error that tells where.
func TestFault(t *testing.T) {
	defer func() {
		if err := fault(recover()); !strings.Contains(err.Error(), "please report it: gone wrong") || !strings.Contains(err.Error(), "TestFault") {
			t.Errorf("got %v", err)
		}
	}()
	panic("gone wrong")
}
