# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.services_recorded_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.services_recorded as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["recorded", fixture.serving, set(), set()],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["a tag instead of a digest", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services/0/image", "value": "registry.example/llm/lima:2"}]), {"image"}, set()],
	["no image", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/image"}]), {"lacking"}, set()],
	["no image, as a unit has none", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/image"}, {"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"systemd": {"unit": "a"}}}]), set(), set()],
	["nowhere to run", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {}}]), {"lacking"}, set()],
	["no arguments", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/args"}]), {"lacking"}, set()],
	["no weights", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/weights"}]), {"lacking"}, set()],
	["no digests of the weights", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/weights/manifest"}]), {"lacking"}, set()],
	["the digests are not there", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/evidence/2/found", "value": false}]), {"digests"}, {"unlooked"}],
	["the digests changed", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/evidence/2/recordedSha256", "value": fixture.other_digest}]), {"digests"}, set()],
	["nobody could look", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/evidence/2/found"}]), set(), {"unlooked"}],
	["nobody looked", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/evidence/2"}]), set(), {"unlooked"}],
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

test_no_service_nothing_to_record if {
	rule.applicable == false with input as fixture.blank
	not rule.applicable with input as fixture.serving
}
