# METADATA
# title: The disks have the space that is expected
# description: >-
#   Free space is confirmed on the actual instance, for each path that the launch manifest
#   names, on the file system that holds it.
# schemas:
#   - input: schema.facts
# custom:
#   id: PRE016
#   severity: error
#   requires: [host.mounts, launch.manifest]
#   covers: [L2]
#   remediation: >-
#     Free or add space below {path} (df -h {path}; du -xh --max-depth=1 {path}), or lower minFreeGiB in the launch
#     manifest if less is enough.
#   messages:
#     space: "{path} has {free} GiB free (file system {mount}), less than the expected {expected} GiB"
#     unexpected: "the launch manifest names no disk to check (host.disks)"
#     mountless: "on which file system {path} lies is not known"
#   ko:
#     title: "디스크에 기대한 여유 공간이 있다"
#     description: >-
#       런치 매니페스트가 적은 각 경로에 대해, 그 경로가 있는 파일 시스템의 여유 공간을 실제 인스턴스에서 확인합니다.
#     remediation: >-
#       {path} 아래의 공간을 비우거나 늘리십시오(df -h {path}; du -xh --max-depth=1 {path}). 더 적어도 충분하다면 런치
#       매니페스트의 minFreeGiB를 낮추십시오.
#     messages:
#       space: "{path}의 여유 공간은 {free} GiB(파일 시스템 {mount})로, 기대한 {expected} GiB보다 적습니다"
#       unexpected: "런치 매니페스트에 확인할 디스크(host.disks)가 적혀 있지 않습니다"
#       mountless: "{path}이(가) 어느 파일 시스템에 있는지 알 수 없습니다"
package gpugate.rules.prelaunch.disk_as_expected

import data.gpugate.lib.index
import data.gpugate.lib.subject

gib := 1073741824

all_disks := subject.manifest("host.disks")

disks := [{"at": i, "disk": d} | some i, d in input.launch.manifest.host.disks]

about(d) := {"kind": "disk", "id": d.path, "name": d.path}

subjects contains about(entry.disk) if some entry in disks

subjects contains all_disks if count(disks) == 0

# holding is the file system of a path: the mount with the longest path above it.
holding(path) := [m, i] if {
	longest := max({count(m.path) | some m in input.host.mounts; above(m.path, path)})
	[m, i] := [[m, i] |
		some i, m in input.host.mounts
		above(m.path, path)
		count(m.path) == longest
	][0]
}

above("/", _)

above(mount, path) if path == mount

above(mount, path) if startswith(path, concat("", [mount, "/"]))

fail contains {
	"subject": about(entry.disk),
	"message": "space",
	"args": {
		"path": entry.disk.path,
		"mount": mount.path,
		"free": round((mount.availableBytes / gib) * 10) / 10,
		"expected": entry.disk.minFreeGiB,
	},
	"evidence": [sprintf("/launch/manifest/host/disks/%d/minFreeGiB", [entry.at]), sprintf("/host/mounts/%d/availableBytes", [i])],
} if {
	some entry in disks
	[mount, i] := holding(entry.disk.path)
	mount.availableBytes < entry.disk.minFreeGiB * gib

	# A mount that is not listed could lie between.
	index.complete("host.mounts")
}

unknown contains {"subject": all_disks, "message": "unexpected", "args": {}, "evidence": ["/launch/manifest"]} if {
	count(disks) == 0
}

unknown contains {"subject": about(entry.disk), "message": "mountless", "args": {"path": entry.disk.path}, "evidence": [sprintf("/launch/manifest/host/disks/%d/path", [entry.at])]} if {
	some entry in disks
	not holding(entry.disk.path)
}
