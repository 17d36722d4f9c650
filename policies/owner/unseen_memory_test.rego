# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.unseen_memory_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.unseen_memory as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["all accounted for", fixture.serving, set(), set()],
	["the driver's own", fixture.change(fixture.serving, fixture.used(0, 1400)), set(), set()],
	["unseen", fixture.change(fixture.serving, fixture.used(0, 9000)), {"unseen"}, set()],
	["unseen on an idle card", fixture.change(fixture.blank, fixture.used(1, 9000)), {"unseen"}, set()],
	["reserved, and counted as used", fixture.change(fixture.change(fixture.serving, fixture.used(0, 2500)), [{"op": "add", "path": "/nvml/gpus/0/memory/reservedBytes", "value": 1073741824}]), set(), set()],
	["reserved, and not counted as used", fixture.change(fixture.change(fixture.serving, fixture.used(0, 2500)), [{"op": "add", "path": "/nvml/gpus/0/memory/reservedBytes", "value": 1073741824}, {"op": "replace", "path": "/nvml/gpus/0/memory/freeBytes", "value": 0}]), {"unseen"}, set()],
	["listed twice, held once", fixture.change(fixture.change(fixture.serving, fixture.used(0, 2200)), [{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 4101, "type": "graphics", "usedMemoryBytes": 1073741824}}]), {"unseen"}, set()],
	["a process that does not tell", fixture.change(fixture.change(fixture.serving, fixture.used(0, 9000)), [{"op": "remove", "path": "/nvml/processes/0/usedMemoryBytes"}]), set(), {"unmeasured"}],
	["a list that is not whole", fixture.gap(fixture.change(fixture.serving, fixture.used(0, 9000)), "nvml", "nvml.processes", "denied"), set(), {"unlisted"}],
	["a gap about the other card", fixture.lacking(fixture.change(fixture.serving, fixture.used(0, 9000)), "nvml", {"path": "nvml.gpus", "item": fixture.gpu_b, "reason": "failed", "detail": "lost"}), {"unseen"}, set()],
	["a card that does not tell", fixture.change(fixture.serving, [{"op": "remove", "path": "/nvml/gpus/0/memory"}]), set(), {"unreadable"}],
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

test_no_card if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
