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

slices(g, bare) := {""} if {
	lower(g.uuid) == lower(bare)
	object.get(g, "migMode", "") != "enabled"
} else := {"?"} if {
	lower(g.uuid) == lower(bare)
} else := {format_int(m.gpuInstanceId, 10) |
	some m in g.migDevices
	lower(m.uuid) == lower(bare)
}

# covers_all holds if the amount can only mean every GPU of the host.
covers_all(_) if count(input.nvml.gpus) == 1

covers_all(r) if {
	r.resource == "nvidia.com/gpu"
	r.quantity == count(input.nvml.gpus) * replicas
}

covers_all(r) if {
	r.resource == "nvidia.com/gpu.shared"
	replicas > 1
	r.quantity == count(input.nvml.gpus) * replicas
}

# qGPU and gpu-manager count hundredths of a card.
covers_all(r) if {
	r.resource in {"tke.cloud.tencent.com/qgpu-core", "tencent.com/vcuda-core"}
	r.quantity == count(input.nvml.gpus) * 100
}

# unplaced are resources of which it is not known on which GPUs they lie.
unplaced := {r |
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
} else := "ti-one" if {
	some pod in input.kubernetes.pods
	pod.manager == "ti-one"
} else := "tke" if {
	index.complete("kubernetes.pods")
} else := "kubernetes"
