# METADATA
# title: The images chosen in the manifest are the server's own
# description: >-
#   The image of the TKE cluster or node pool, and the system the launch manifest
#   expects, must be what the server runs: this is checked before it is registered,
#   while there is no node to look at.
# schemas:
#   - input: schema.facts
# custom:
#   id: OSP003
#   severity: error
#   requires: [host.os.id, host.os.versionId, launch.manifest]
#   covers: [S2]
#   remediation: >-
#     Choose {host} for {what}, or reinstall the server with {declared}; correct the launch manifest to match.
#   messages:
#     different: "{what} is {declared}, but the server runs {host}"
#     untold: "what the server itself runs is not known"
#     unrecognised: "{what} is {declared}, which is not recognised"
#     undeclared: "the launch manifest does not say which image was chosen for {what}"
#   ko:
#     title: "매니페스트에서 고른 이미지가 서버의 이미지이다"
#     description: >-
#       TKE 클러스터나 노드 풀의 이미지, 그리고 런치 매니페스트가 기대하는 시스템은 서버가 실행하는 것과 같아야
#       합니다. 아직 살펴볼 노드가 없는 등록 전에 확인합니다.
#     remediation: >-
#       {what}에 {host}을(를) 고르거나 서버를 {declared} 이미지로 다시 설치하고, 런치 매니페스트를 그에 맞게
#       고치십시오.
#     messages:
#       different: "{what}: 선언은 {declared}이지만 서버가 실행하는 것은 {host}입니다"
#       untold: "서버 자신이 무엇을 실행하는지 알 수 없습니다"
#       unrecognised: "{what}: 선언된 {declared}은(는) 알아볼 수 없는 값입니다"
#       undeclared: "런치 매니페스트에 {what}에 어떤 이미지를 골랐는지 적혀 있지 않습니다"
package gpugate.rules.os.declared_image

import data.gpugate.lib.index
import data.gpugate.lib.osname
import data.gpugate.lib.subject

cluster_subject := subject.manifest("tke.os")

host_subject := subject.manifest("host.os")

subjects contains cluster_subject if not stays_out

subjects contains host_subject if input.launch.manifest.host.os

# stays_out holds if the server is not meant to be a TKE node: the manifest says
# so, or says nothing while no cluster is here.
stays_out if input.launch.manifest.tke.registered == false

stays_out if {
	not input.launch.manifest.tke
	index.absent("kubernetes")
}

applicable := false if {
	input.launch.manifest
	stays_out
	not input.launch.manifest.host.os
}

expected := {"id": lower(os.id), "version": os.versionId} if os := input.launch.manifest.host.os

chosen := osname.of_tke(input.launch.manifest.tke.os)

fail contains {
	"subject": cluster_subject,
	"message": "different",
	"args": {"what": "the TKE cluster's image", "declared": input.launch.manifest.tke.os, "host": osname.text(osname.host)},
	"evidence": ["/launch/manifest/tke/os", "/host/os/versionId"],
} if {
	not stays_out
	not osname.same(chosen, osname.host)
}

fail contains {
	"subject": host_subject,
	"message": "different",
	"args": {"what": "the expected system", "declared": osname.text(expected), "host": osname.text(osname.host)},
	"evidence": ["/launch/manifest/host/os", "/host/os/versionId"],
} if {
	not osname.same(expected, osname.host)
}

unknown contains {"subject": s, "message": "untold", "args": {}, "evidence": ["/host/os"]} if {
	not osname.host
	some s in subjects
}

unknown contains {"subject": cluster_subject, "message": "undeclared", "args": {"what": "the TKE cluster"}, "evidence": ["/launch/manifest"]} if {
	not stays_out
	not input.launch.manifest.tke.os
}

unknown contains {
	"subject": cluster_subject,
	"message": "unrecognised",
	"args": {"what": "the TKE cluster's image", "declared": input.launch.manifest.tke.os},
	"evidence": ["/launch/manifest/tke/os"],
} if {
	not stays_out
	not osname.of_tke(input.launch.manifest.tke.os)
}
