# METADATA
# title: The launch manifest is this server's
# description: >-
#   A manifest copied from another server records and attests that one. Where it
#   names a host, that must be this server's name; letter case and domain do not
#   matter.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE018
#   severity: error
#   requires: [launch.manifest, host.name]
#   covers: [L1, L2]
#   remediation: >-
#     Judge {host} by its own manifest, or correct metadata.host in this one.
#   messages:
#     other: "the launch manifest is that of {named}, but this server is {host}"
#     nameless: "the launch manifest is that of {named}; what this server is called is not known"
package gpugate.rules.prelaunch.manifest_of_this_server

import data.gpugate.lib.subject

named := input.launch.manifest.metadata.host

whole := subject.manifest("host")

subjects contains whole if input.launch.manifest

applicable := false if {
	input.launch.manifest
	object.get(input.launch.manifest.metadata, "host", "") == ""
}

say(message, host) := {
	"subject": whole,
	"message": message,
	"args": {"named": named, "host": host},
	"evidence": ["/launch/manifest/metadata/host"],
}

fail contains say("other", input.host.name) if {
	input.host.name != ""
	named != ""
	short(named) != short(input.host.name)
}

unknown contains say("nameless", "this server") if {
	named != ""
	not called
}

called if input.host.name != ""

short(name) := lower(split(name, ".")[0])
