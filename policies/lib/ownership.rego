# METADATA
# title: Ownership
# description: >-
#   Who claims each GPU, for reports. A part that cannot be told never hides
#   the others.
# schemas:
#   - input: schema.facts
package gpugate.lib.ownership

import data.gpugate.lib.claims

gpus := [entry |
	some g in input.nvml.gpus
	entry := {
		"gpu": g.uuid,
		"index": object.get(g, "index", null),
		"name": object.get(g, "name", ""),
		"claims": {brief(c) | some c in of[g.uuid]},
	}
]

of[uuid] contains c if {
	some c in claims.running
	uuid := c.gpu
}

of[uuid] contains c if {
	some c in claims.configured
	uuid := c.gpu
}

of[uuid] contains c if {
	some c in claims.allocatable
	uuid := c.gpu
}

of[uuid] contains c if {
	some c in claims.registered
	uuid := c.gpu
}

brief(c) := {"kind": c.kind, "manager": c.manager, "claimant": c.claimant, "note": note(c)}

note(c) := c.note if {
	c.slice == ""
} else := concat(", ", [n | some n in [slice_note(c.slice), c.note]; n != ""])

slice_note("?") := "MIG instance unknown"

slice_note(slice) := sprintf("MIG instance %s", [slice]) if slice != "?"
