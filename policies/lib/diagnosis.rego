# METADATA
# title: Why a node exposes no GPU
# description: >-
#   Ranks what may be wrong between the card and the scheduler by what the facts
#   show: the likeliest first, the driver, the container runtime and the device plugin in
#   that order where nothing tells them apart.
# schemas:
#   - input: schema.facts
package gpugate.lib.diagnosis

import data.gpugate.lib.cluster
import data.gpugate.lib.index
import data.gpugate.lib.subject

# causes are [rank, words].
causes contains [10, sprintf("unhealthy devices: %s has %d in capacity and %d allocatable (look for Xid errors: dmesg | grep -i xid)", [c.resource, c.quantity, a.quantity])] if {
	some c in input.kubernetes.node.capacity
	some a in input.kubernetes.node.allocatable
	a.resource == c.resource
	a.quantity < c.quantity
}

causes contains [20, sprintf("the label nvidia-device-enable is %q and the device plugin of TKE runs only where it is \"enable\"", [value])] if {
	selects_enabled
	value := cluster.label("nvidia-device-enable")
	value != "enable"
}

selects_enabled if cluster.registered_node

selects_enabled if {
	some d in input.kubernetes.daemonSets
	d.role == "device-plugin"
	some s in d.nodeSelector
	s.key == "nvidia-device-enable"
}

plugins := {p | some p in input.kubernetes.pods; p.role == "device-plugin"}

causes contains [30, "the device plugin: no pod of it is on this node"] if {
	count(plugins) == 0
	index.complete("kubernetes.pods")
}

causes contains [31, sprintf("the device plugin: pod %s/%s is not ready", [p.namespace, p.name])] if {
	some p in plugins
	p.ready == false
}

causes contains [32, sprintf("the device plugin: %d pods of it are on this node, and the last to register wins", [count(plugins)])] if {
	count(plugins) > 1
}

causes contains [40, "the driver: it lists no card although the PCI bus does (nvidia-smi, dmesg)"] if {
	count(input.nvml.gpus) == 0
	index.complete("nvml.gpus")
	count(input.host.pciGpus) > 0
}

causes contains [41, sprintf("the driver: %s does not answer (%s), and one lost card may block them all", [subject.gpu_name(g), object.get(g, "error", "no words")])] if {
	some g in input.nvml.gpus
	g.state == "unreadable"
}

causes contains [50, "the container runtime: the device plugin is ready and the driver works, so the NVIDIA runtime is probably not containerd's default (the plugin then logs \"No devices found\")"] if {
	count(input.nvml.gpus) > 0
	some p in plugins
	p.ready == true
	count(cluster.offered) == 0
}

causes contains [60, "stale registrations: the kubelet's checkpoint names devices that the driver does not list (restart the kubelet)"] if {
	count(input.nvml.gpus) > 0
	some r in input.kubernetes.kubelet.registered
	some id in r.ids
	startswith(id, "GPU-")
	not split(id, "::")[0] in {g.uuid | some g in input.nvml.gpus}
}

causes contains [61, "resources of an earlier MIG layout that the kubelet keeps (restart it after a change of layout)"] if {
	some r in cluster.offered
	startswith(r.resource, "nvidia.com/mig-")
}

causes contains [70, "the cards are in MIG mode without instances, or with a strategy that hides them"] if {
	some g in input.nvml.gpus
	g.migMode == "enabled"
	count(g.migDevices) == 0
}

ranked := [words | some [_, words] in sort([c | some c in causes])]

# text lists them for a person.
text := concat("; ", ranked) if {
	count(ranked) > 0
} else := "nothing in particular; look at the driver, the container runtime and the device plugin in this order"
