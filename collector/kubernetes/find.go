package kubernetes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector"
)

// Ways to find the node, as [facts.Kubernetes.NodeFoundBy] names them.
const (
	byName    = "name"
	byAddress = "address"
	byFlag    = "flag"
	byOnly    = "only"
)

// finding is the node that this host is, the proof that it is none of the
// cluster's, or why neither could be told.
type finding struct {
	// name is set where the node is known, even if its object is not.
	name string
	by   string
	node *corev1.Node
	// note explains a finding that is no gap.
	note string
	// doubt says why it could not be told which node this host is.
	doubt string
}

// none reports whether it is proven that this host is no node of the cluster.
func (f finding) none() bool { return f.name == "" && f.doubt == "" }

// findNode looks for this host among the nodes: by the name the user gave, by
// address, by name. An address weighs more than a name, since many hosts are
// called the same.
func findNode(nodes list[corev1.Node], host collector.Identity, flag string) finding {
	if flag != "" {
		return findNamed(nodes, flag)
	}
	addressed := which(nodes.items, func(n *corev1.Node) bool { return hasAddress(n, host) })
	named := which(nodes.items, func(n *corev1.Node) bool { return hasName(n, host) })
	possible := slices.DeleteFunc(slices.Clone(named), func(n *corev1.Node) bool { return contradicts(n, host) })
	switch {
	case len(addressed) == 1 && slices.Contains(named, addressed[0]):
		return found(addressed[0], byName)
	case len(addressed) == 1:
		return found(addressed[0], byAddress)
	case len(addressed) > 1:
		return finding{doubt: fmt.Sprintf("%s have addresses of this host; say which it is with --node NAME", names(addressed))}
	case len(possible) == 1:
		return found(possible[0], byName)
	case len(possible) > 1:
		return finding{doubt: fmt.Sprintf("%s bear this host's name; say which it is with --node NAME", names(possible))}
	case len(named) > 0:
		return finding{doubt: fmt.Sprintf("%s bears this host's name but none of its addresses; if it is this host, say so with --node NAME", names(named))}
	case !nodes.whole:
		return finding{doubt: fmt.Sprintf("none of the %d nodes that could be read is this host", len(nodes.items))}
	case len(nodes.items) == 1 && !contradicts(&nodes.items[0], host):
		return found(&nodes.items[0], byOnly)
	case !host.KnowsAddresses():
		return finding{doubt: fmt.Sprintf("none of the %d nodes bears this host's name, and its addresses are not known; say which it is with --node NAME", len(nodes.items))}
	}
	return finding{note: fmt.Sprintf("the cluster lists %d nodes; none is this host", len(nodes.items))}
}

func findNamed(nodes list[corev1.Node], flag string) finding {
	for i := range nodes.items {
		if nodes.items[i].Name == flag {
			return found(&nodes.items[i], byFlag)
		}
	}
	if !nodes.whole {
		return finding{name: flag, by: byFlag}
	}
	return finding{doubt: fmt.Sprintf("the cluster has no node %q (--node)", flag)}
}

func found(n *corev1.Node, by string) finding { return finding{name: n.Name, by: by, node: n} }

func which(nodes []corev1.Node, is func(*corev1.Node) bool) []*corev1.Node {
	var list []*corev1.Node
	for i := range nodes {
		if is(&nodes[i]) {
			list = append(list, &nodes[i])
		}
	}
	return list
}

// names lists nodes for people, not too many of them.
func names(nodes []*corev1.Node) string {
	const most = 3
	var list []string
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	slices.Sort(list)
	if len(list) == 1 {
		return "node " + list[0]
	}
	if len(list) > most {
		return fmt.Sprintf("%d nodes (%s, …)", len(list), strings.Join(list[:most], ", "))
	}
	return "nodes " + strings.Join(list, ", ")
}

func hasName(n *corev1.Node, host collector.Identity) bool {
	if host.HasName(n.Name) || host.HasName(n.Labels[corev1.LabelHostname]) {
		return true
	}
	return slices.ContainsFunc(n.Status.Addresses, func(a corev1.NodeAddress) bool {
		return a.Type == corev1.NodeHostName && host.HasName(a.Address)
	})
}

// hasAddress reports whether the node has an address of this host, or a name
// made of one: TKE calls a registered node node-IP, and others IP.
func hasAddress(n *corev1.Node, host collector.Identity) bool {
	return slices.ContainsFunc(internalAddresses(n), host.HasAddress) || host.HasAddress(strings.TrimPrefix(n.Name, "node-"))
}

// contradicts reports whether the node's addresses show that it is another
// host.
func contradicts(n *corev1.Node, host collector.Identity) bool {
	return host.KnowsAddresses() && len(internalAddresses(n)) > 0 && !hasAddress(n, host)
}

func internalAddresses(n *corev1.Node) []string {
	var list []string
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			list = append(list, a.Address)
		}
	}
	return list
}

// guesses are the names this host's node may have, the likeliest first, for
// where nodes may not be listed.
func guesses(host collector.Identity) []string {
	var list []string
	add := func(name string) {
		if name = strings.ToLower(name); name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, name := range host.Names {
		add(name)
		short, _, _ := strings.Cut(name, ".")
		add(short)
	}
	for _, address := range host.Addresses {
		if host.HasAddress(address) && !strings.Contains(address, ":") {
			add("node-" + address)
			add(address)
		}
	}
	return list
}
