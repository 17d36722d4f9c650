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
#   ko:
#     title: "TI-ONE에 준 노드 항목이 서버 자신의 것이다"
#     description: >-
#       TI-ONE은 SSH로 외부 서버에 접속합니다. 항목의 주소는 서버의 주소 가운데 하나여야 하고, 포트는 sshd가 외부에서
#       실제로 수신하는 포트, 사용자는 root가 아닌 전용 계정이어야 합니다.
#     remediation: >-
#       TI-ONE에서 {host}의 노드 항목과 런치 매니페스트의 tione.server를 고치십시오. 서버의 주소, sshd가 수신하는
#       포트, 그리고 root가 아니면서 TI-ONE에 필요한 권한만 가진 관리 계정을 적습니다.
#     messages:
#       lacking: "런치 매니페스트의 노드 항목(tione.server)에 {what}이(가) 기록되어 있지 않습니다"
#       address: "노드 항목의 {ip}은(는) {host}의 주소({own})가 아닙니다"
#       port: "노드 항목의 SSH 포트는 {port}이지만 {host}에서 그 포트를 수신하는 것이 없습니다"
#       loopback: "{host}의 SSH 포트 {port}에는 서버 자신만 접속할 수 있습니다"
#       service: "{host}의 포트 {port}은(는) sshd가 아니라 {name}이(가) 잡고 있습니다"
#       root: "TI-ONE에 {user} 계정을 주었습니다. root가 아닌 전용 계정이 필요합니다"
#       declared: "노드 항목의 SSH 포트는 {port}이지만 런치 매니페스트의 host.ssh.port는 {other}입니다"
#       whose: "sshd가 {host}의 포트 {port}을(를) 수신하는지 알 수 없습니다"
#       manifestless: "노드 항목을 기록할 런치 매니페스트가 없습니다"
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
