# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.memory_exhausted_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.memory_exhausted as rule

memory(available, locked) := fixture.change(fixture.quiet, [{"op": "add", "path": "/host/memory", "value": {
	"totalBytes": 10485760000, "availableBytes": available * 104857600, "mlockedBytes": locked * 104857600, "swapTotalBytes": 0, "swapFreeBytes": 0,
}}])

cases := [
	["enough", memory(50, 10), set(), set()],
	["just enough", memory(5, 80), set(), set()],
	["not available", memory(4, 10), {"available"}, set()],
	["locked", memory(50, 81), {"locked"}, set()],
	["processes were ended", fixture.spoken(memory(50, 10), fixture.kernel([fixture.signal("hostOutOfMemory", 5)])), {"killed"}, set()],
	["processes could not start", fixture.spoken(memory(50, 10), fixture.kernel([fixture.signal("forkFailed", 5)])), {"fork"}, set()],
	["memory could not be locked", fixture.spoken(memory(50, 10), fixture.kernel([fixture.signal("memoryLockFailed", 5)])), {"fork"}, set()],
	["another word of the kernel", fixture.spoken(memory(50, 10), fixture.kernel([fixture.told("xid", 5, 79)])), set(), set()],
	["a container that speaks of it", fixture.spoken(memory(50, 10), fixture.log([fixture.signal("hostOutOfMemory", 5)])), set(), set()],
	["not known", fixture.quiet, set(), {"untold"}],
	["no log of the kernel", fixture.change(memory(50, 10), [{"op": "replace", "path": "/logs/streams", "value": []}]), set(), {"logless"}],
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

test_subjects if fixture.names(rule.subjects) == {"cvd-lima-07"} with input as fixture.quiet

test_amounts if {
	{[f.args.available, f.args.total] | some f in rule.fail} == {["400", "10000"]} with input as memory(4, 10)
	{[f.args.locked, f.args.total] | some f in rule.fail} == {["8100", "10000"]} with input as memory(50, 81)
}
