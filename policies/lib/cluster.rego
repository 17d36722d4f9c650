# METADATA
# title: The cluster's view
# description: >-
#   What the Kubernetes node offers: which resources, on which physical GPUs,
#   and whose node it is.
# schemas:
#   - input: schema.facts
package gpugate.lib.cluster

import data.gpugate.lib.index
import data.gpugate.lib.selection

# ready is the status of the Ready condition; "" if there is none.
ready := [c.status | some c in input.kubernetes.node.conditions; c.type == "Ready"][0] if {
	some c in input.kubernetes.node.conditions
	c.type == "Ready"
} else := ""

# offered are the resources with something to give.
offered := {r |
	some r in input.kubernetes.node.allocatable
	r.quantity > 0
}

# registered are the devices that the plugins have registered for a resource.
registered(resource) := {id |
	some r in input.kubernetes.kubelet.registered
	r.resource == resource
	some id in r.ids
}

# targets are the GPUs the node may give to pods, as {gpu, slice}.
targets := {target |
	some r in offered
	some target in given(r)
}

given(r) := by_id(r) if {
	count(registered(r.resource)) > 0
} else := everything if {
	covers_all(r)
} else := set()

everything := {{"gpu": g.uuid, "slice": selection.whole(g)} | some g in input.nvml.gpus}

by_id(r) := {target |
	some id in registered(r.resource)
	some target in device(id)
}

# device is the card of a registered device. Time-slicing adds "::N" to the
# UUID; a MIG device has a UUID of its own.
device(id) := {{"gpu": g.uuid, "slice": slice} |
	bare := split(id, "::")[0]
	some g in input.nvml.gpus
	some slice in slices(g, bare)
}

slices(g, bare) := {selection.whole(g)} if {
	lower(g.uuid) == lower(bare)
} else := {format_int(m.gpuInstanceId, 10) |
	some m in g.migDevices
	lower(m.uuid) == lower(bare)
}

# covers_all holds if the amount can only mean every GPU of the host, which is to
# be seen only where every card is listed.
covers_all(r) if {
	index.every_card_listed
	amounts_to_all(r)
}

amounts_to_all(_) if count(input.nvml.gpus) == 1

amounts_to_all(r) if {
	r.resource == "nvidia.com/gpu"
	r.quantity == count(input.nvml.gpus) * replicas
	index.complete("kubernetes.node.labels")
}

amounts_to_all(r) if {
	r.resource == "nvidia.com/gpu.shared"
	replicas > 1
	r.quantity == count(input.nvml.gpus) * replicas
}

# qGPU and gpu-manager count hundredths of a card.
amounts_to_all(r) if {
	r.resource in {"tke.cloud.tencent.com/qgpu-core", "tencent.com/vcuda-core"}
	r.quantity == count(input.nvml.gpus) * 100
}

# unplaced are resources of which it is not known on which GPUs they lie, or not of
# all of them.
unplaced := {r |
	some r in offered
	not placed(r)
}

placed(r) if {
	count(given(r)) > 0
	count({id | some id in registered(r.resource); count(device(id)) == 0}) == 0
}

# nowhere are those of which it is known of no GPU.
nowhere := {r |
	some r in offered
	count(given(r)) == 0
}

# replicas is how often GPU feature discovery says each GPU is counted.
replicas := to_number(value) if {
	some l in input.kubernetes.node.labels
	l.key == "nvidia.com/gpu.replicas"
	value := l.value
	regex.match(`^[1-9][0-9]{0,3}$`, value)
} else := 1

# label is the value of one of the node's labels; "" if it has none.
label(key) := [l.value | some l in input.kubernetes.node.labels; l.key == key][0] if {
	some l in input.kubernetes.node.labels
	l.key == key
} else := ""

# registered_node holds if TKE's labels say that this is a registered node.
registered_node if label("node.kubernetes.io/instance-type") == "external"

registered_node if label("tke.cloud.tencent.com/nodepool-id") != ""

registered_node if label("externalnode.tke.cloud.tencent.com/version") != ""

# manager is whose node it is. TI-ONE runs its work as pods of a cluster of its
# own; a node with TKE's labels is TKE's whatever else runs there.
manager := "tke" if {
	registered_node
} else := "kubernetes" if {
	not index.complete("kubernetes.node.labels")
} else := "ti-one" if {
	some pod in input.kubernetes.pods
	pod.manager == "ti-one"
} else := "tke" if {
	index.complete("kubernetes.pods")
} else := "kubernetes"

# shares holds if something says that each GPU is counted more than once: GPU
# feature discovery, the renamed resource, or the ids that time-slicing registers.
shares if replicas > 1

shares if endswith(label("nvidia.com/gpu.product"), "-SHARED")

shares if {
	some r in offered
	r.resource == "nvidia.com/gpu.shared"
}

shares if {
	some id in registered("nvidia.com/gpu")
	contains(id, "::")
}

# mentioned are the GPU resources the node names, even with an amount of zero.
mentioned := {r.resource | some r in input.kubernetes.node.capacity} | {r.resource | some r in input.kubernetes.node.allocatable}

# meant_for_gpus holds if the node's labels say that it has GPUs.
meant_for_gpus if label("nvidia-device-enable") == "enable"

meant_for_gpus if label("nvidia.com/gpu.present") == "true"

meant_for_gpus if label("node.tke.cloud.tencent.com/accelerator-type") == "gpu"

# proof is how it is known that the node should offer GPUs; undefined if it is not.
proof := sprintf("the driver lists %d", [count(input.nvml.gpus)]) if {
	count(input.nvml.gpus) > 0
} else := sprintf("the PCI bus lists %d", [count(input.host.pciGpus)]) if {
	count(input.host.pciGpus) > 0
} else := sprintf("it names %s", [concat(", ", sort([r | some r in mentioned]))]) if {
	count(mentioned) > 0
} else := "its labels say that it has GPUs" if {
	meant_for_gpus
}
