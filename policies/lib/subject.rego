# METADATA
# title: Subjects
# description: What rules judge, in one form, {kind, id, name}.
# schemas:
#   - input: schema.facts
package gpugate.lib.subject

# host is the server itself.
host := {"kind": "host", "id": name, "name": name} if {
	name := input.host.name
} else := {"kind": "host", "id": "host", "name": "this host"}

# gpu is one card.
gpu(g) := {"kind": "gpu", "id": g.uuid, "name": gpu_name(g)}

# gpu_name is what a person calls a card: as nvidia-smi counts it or, where that is
# not known, by its place on the bus.
gpu_name(g) := sprintf("GPU %d", [g.index]) if {
	g.index >= 0
} else := sprintf("GPU at %s", [g.pciBusId]) if {
	g.pciBusId != ""
} else := sprintf("GPU %s", [g.uuid])

# manifest is the launch manifest, as far as it speaks of one topic.
manifest(topic) := {"kind": "manifest", "id": topic, "name": sprintf("launch manifest: %s", [topic])}

# service is one model service the launch manifest records.
service(s) := {"kind": "service", "id": s.name, "name": s.name}

# node is the cluster's record of this host.
node(n) := {"kind": "node", "id": n.name, "name": n.name}

# policy is a TI-ONE scheduling policy.
policy(p) := {"kind": "policy", "id": p.file, "name": p.file}

# no_gpu stands for the cards of a server that has none.
no_gpu := {"kind": "gpu", "id": "none", "name": "no GPU"}

# pod is one pod; what lasts beyond it is what created it.
pod(p) := {
	"kind": "pod",
	"id": p.uid,
	"name": sprintf("%s/%s", [p.namespace, p.name]),
	"key": sprintf("%s/%s", [p.namespace, creator(p)]),
}

# creator of a pod, without the hash that each version of a Deployment has.
creator(p) := regex.replace(p.ownerName, `-[0-9a-z]{8,10}$`, "") if {
	p.ownerKind == "ReplicaSet"
} else := object.get(p, "ownerName", p.name)
