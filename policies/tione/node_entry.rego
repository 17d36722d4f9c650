# METADATA
# title: The node entry given to TI-ONE is the server's own
# description: >-
#   TI-ONE reaches an external server over SSH. The entry's address must be one of the server's, its port the one sshd
#   really listens on from outside, and its user an account made for that which is not root.
# schemas:
#   - input: schema.facts
# custom:
#   id: TIO008
#   severity: error
#   requires: [host.name, host.addresses, host.listeners, launch.manifest]
#   covers: [T3]
#   remediation: >-
#     Correct the node entry of {host} in TI-ONE and tione.server in the launch manifest: an address of the server, the
#     port sshd listens on, and a management account that is not root and has only the permissions TI-ONE needs.
#   messages:
#     lacking: "the launch manifest does not record the {what} of the node entry (tione.server)"
#     address: "the node entry gives {ip}, which is no address of {host} ({own})"
#     port: "the node entry gives SSH port {port}, but nothing on {host} listens there"
#     loopback: "SSH port {port} of {host} can be reached from the server itself only"
#     service: "port {port} of {host} is held by {name}, not by sshd"
#     root: "TI-ONE is given the account {user}; it needs one of its own that is not root"
#     declared: "the node entry gives SSH port {port}, but host.ssh.port of the launch manifest is {other}"
#     whose: "whether sshd listens on port {port} of {host} could not be told"
#     manifestless: "there is no launch manifest that could record the node entry"
package gpugate.rules.tione.node_entry

import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

self := subject.manifest("tione.server")

subjects contains self

applicable := false if registration.no_member

server := input.launch.manifest.tione.server

say(message, extra, evidence) := {
	"subject": self,
	"message": message,
	"args": object.union({"host": subject.host.name}, extra),
	"evidence": evidence,
}

fail contains say("lacking", {"what": what}, ["/launch/manifest/tione"]) if {
	input.launch.manifest
	not registration.no_member
	index.complete("launch.manifest.tione")
	some member, what in {"ip": "address", "sshPort": "SSH port", "user": "user"}
	object.get(input.launch.manifest, ["tione", "server", member], "") == ""
}

fail contains say("address", {"ip": server.ip, "own": concat(", ", input.host.addresses)}, ["/launch/manifest/tione/server/ip", "/host/addresses"]) if {
	not server.ip in input.host.addresses
	index.complete("host.addresses")
	count(input.host.addresses) > 0
}

# listening are the sockets on the entry's port.
listening := [l | some l in input.host.listeners; l.port == server.sshPort]

loopback(l) if startswith(l.address, "127.")

loopback(l) if l.address == "::1"

outside := [l | some l in listening; not loopback(l)]

fail contains say("port", {"port": server.sshPort}, ["/launch/manifest/tione/server/sshPort", "/host/listeners"]) if {
	count(listening) == 0
	index.complete("host.listeners")
}

fail contains say("loopback", {"port": server.sshPort}, ["/launch/manifest/tione/server/sshPort", "/host/listeners"]) if {
	count(listening) > 0
	count(outside) == 0
	index.complete("host.listeners")
}

# holders are the programs behind the port; systemd holds it where sshd is started
# for each connection.
holders := {p.name | some l in outside; some p in l.processes; p.name}

sshd_there if count(holders & {"sshd", "systemd"}) > 0

fail contains say("service", {"port": server.sshPort, "name": concat(", ", sort(holders))}, ["/launch/manifest/tione/server/sshPort", "/host/listeners"]) if {
	count(holders) > 0
	not sshd_there
	index.complete("host.listeners")
}

fail contains say("root", {"user": server.user}, ["/launch/manifest/tione/server/user"]) if lower(server.user) in {"root", "toor"}

fail contains say("declared", {"port": server.sshPort, "other": other}, ["/launch/manifest/tione/server/sshPort", "/launch/manifest/host/ssh/port"]) if {
	other := input.launch.manifest.host.ssh.port
	other != server.sshPort
}

unknown contains say("whose", {"port": server.sshPort}, ["/host/listeners"]) if {
	count(outside) > 0
	count(holders) == 0
}

unknown contains say("manifestless", {}, ["/launch"]) if not input.launch.manifest
