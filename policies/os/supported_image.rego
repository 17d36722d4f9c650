# METADATA
# title: The server runs a supported image
# description: >-
#   A GPU server runs TencentOS Server 3.1 (64-bit) or Ubuntu Server 22.04 LTS
#   (64-bit). Compared are ID and VERSION_ID of os-release and the machine that
#   the kernel names, not the pretty name.
# related_resources:
#   - ref: https://cloud.tencent.com/document/product/457/57917
# schemas:
#   - input: schema.facts
# custom:
#   id: OSP001
#   severity: error
#   requires: [host.name, host.os.id, host.os.versionId, host.kernel.machine]
#   covers: [S1]
#   remediation: >-
#     Back up what {host} holds and reinstall it with one of the supported images: {supported}, 64-bit.
#   messages:
#     system: "{host} runs {found}, which is not among the supported images: {supported}"
#     machine: "{host} is a {machine} machine; the supported images are 64-bit"
#     untold: "what {host} runs is not known: os-release tells neither ID nor VERSION_ID, or only one of them"
#     machineless: "whether {host} is a 64-bit machine is not known"
#   ko:
#     title: "서버가 지원 이미지를 실행한다"
#     description: >-
#       GPU 서버는 TencentOS Server 3.1(64비트) 또는 Ubuntu Server 22.04 LTS(64비트)를 실행합니다. 표시 이름이 아니라
#       os-release의 ID와 VERSION_ID, 그리고 커널이 말하는 아키텍처를 비교합니다.
#     remediation: >-
#       {host}의 데이터를 백업하고 지원 이미지 가운데 하나로 다시 설치하십시오: {supported}, 64비트.
#     messages:
#       system: "{host}의 시스템은 {found}이며, 지원 이미지({supported})에 들지 않습니다"
#       machine: "{host}의 아키텍처는 {machine}입니다. 지원 이미지는 64비트입니다"
#       untold: "{host}의 시스템을 알 수 없습니다. os-release에 ID와 VERSION_ID가 둘 다 있지 않습니다"
#       machineless: "{host}이(가) 64비트 서버인지 알 수 없습니다"
package gpugate.rules.os.supported_image

import data.gpugate.lib.osname
import data.gpugate.lib.subject

subjects contains subject.host

supported := concat(", ", sort([osname.text(s) | some s in osname.supported]))

fail contains {
	"subject": subject.host,
	"message": "system",
	"args": {"host": subject.host.name, "found": osname.text(osname.host), "supported": supported},
	"evidence": ["/host/os/id", "/host/os/versionId"],
} if {
	not osname.host in osname.supported
}

fail contains {
	"subject": subject.host,
	"message": "machine",
	"args": {"host": subject.host.name, "machine": input.host.kernel.machine, "supported": supported},
	"evidence": ["/host/kernel/machine"],
} if {
	not input.host.kernel.machine in osname.machines
}

unknown contains {"subject": subject.host, "message": "untold", "args": {"host": subject.host.name}, "evidence": ["/host/os"]} if {
	not osname.host
}

unknown contains {"subject": subject.host, "message": "machineless", "args": {"host": subject.host.name}, "evidence": ["/host/kernel"]} if {
	not input.host.kernel.machine
}
