# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.tione.registered_node_test

import data.gpugate.lib.fixture
import data.gpugate.rules.tione.registered_node as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as it is", fixture.tione, set(), set()],
	["not running", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/status", "value": "EXCEPTION"}, {"op": "add", "path": "/tione/resourceGroup/instances/0/errorMessage", "value": "lost"}]), {"status"}, set()],
	["one of two", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/totalGpuHundredths", "value": 100}]), {"count"}, set()],
	["as many real ones", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/realGpuHundredths", "value": 200}]), set(), set()],
	["virtual cards", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/realGpuHundredths", "value": 50}]), set(), {"untold"}],
	["another type", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/gpuType", "value": "4090D"}]), {"type"}, set()],
	["the type in other letters", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/gpuType", "value": "4090D"}, {"op": "replace", "path": "/nvml/gpus/0/name", "value": "NVIDIA GeForce RTX 4090 D"}, {"op": "replace", "path": "/nvml/gpus/1/name", "value": "NVIDIA GeForce RTX 4090 D"}]), set(), set()],
	["status, type and count not told", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/resourceGroup/instances/0/status"}, {"op": "remove", "path": "/tione/resourceGroup/instances/0/gpuType"}, {"op": "remove", "path": "/tione/resourceGroup/instances/0/totalGpuHundredths"}]), set(), {"untold"}],
	["the server itself is not known", fixture.gap(fixture.tione, "nvml", "nvml.gpus", "denied"), set(), {"uncounted"}],
	["not in the group", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/thisHost", "value": false}]), {"unlisted"}, {"elsewhere"}],
	["not on this page", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/thisHost", "value": false}, {"op": "replace", "path": "/tione/resourceGroup/totalCount", "value": 9}]), set(), {"elsewhere"}],
	["how many there are is not told", fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/thisHost", "value": false}, {"op": "remove", "path": "/tione/resourceGroup/totalCount"}]), set(), {"elsewhere"}],
	["no export", fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/resourceGroup"}]), set(), {"exportless"}],
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

test_the_word_is_taken_and_said if {
	rule.applicable == false with input as fixture.serving
	count(rule.assumed) == 1 with input as fixture.serving
	not rule.applicable with input as fixture.tione
}
