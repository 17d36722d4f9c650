# METADATA
# title: "SSH answers, as far as this host tells"
# description: >-
#   SSH cannot connect. Seen from the host, something must listen on the declared port, on an address that
#   others reach. What lies outside (NAT EIP, DNAT port, route, allowed CIDR) is not seen from here: ruled out
#   is the host's own part.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS001
#   severity: warning
#   onRequest: true
#   requires: [host.name, host.listeners, launch.manifest.host]
#   covers: [F1]
#   remediation: >-
#     Look at NAT EIP, DNAT port, route and allowed CIDR first, then at sshd (ss -ltnp; systemctl status ssh
#     sshd) from the console of {host}, and at free and locked memory (OPS010).
#   messages:
#     unbound: "nothing on {host} listens on port {port}, where SSH is declared"
#     loopback: "port {port} of {host} can be reached from the server itself only"
#     other: "port {port} of {host} is held by {name}, not by sshd"
#     undeclared: "the launch manifest does not say on which port SSH answers (host.ssh.port)"
#     whose: "whether sshd listens on port {port} of {host} could not be told"
#   ko:
#     title: "이 호스트가 아는 한 SSH가 응답한다"
#     description: >-
#       SSH에 접속할 수 없는 증상입니다. 호스트에서 보면, 다른 곳에서 닿는 주소에서 선언된 포트를 무언가
#       수신해야 합니다. 밖의 것(NAT EIP, DNAT 포트, 라우팅, 허용 CIDR)은 여기서 보이지 않으므로, 배제되는 것은
#       호스트 쪽 원인입니다.
#     remediation: >-
#       먼저 NAT EIP, DNAT 포트, 라우팅, 허용 CIDR을 살펴보고, 그다음 {host}의 콘솔에서 sshd(ss -ltnp; systemctl
#       status ssh sshd)와 여유 메모리, 잠긴 메모리(OPS010)를 살펴보십시오.
#     messages:
#       unbound: "{host}에서 SSH로 선언된 포트 {port}을(를) 수신하는 것이 없습니다"
#       loopback: "{host}의 포트 {port}에는 서버 자신만 접속할 수 있습니다"
#       other: "{host}의 포트 {port}은(는) sshd가 아니라 {name}이(가) 잡고 있습니다"
#       undeclared: "런치 매니페스트에 SSH 포트(host.ssh.port)가 적혀 있지 않습니다"
#       whose: "sshd가 {host}의 포트 {port}을(를) 수신하는지 알 수 없습니다"
package gpugate.rules.operations.ssh_refused

import data.gpugate.lib.index
import data.gpugate.lib.subject

port := input.launch.manifest.host.ssh.port

here := [l | some l in input.host.listeners; l.port == port]

holders := {p.name | some l in here; some p in l.processes}

daemons := {"sshd", "systemd", "dropbear"}

subjects contains subject.host

say(message, extra, evidence) := {
	"subject": subject.host, "message": message, "args": object.union({"host": subject.host.name}, extra), "evidence": evidence,
}

fail contains say("unbound", {"port": port}, ["/launch/manifest/host/ssh/port", "/host/listeners"]) if {
	count(here) == 0
	index.complete("host.listeners")
}

fail contains say("loopback", {"port": port}, ["/launch/manifest/host/ssh/port", "/host/listeners"]) if {
	count(here) > 0
	index.complete("host.listeners")
	every l in here {
		loopback(l.address)
	}
}

loopback(address) if startswith(address, "127.")

loopback("::1")

fail contains say("other", {"port": port, "name": concat(", ", sort(holders))}, ["/launch/manifest/host/ssh/port", "/host/listeners"]) if {
	count(holders) > 0
	count(holders & daemons) == 0
}

unknown contains say("undeclared", {}, []) if not port

unknown contains say("whose", {"port": port}, ["/host/listeners"]) if {
	count(here) > 0
	count(holders) == 0
}
