# METADATA
# title: Operating systems
# description: >-
#   One form, {id, version}, for what os-release, a node's osImage and TKE's image
#   ids say. Versions are major.minor: point releases of Ubuntu are one release,
#   while TencentOS 2.4 and 3.1 are two.
# schemas:
#   - input: schema.facts
package gpugate.lib.osname

# supported are the images of the GPU servers, both 64-bit.
supported := {
	{"id": "tencentos", "version": "3.1"},
	{"id": "ubuntu", "version": "22.04"},
}

# machines are the 64-bit architectures, as uname calls them.
machines := {"x86_64", "amd64", "aarch64", "arm64"}

# host is the server's own system; undefined if either part is not known.
host := {"id": lower(input.host.os.id), "version": short(input.host.os.versionId)} if {
	input.host.os.id != ""
	input.host.os.versionId != ""
}

# images are patterns of osImage, with the id they mean. Where the version stands
# is the first group.
images := [
	[`^Ubuntu (?:Core )?([0-9]+\.[0-9]+)`, "ubuntu"],
	[`^TencentOS (?:Server|Linux) ([0-9]+(?:\.[0-9]+)?)`, "tencentos"],
	[`^Tencent tlinux ([0-9]+\.[0-9]+)`, "tencentos"],
	[`^Debian GNU/Linux ([0-9]+)`, "debian"],
	[`^CentOS (?:Linux|Stream) ([0-9]+)`, "centos"],
	[`^Rocky Linux ([0-9]+\.[0-9]+)`, "rocky"],
	[`^Red Hat Enterprise Linux (?:CoreOS )?([0-9]+\.[0-9]+)`, "rhel"],
	[`^Amazon Linux ([0-9]+)`, "amzn"],
	[`^Bottlerocket OS ([0-9]+\.[0-9]+)`, "bottlerocket"],
	[`^Flatcar .* ([0-9]+\.[0-9]+)`, "flatcar"],
	[`^openEuler ([0-9]+\.[0-9]+)`, "openeuler"],
	[`^Alpine Linux v([0-9]+\.[0-9]+)`, "alpine"],
	[`^SUSE Linux Enterprise .* ([0-9]+)`, "sles"],
]

# of_image is the system that a node's osImage names; undefined if it is not known.
of_image(text) := read(images, text)

# ids are patterns of TKE's image ids.
ids := [
	[`^tlinux([0-9]+(?:\.[0-9]+)?)`, "tencentos"],
	[`^tencentos([0-9]+(?:\.[0-9]+)?)`, "tencentos"],
	[`^ubuntu([0-9]+\.[0-9]+)`, "ubuntu"],
	[`^centos([0-9]+)`, "centos"],
	[`^debian([0-9]+)`, "debian"],
]

# of_tke is the system that a TKE image id names; undefined if it is not known.
of_tke(text) := read(ids, lower(text))

read(patterns, text) := [{"id": id, "version": version} |
	some [pattern, id] in patterns
	some groups in regex.find_all_string_submatch_n(pattern, text, 1)
	version := groups[1]
][0]

# short is major.minor of a version.
short(version) := concat(".", array.slice(split(version, "."), 0, 2))

# same holds if both mean one release. Some ids name the major version alone.
same(a, b) if {
	a.id == b.id
	short(a.version) == short(b.version)
}

same(a, b) if {
	a.id == b.id
	some version in {a.version, b.version}
	not contains(version, ".")
	split(a.version, ".")[0] == split(b.version, ".")[0]
}

# text is how a person writes it.
text(system) := sprintf("%s %s", [system.id, system.version])
