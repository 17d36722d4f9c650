# METADATA
# title: Preemption
# description: Whether a policy preempts, and whether somebody acknowledged it beforehand.
# schemas:
#   - input: schema.facts
package gpugate.lib.preemption

import data.gpugate.lib.dates

# enabled holds if a queued task may end a running one.
enabled if input.tione.policy.preempted == 1

# told holds if the policy says whether it preempts.
told if input.tione.policy.preempted in {0, 1}

# acknowledged holds if somebody said by name, on a day that has come, that running
# work may be preempted.
acknowledged if {
	a := input.launch.manifest.tione.preemption
	a.acknowledged == true
	trim_space(a.by) != ""
	dates.valid(a.on)
	not dates.future(a.on)
}
