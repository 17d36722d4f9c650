# METADATA
# title: Subjects
# description: What rules judge, in one form: {kind, id, name}.
# schemas:
#   - input: schema.facts
package gpugate.lib.subject

# host is the server itself.
host := {"kind": "host", "id": name, "name": name} if {
	name := input.host.name
} else := {"kind": "host", "id": "host", "name": "this host"}

# gpu is one card, called as nvidia-smi counts it.
gpu(g) := {"kind": "gpu", "id": g.uuid, "name": sprintf("GPU %d", [g.index])}
