package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// viewer is who looks, and how: what advice depends on.
type viewer struct {
	// capture is the folder that is read; empty for the live host.
	capture string
	root    bool
	user    string
	timeout time.Duration
}

func (v viewer) heading(d *facts.Document) string {
	if v.capture != "" {
		return fmt.Sprintf("The capture %s of %s, taken %s", v.capture, d.Host.Name, d.CollectedAt.Format("2006-01-02 15:04 UTC"))
	}
	return fmt.Sprintf("This host, %s, as %s sees it", d.Host.Name, v.user)
}

// clusterRole is where the least that an account needs is written down.
const clusterRole = "deploy/kubernetes/rbac.yaml"

// advice says which right, flag or command would close a gap; empty where only
// the gap's own words help.
func (v viewer) advice(source string, g facts.Gap) string {
	switch g.Reason {
	case facts.ReasonDenied:
		return v.adviceDenied(source, g)
	case facts.ReasonTimeout:
		if v.capture != "" {
			return "capture again and give each command more time: gpugate capture --timeout 60s DIR"
		}
		return fmt.Sprintf("give it more time, such as --timeout %s", 3*v.timeout)
	case facts.ReasonSkipped, facts.ReasonAbsent:
		return v.adviceNotAsked(source, g)
	case facts.ReasonFailed, facts.ReasonStale:
	}
	return ""
}

func (v viewer) adviceDenied(source string, g facts.Gap) string {
	again := ""
	if v.capture != "" {
		again = "capture again: "
	}
	switch {
	case source == facts.SourceTIONE && v.capture != "":
		return "export it with an account that may, and give it with " + tioneFlag(g)
	case source == facts.SourceTIONE || source == facts.SourceLaunch:
		return again + "make the file readable" + v.forUser()
	case source == facts.SourceKubernetes && within(g.Path, "kubernetes.kubelet"):
		return again + v.asRoot()
	case source == facts.SourceKubernetes && strings.Contains(g.Detail, "(401)"):
		return again + "give a kubeconfig whose credentials are valid (--kubeconfig FILE)"
	case source == facts.SourceKubernetes && strings.Contains(g.Detail, "no kubeconfig"):
		return "give --kubeconfig FILE of an account with the ClusterRole of " + clusterRole
	case source == facts.SourceKubernetes && strings.HasPrefix(g.Detail, "kubeconfig "):
		return "make the kubeconfig readable" + v.forUser()
	case source == facts.SourceKubernetes:
		return again + "give the account of the kubeconfig the ClusterRole of " + clusterRole
	case source == facts.SourceDocker && v.capture == "" && !v.root:
		return fmt.Sprintf("add %s to the group that owns the socket, usually docker (sudo usermod -aG docker %s, then log in anew), or run gpugate as root; one is as mighty as the other", v.user, v.user)
	}
	return again + v.asRoot()
}

// asRoot is the advice to become root, or what may be in the way of one who is.
func (v viewer) asRoot() string {
	switch {
	case v.capture != "":
		return "sudo gpugate capture DIR"
	case v.root:
		return "root was refused, so something confines it: a container, missing capabilities, SELinux or AppArmor; run gpugate on the host itself"
	}
	return "run gpugate as root (sudo gpugate …)"
}

func (v viewer) forUser() string {
	if v.capture != "" || v.root {
		return ""
	}
	return " for " + v.user
}

// adviceNotAsked is for what nobody handed over, or what there were no means to
// look at.
func (v viewer) adviceNotAsked(source string, g facts.Gap) string {
	switch source {
	case facts.SourceLaunch:
		if v.capture != "" {
			return "write a launch manifest (gpugate init writes a first one; docs/launch.md explains it) and give it with --launch FILE"
		}
		return "" // the gap says it
	case facts.SourceTIONE:
		if within(g.Path, "tione.policy") {
			return "export the resource group's scheduling policy and give it with " + tioneFlag(g)
		}
		return "save the answer of DescribeBillingResourceGroup and give it with " + tioneFlag(g) + ", or say tione.registered: false in the launch manifest"
	case facts.SourceKubernetes:
		if v.capture == "" {
			return "give --kubeconfig FILE of an account with the ClusterRole of " + clusterRole
		}
	}
	if v.capture != "" {
		return "capture again: gpugate capture DIR writes all that can be read"
	}
	return ""
}

func tioneFlag(g facts.Gap) string {
	if within(g.Path, "tione.policy") {
		return "--tione FILE"
	}
	return "--tione-group FILE"
}

// within reports whether the dotted path inner is outer or lies below it.
func within(inner, outer string) bool {
	return inner == outer || strings.HasPrefix(inner, outer+".")
}
