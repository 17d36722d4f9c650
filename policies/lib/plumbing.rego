# METADATA
# title: Plumbing
# description: >-
#   Processes on a GPU that belong to the driver's own services or only watch:
#   they are nobody's use of the card.
# schemas:
#   - input: schema.facts
package gpugate.lib.plumbing

import data.gpugate.lib.index

# mps are the daemons of the Multi-Process Service. Clients of theirs are
# listed beside them, except on GPUs before Volta, where the server holds the
# memory of all.
mps := {"nvidia-cuda-mps-server", "nvidia-cuda-mps-control"}

# monitors look at a card without computing on it.
monitors := {
	"dcgm-exporter", "dcgmi", "nv-hostengine", "nvidia-persistenced", "nvidia-powerd",
	"nvidia-smi", "nvidia_gpu_exporter", "nvidia_smi_exporter", "nvtop", "node_exporter",
}

# idle_bytes is how much memory a process may hold that does no work: a bare
# CUDA context takes 200 to 500 MiB.
idle_bytes := 536870912

# entry holds if a process the driver lists is not a user of the card.
entry(e) if {
	some name in names(e)
	name in (mps | monitors)
	object.get(e, "usedMemoryBytes", 0) <= idle_bytes
}

# hidden_clients holds if an MPS server holds memory that its clients must have
# asked for although none is listed on the card.
hidden_clients(e) if {
	is_mps(e)
	not e.usedMemoryBytes
}

hidden_clients(e) if {
	is_mps(e)
	e.usedMemoryBytes > idle_bytes
}

is_mps(e) if {
	some name in names(e)
	name in mps
}

# names are what a process is called: by the driver, by the kernel (which cuts
# names off) and by its command line.
names(e) := ({base(object.get(e, "name", ""))} | from_host(e)) - {""}

from_host(e) := {base(name) |
	some found in index.processes[e.pid]
	some name in array.concat([object.get(found.process, "name", "")], array.slice(found.process.args, 0, 1))
}

base(path) := parts[count(parts) - 1] if {
	parts := split(split(path, " ")[0], "/")
}
