# METADATA
# title: The manifest's word
# description: >-
#   A server that is not to join TKE or TI-ONE has no export of either to show.
#   There the launch manifest's word is taken, said so, and taken only as long
#   as nobody looked: what was looked at is judged.
# schemas:
#   - input: schema.facts
package gpugate.lib.word

import data.gpugate.lib.index

# not_in_tke holds if the manifest says that this server is no TKE node, and no
# cluster was asked.
not_in_tke if {
	input.launch.manifest.tke.registered == false
	index.status("kubernetes") in {"absent", "skipped"}
}

# not_in_tione holds if the manifest says that this server is in no TI-ONE
# resource group, no export was given, and the pods of this node, which would
# show TI-ONE's work, were either read or are none.
not_in_tione if {
	input.launch.manifest.tione.registered == false
	index.status("tione") in {"absent", "skipped"}
	index.status("kubernetes") in {"absent", "skipped", "complete"}
}

tke_pointer := "/launch/manifest/tke/registered"

tione_pointer := "/launch/manifest/tione/registered"
