# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.preemption_test

import data.gpugate.lib.fixture
import data.gpugate.lib.preemption

policy(value) := fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy/preempted", "value": value}])

test_whether_it_preempts if {
	preemption.enabled with input as policy(1)
	every value in {0, 2} { not preemption.enabled with input as policy(value) }
	every value in {0, 1} { preemption.told with input as policy(value) }
	not preemption.told with input as policy(2)
	not preemption.told with input as fixture.change(fixture.tione, [{"op": "remove", "path": "/tione/policy/preempted"}])
}

word(change) := fixture.change(fixture.tione, [{"op": "add", "path": "/launch/manifest/tione/preemption", "value": object.union({"acknowledged": true, "by": "Lee", "on": "2026-11-30"}, change)}])

test_whether_somebody_knew if {
	preemption.acknowledged with input as word({})
	every change in [{"acknowledged": false}, {"by": " "}, {"on": "2026-12-01"}, {"on": "yesterday"}, {"on": ""}] {
		not preemption.acknowledged with input as word(change)
	}
	not preemption.acknowledged with input as fixture.tione
}
