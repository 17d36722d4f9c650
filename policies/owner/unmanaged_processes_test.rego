# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.unmanaged_processes_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.unmanaged_processes as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["managed", fixture.serving, set(), set()],
	["nobody", fixture.blank, set(), set()],
	["a login session", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "session", "name": "session-3.scope"})), {"foreign"}, set()],
	["LXC", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "lxc", "name": "vllm"})), {"foreign"}, set()],
	["Podman", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "podman", "containerId": "cafe0011cafe"})), {"foreign"}, set()],
	["an orphan", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "orphan", "containerId": "beef0011beef", "reason": "no daemon knows it"})), {"orphan"}, set()],
	["the daemon itself", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "daemon", "name": "dockerd"})), {"daemon"}, set()],
	["not known", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "unknown", "reason": "the control group could not be read"})), set(), {"undetermined"}],
	["a zombie", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/state", "value": "Z"}]), {"zombie"}, set()],
	["a process that is gone", fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/state", "value": "gone"}]), {"gone"}, set()],
	["nothing known", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/processes/0"}]), set(), {"undetermined"}],
	["a pod nobody could place", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, fixture.pod_owner("kubernetes", "x"))), set(), {"unsettled"}],
	["a container no daemon could tell of", fixture.change(fixture.serving, [{"op": "remove", "path": "/host/processes/0/owner/daemon"}]), set(), {"unsettled"}],
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

test_what_to_do_names_the_process if {
	f := rule.fail with input as fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, {"manager": "session", "name": "session-3.scope"}))
	some only in f
	only.args.stop == "kill 5001"
	only.args.process == "python3"
	z := rule.fail with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/state", "value": "Z"}])
	some zombie in z
	contains(zombie.args.stop, "parent of 4101")
	g := rule.fail with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/host/processes/0/state", "value": "gone"}])
	some gone in g
	contains(gone.args.stop, "drain")
}

test_no_card if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
