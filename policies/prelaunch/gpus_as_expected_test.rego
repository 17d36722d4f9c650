# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.gpus_as_expected_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.gpus_as_expected as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as expected", fixture.serving, set(), set()],
	["one lost", fixture.change(fixture.serving, [{"op": "remove", "path": "/nvml/gpus/1"}]), {"count"}, set()],
	["one more", fixture.change(fixture.serving, [{"op": "add", "path": "/nvml/gpus/-", "value": fixture.gpu("GPU-c", 2)}]), {"count"}, set()],
	["one not known", fixture.gap(fixture.change(fixture.serving, [{"op": "remove", "path": "/nvml/gpus/1"}]), "nvml", "nvml.gpus", "failed"), set(), set()],
	["one that does not answer", fixture.change(fixture.serving, [{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}]), {"count", "unreadable"}, set()],
	["another product", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/gpus/product", "value": "NVIDIA L40S"}]), {"product"}, set()],
	["the product without its maker", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/gpus/product", "value": "L20"}]), set(), set()],
	["a round number of memory", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/gpus/memoryMiB", "value": 48000}]), set(), set()],
	["half the memory", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/host/gpus/memoryMiB", "value": 24576}]), {"memory"}, set()],
	["nothing expected", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/host/gpus"}]), set(), {"unexpected"}],
	["no product and memory expected", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/host/gpus/product"}, {"op": "remove", "path": "/launch/manifest/host/gpus/memoryMiB"}]), set(), {"unexpected"}],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"unexpected"}],
	["no name", fixture.change(fixture.serving, [{"op": "remove", "path": "/nvml/gpus/0/name"}]), set(), {"nameless"}],
	["no memory", fixture.change(fixture.serving, [{"op": "remove", "path": "/nvml/gpus/0/memory"}]), set(), {"unmeasured"}],
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
