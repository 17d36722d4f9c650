# METADATA
# title: Holders
# description: >-
#   Who holds a GPU on this host: what runs on it, and what is live and was
#   given it by name. Access that merely came along is not holding.
# schemas:
#   - input: schema.facts
package gpugate.lib.holders

import data.gpugate.lib.claims

# of are the holders of each GPU.
of[uuid] contains c if {
	some c in claims.running
	uuid := c.gpu
}

of[uuid] contains c if {
	some c in given[uuid]
}

# given are the containers and units that are live and were given a GPU by name.
given[uuid] contains c if {
	some c in claims.configured
	c.live
	c.explicit
	uuid := c.gpu
}
