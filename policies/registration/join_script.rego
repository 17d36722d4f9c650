# METADATA
# title: The initialisation script is the one of this cluster and pool
# description: >-
#   The script that joins the server is issued for one cluster and one node pool and named after them
#   (add2tkectl-CLUSTER-POOL). It runs as root, so that its content is reviewed before: the manifest holds the digest of
#   what was reviewed, and the file beside it is that file.
# schemas:
#   - input: schema.facts
# custom:
#   id: REG005
#   severity: error
#   securitySeverity: "8.1"
#   requires: [kubernetes, launch.manifest, launch.evidence]
#   covers: [S5]
#   remediation: >-
#     Fetch the script anew from the console for cluster {cluster} and node pool {pool}, read it, record its sha256 as
#     tke.script.sha256, and run its check before its install. Its clear removes container runtimes: do not run that on a
#     server that serves.
#   messages:
#     unrecorded: "the launch manifest records no initialisation script (tke.script)"
#     placeholder: "{what} still holds a placeholder: {value}"
#     name: "{file} is not named add2tkectl-CLUSTER-POOL, as the script that the console issues is"
#     other: "{file} was issued for {found}, not for {what} {wanted}"
#     missing: "the initialisation script {file} is not beside the launch manifest"
#     unreviewed: "the digest of the reviewed script {file} is not recorded (tke.script.sha256)"
#     changed: "the initialisation script {file} is not the one that was reviewed"
#     unlooked: "whether the initialisation script {file} is the reviewed one could not be looked at"
#     undeclared: "the launch manifest does not name the {what} that the script {file} is to be for"
#     manifestless: "there is no launch manifest that could record the initialisation script"
#   ko:
#     title: "초기화 스크립트가 이 클러스터와 노드 풀의 것이다"
#     description: >-
#       서버를 참여시키는 스크립트는 하나의 클러스터와 노드 풀을 위해 발급되며 그 이름을
#       따릅니다(add2tkectl-CLUSTER-POOL). root로 실행되므로 내용을 먼저 검토합니다. 매니페스트에는 검토한 것의
#       다이제스트가 있고, 옆에 있는 파일이 바로 그 파일이어야 합니다.
#     remediation: >-
#       콘솔에서 클러스터 {cluster}, 노드 풀 {pool}의 스크립트를 새로 받아 읽고, 그 sha256을 tke.script.sha256에
#       기록한 다음 install보다 check를 먼저 실행하십시오. clear는 컨테이너 런타임을 제거하므로 서비스 중인 서버에서
#       실행하지 마십시오.
#     messages:
#       unrecorded: "런치 매니페스트에 초기화 스크립트(tke.script)가 기록되어 있지 않습니다"
#       placeholder: "{what}에 자리 표시자가 남아 있습니다: {value}"
#       name: "{file}의 이름이 콘솔이 발급하는 스크립트의 형식 add2tkectl-CLUSTER-POOL이 아닙니다"
#       other: "{file}은(는) {what} {wanted}이(가) 아니라 {found}을(를) 위해 발급되었습니다"
#       missing: "초기화 스크립트 {file}이(가) 런치 매니페스트 옆에 없습니다"
#       unreviewed: "검토한 스크립트 {file}의 다이제스트(tke.script.sha256)가 기록되어 있지 않습니다"
#       changed: "초기화 스크립트 {file}은(는) 검토한 그 파일이 아닙니다"
#       unlooked: "초기화 스크립트 {file}이(가) 검토한 것인지 살펴볼 수 없었습니다"
#       undeclared: "런치 매니페스트에 스크립트 {file}이(가) 대상으로 하는 {what}이(가) 적혀 있지 않습니다"
#       manifestless: "초기화 스크립트를 기록할 런치 매니페스트가 없습니다"
package gpugate.rules.registration.join_script

import data.gpugate.lib.index
import data.gpugate.lib.registration
import data.gpugate.lib.subject

self := subject.manifest("tke.script")

subjects contains self

applicable := false if registration.no_node

default tke := {}

tke := input.launch.manifest.tke

declared if input.launch.manifest.tke

file := tke.script.file

base := parts[count(parts) - 1] if parts := split(file, "/")

issued := regex.find_all_string_submatch_n(`^add2tkectl-(cls-[a-z0-9]+)-(np-[a-z0-9]+)$`, base, 1)[0]

say(message, extra, evidence) := {
	"subject": self,
	"message": message,
	"args": object.union({"cluster": object.get(tke, "cluster", "(not named)"), "pool": object.get(tke, "nodePool", "(not named)")}, extra),
	"evidence": evidence,
}

fail contains say("unrecorded", {}, ["/launch/manifest/tke"]) if {
	declared
	not tke.script
	not registration.no_node
	index.complete("launch.manifest.tke")
}

# written are the words that a person was to replace.
written := {"tke.script.file": object.get(tke, ["script", "file"], ""), "tke.cluster": object.get(tke, "cluster", ""), "tke.nodePool": object.get(tke, "nodePool", "")}

placeholders := {what: value |
	some what, value in written
	regex.match(`[<>{}$…]|\.\.\.|(?i)x{4,}|(?i)-(id|cluster|clusterid|pool|nodepool|example)(-|$)`, value)
}

fail contains say("placeholder", {"what": what, "value": value}, [sprintf("/launch/manifest/%s", [replace(what, ".", "/")])]) if {
	some what, value in placeholders
}

fail contains say("name", {"file": base}, ["/launch/manifest/tke/script/file"]) if {
	base
	not issued
	not placeholders["tke.script.file"]
}

fail contains say("other", {"file": base, "found": found, "what": what, "wanted": wanted}, [sprintf("/launch/manifest/tke/%s", [member]), "/launch/manifest/tke/script/file"]) if {
	some [found, what, member] in [[issued[1], "cluster", "cluster"], [issued[2], "node pool", "nodePool"]]
	wanted := tke[member]
	found != wanted
}

looked := [e | some e in input.launch.evidence; e.reference == file][0]

fail contains say("missing", {"file": file}, ["/launch/manifest/tke/script/file"]) if looked.found == false

fail contains say("unreviewed", {"file": file}, ["/launch/manifest/tke/script"]) if {
	file
	not tke.script.sha256
	index.complete("launch.manifest.tke")
}

fail contains say("changed", {"file": file}, ["/launch/manifest/tke/script/sha256"]) if {
	lower(looked.actualSha256) != lower(tke.script.sha256)
}

same if lower(looked.actualSha256) == lower(tke.script.sha256)

unknown contains say("unlooked", {"file": file}, ["/launch/manifest/tke/script/file"]) if {
	file
	not same
}

unknown contains say("undeclared", {"file": base, "what": what}, ["/launch/manifest/tke"]) if {
	some [member, what] in [["cluster", "cluster"], ["nodePool", "node pool"]]
	declared
	not tke[member]
}

unknown contains say("manifestless", {}, ["/launch"]) if not input.launch.manifest

unknown contains say("manifestless", {}, ["/launch/manifest"]) if {
	input.launch.manifest
	not declared
	not registration.no_node
}
