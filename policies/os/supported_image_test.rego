# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.os.supported_image_test

import data.gpugate.lib.fixture
import data.gpugate.rules.os.supported_image as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["Ubuntu 22.04", fixture.serving, set(), set()],
	["TencentOS 3.1", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "tencentos"}, {"op": "replace", "path": "/host/os/versionId", "value": "3.1"}]), set(), set()],
	["in capitals", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "Ubuntu"}, {"op": "replace", "path": "/host/os/versionId", "value": "22.04"}]), set(), set()],
	["a point release in VERSION_ID", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "ubuntu"}, {"op": "replace", "path": "/host/os/versionId", "value": "22.04.5"}]), set(), set()],
	["Ubuntu 20.04", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "ubuntu"}, {"op": "replace", "path": "/host/os/versionId", "value": "20.04"}]), {"system"}, set()],
	["TencentOS 2.4", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "tencentos"}, {"op": "replace", "path": "/host/os/versionId", "value": "2.4"}]), {"system"}, set()],
	["Debian", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/id", "value": "debian"}, {"op": "replace", "path": "/host/os/versionId", "value": "12"}]), {"system"}, set()],
	["an Arm server", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/kernel/machine", "value": "aarch64"}]), set(), set()],
	["a 32-bit system", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/kernel/machine", "value": "i686"}]), {"machine"}, set()],
	["no machine", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/kernel/machine"}]), set(), {"machineless"}],
	["no version", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/os/versionId"}]), set(), {"untold"}],
	["no system", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/os/id"}]), set(), {"untold"}],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	judged := rule.subjects with input as doc
	failed := rule.fail with input as doc
	open := rule.unknown with input as doc
	(count(judged) + count(failed)) + count(open) == 0
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_the_host_without_a_name if {
	fixture.names(rule.subjects) == {"this host"} with input as fixture.change(fixture.serving, [{"op": "remove", "path": "/host/name"}])
	fixture.names(rule.subjects) == {"cvd-lima-07"} with input as fixture.serving
}
