# METADATA
# title: Registration
# description: >-
#   Whether the server is, or is meant to be, a TKE node or a member of a TI-ONE
#   resource group, as far as the launch manifest and the host tell.
# schemas:
#   - input: schema.facts
package gpugate.lib.registration

import data.gpugate.lib.index

# no_node holds if the server is no TKE node and is not meant to be one: the
# manifest says so, or says nothing of it while no cluster is here.
no_node if input.launch.manifest.tke.registered == false

no_node if {
	input.launch.manifest
	not input.launch.manifest.tke
	index.complete("launch.manifest.tke")
	index.absent("kubernetes")
}

# no_member holds if the manifest says that the server is in no resource group, and
# is not meant to be.
no_member if input.launch.manifest.tione.registered == false
