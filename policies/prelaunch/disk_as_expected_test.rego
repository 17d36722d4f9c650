# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.disk_as_expected_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.disk_as_expected as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["enough", fixture.serving, set(), set()],
	["too little", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/mounts/1/availableBytes", "value": 1073741824}]), {"space"}, set()],
	["on the root, which is too small", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/disks/0/path", "value": "/database"}]), {"space"}, set()],
	["the mount itself", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/disks/0/path", "value": "/data"}]), set(), set()],
	["not all mounts are known", fixture.gap(fixture.change(fixture.serving, [{"op": "replace", "path": "/host/mounts/1/availableBytes", "value": 0}]), "host", "host.mounts", "denied"), set(), set()],
	["no mount known", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/mounts", "value": []}]), set(), {"mountless"}],
	["nothing expected", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/host/disks"}]), set(), {"unexpected"}],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"unexpected"}],
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
