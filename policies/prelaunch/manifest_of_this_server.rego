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
#   ko:
#     title: "런치 매니페스트가 이 서버의 것이다"
#     description: >-
#       다른 서버에서 복사한 매니페스트는 그 서버를 기록하고 확인합니다. 매니페스트가 호스트를 적었다면 이 서버의
#       이름이어야 합니다. 대소문자와 도메인은 따지지 않습니다.
#     remediation: >-
#       {host}을(를) 자신의 매니페스트로 판정하거나 이 매니페스트의 metadata.host를 고치십시오.
#     messages:
#       other: "런치 매니페스트는 {named}의 것인데 이 서버는 {host}입니다"
#       nameless: "런치 매니페스트는 {named}의 것입니다. 이 서버의 이름을 알 수 없습니다"
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
