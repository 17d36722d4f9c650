package host

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// A cluster's traces on a node: folders that count when something is in them.
var residueFolders = []struct{ path, kind string }{
	{"/var/lib/kubelet", "kubeletState"},
	{"/etc/kubernetes", "kubernetesConfig"},
	{"/root/.kube", "kubernetesConfig"},
	{"/etc/rancher/k3s", "kubernetesConfig"},
	{"/etc/rancher/rke2", "kubernetesConfig"},
	{"/var/lib/rancher/k3s", "kubeletState"},
	{"/var/lib/rancher/rke2", "kubeletState"},
	{cniConfiguration, "cni"},
	{"/var/lib/cni", "cni"},
	{"/opt/cni/bin", "cni"},
}

// cniConfiguration is listed file by file: engines without a cluster keep
// theirs there too.
const cniConfiguration = "/etc/cni/net.d"

// parseResidue reads what a cluster left behind, live or as host/residue of a
// capture. Each line is one of
//
//	/var/lib/kubelet          a folder that exists and is not empty
//	/etc/cni/net.d/10-x.conf  of /etc/cni/net.d, each file
//	interface cni0            a network interface
//	iptables KUBE-SERVICES    a chain of iptables or nftables
//	iptables table ip kube-proxy
//
// Interfaces and chains that are no cluster's are left out here, so a writer
// may list all of them. The same file in a script:
//
//	for d in /var/lib/kubelet /etc/kubernetes /root/.kube /etc/rancher/k3s /etc/rancher/rke2 \
//	  /var/lib/rancher/k3s /var/lib/rancher/rke2 /var/lib/cni /opt/cni/bin
//	do [ -z "$(ls -A "$d" 2>/dev/null)" ] || echo "$d"; done
//	ls -d /etc/cni/net.d/* 2>/dev/null
//	for i in /sys/class/net/*; do echo "interface ${i##*/}"; done
//	iptables-save | sed -n 's/^:\([^ ]*\) .*/iptables \1/p'
//
// Whatever could not be looked at for want of a permission belongs into
// host/residue.err.
func parseResidue(file, text string) ([]facts.Residue, []facts.Gap) {
	var residue []facts.Residue
	var gaps []facts.Gap
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		r, known := residueOf(line)
		if !known {
			gaps = append(gaps, facts.Gap{Path: "host.residue", Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:1: neither a path, an interface nor a chain: %q", file, i+1, short(line))})
			continue
		}
		if r.Kind != "" && !slices.Contains(residue, r) {
			residue = append(residue, r)
		}
	}
	return residue, gaps
}

// residueOf reads one line; an empty kind says that no cluster left it.
func residueOf(line string) (r facts.Residue, known bool) {
	if strings.HasPrefix(line, "/") {
		return pathResidue(path.Clean(line)), true
	}
	kind, name, ok := strings.Cut(line, " ")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return r, false
	}
	switch kind {
	case "interface":
		if clusterInterface.MatchString(name) {
			r = facts.Residue{Kind: "interface", Path: name}
		}
	case "iptables":
		if clusterTable.MatchString(name) || clusterChain.MatchString(name) {
			r = facts.Residue{Kind: "iptables", Path: hashedChain.ReplaceAllString(name, "$1*")}
		}
	default:
		return r, false
	}
	return r, true
}

func pathResidue(p string) facts.Residue {
	for _, f := range residueFolders {
		if p != f.path && !strings.HasPrefix(p, f.path+"/") {
			continue
		}
		if f.path == cniConfiguration {
			if engineConfiguration.MatchString(path.Base(p)) {
				return facts.Residue{}
			}
			return facts.Residue{Kind: f.kind, Path: p}
		}
		return facts.Residue{Kind: f.kind, Path: f.path}
	}
	return facts.Residue{}
}

var (
	// engineConfiguration is what Podman and nerdctl put beside a cluster's.
	engineConfiguration = regexp.MustCompile(`(?i)podman|nerdctl|^\.`)
	clusterInterface    = regexp.MustCompile(`^(?:cni0|cbr0|flannel[.\d-].*|cilium_.*|kube-ipvs0|kube-bridge|nodelocaldns|cali[0-9a-f]{11}|vxlan\.calico|antrea-gw0|weave)$`)
	clusterChain        = regexp.MustCompile(`^(?:KUBE-.+|CNI-.+|FLANNEL.*|CILIUM_.+|OLD_CILIUM_.+|cali-.+)$`)
	clusterTable        = regexp.MustCompile(`^table \S+ kube-proxy$`)
	// hashedChain names one service, endpoint or container: there may be
	// thousands, and they say no more than one does.
	hashedChain = regexp.MustCompile(`^(KUBE-[A-Z]+(?:-[A-Z]+)*-|CNI-(?:[A-Z]+-)?|cali-[a-z]+-)[A-Za-z0-9_-]{11,}$`)
)

// savedChains reads the chains of iptables-save (":NAME POLICY [0:0]") and the
// tables and chains of nft list chains.
func savedChains(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 2 && strings.HasPrefix(fields[0], ":"):
			names = append(names, fields[0][1:])
		case len(fields) >= 2 && fields[0] == "chain":
			names = append(names, fields[1])
		case len(fields) >= 3 && fields[0] == "table":
			names = append(names, "table "+fields[1]+" "+fields[2])
		}
	}
	return names
}
