# METADATA
# title: Nothing is left of a former cluster
# description: >-
#   A server that belonged to a cluster before keeps kubelet state, iptables chains, CNI configuration and interfaces.
#   They break the next registration, or the network of what runs. On a node of a cluster they belong there.
# schemas:
#   - input: schema.facts
# custom:
#   id: REG006
#   severity: error
#   requires: [host.name, host.residue, kubernetes]
#   covers: [S6, O4]
#   remediation: >-
#     Make sure that nothing on {host} uses {paths} any more and remove it before the server is registered (iptables chains
#     with iptables -F and -X, interfaces with ip link delete). The clear of the initialisation script removes container
#     runtimes too: not on a server that serves.
#   messages:
#     left: "{host} is no node of a cluster, but holds what one left behind ({kind}): {paths}"
#     whose: "{host} holds what a cluster leaves behind ({kind}: {paths}); whether it is a node of one now could not be told"
package gpugate.rules.registration.residue

import data.gpugate.lib.index
import data.gpugate.lib.subject

subjects contains subject.host

# What lies on a node belongs to its cluster.
applicable := false if input.kubernetes.node

kinds := {
	"kubeletState": "kubelet state",
	"kubernetesConfig": "cluster configuration",
	"cni": "CNI configuration",
	"iptables": "iptables chains",
	"interface": "network interfaces",
}

say(message, kind, paths) := {
	"subject": subject.host,
	"message": message,
	"args": {"host": subject.host.name, "kind": kinds[kind], "paths": concat(", ", sort(paths))},
	"evidence": ["/host/residue"],
}

# left is what is there, by kind.
left[r.kind] contains r.path if some r in input.host.residue

fail contains say("left", kind, paths) if {
	index.absent("kubernetes")
	some kind, paths in left
}

unknown contains say("whose", kind, paths) if {
	not index.absent("kubernetes")
	not input.kubernetes.node
	some kind, paths in left
}
