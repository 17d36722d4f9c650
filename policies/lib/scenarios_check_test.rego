# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.scenarios_test

import data.gpugate.lib.scenarios

# A scenario that cannot be made would be missing in silence.
test_all_scenarios_are_there if {
	count(scenarios.good) > 2
	count(scenarios.bad) > 30
	count(scenarios.all) == (count(scenarios.good) + count(scenarios.bad)) + 1
}
