# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.two_parties_given_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.two_parties_given as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["one service", fixture.serving, set(), set()],
	["nothing", fixture.blank, set(), set()],
	["a unit and a container, both idle", both, {"conflict"}, set()],
	["other cards", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0/value", "value": "1"}]), set(), set()],
	["a container on a card a unit runs on", fixture.change(fixture.blank, array.concat(fixture.on(fixture.gpu_a, 5001, fixture.systemd_owner("flash.service")), fixture.with_container(fixture.container("lima", [fixture.by_count(1)])))), {"conflict"}, set()],
	["the unit is stopped", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/activeState", "value": "inactive"}]), set(), set()],
	["the unit may take any card", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/gpus/0", "value": fixture.all_by("unrestricted")}]), set(), set()],
	["the unit only launches the container", fixture.change(both, [{"op": "add", "path": "/systemd/units/0/wraps", "value": {"engine": "docker", "name": "lima"}}]), set(), set()],
	["only watched", fixture.change(both, [{"op": "add", "path": "/docker/daemons/0/containers/0/gpus/0/utility", "value": true}]), set(), set()],
	["by the beginning of a UUID", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "uuid", "value": "GPU-5e1f"}}]), {"conflict"}, set()],
	["by the number of the device node", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "minor", "value": "0"}}]), {"conflict"}, set()],
	["by the beginning of every UUID", fixture.change(both, [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "uuid", "value": "GPU-"}}]), set(), {"undecided"}],
	["a unit of unknown state", fixture.change(both, [{"op": "remove", "path": "/systemd/units/0/activeState"}]), set(), {"undecided"}],
	["slices of one card", fixture.change(fixture.change(both, fixture.mig), [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "mig", "value": "MIG-11aa22bb"}}, {"op": "replace", "path": "/docker/daemons/0/containers/0/gpus/0/devices/0", "value": {"kind": "migIndex", "value": "0:1"}}]), set(), set()],
	["the same slice of one card", fixture.change(fixture.change(both, fixture.mig), [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "mig", "value": "MIG-11aa22bb"}}, {"op": "replace", "path": "/docker/daemons/0/containers/0/gpus/0/devices/0", "value": {"kind": "mig", "value": "MIG-GPU-5e1f0a3c-1b6d-4f0e-9a57-0c2b8d7f6e01/1/0"}}]), {"conflict"}, set()],
	["a slice and a card in MIG mode", fixture.change(fixture.change(both, fixture.mig), [{"op": "replace", "path": "/systemd/units/0/gpus/0/devices/0", "value": {"kind": "mig", "value": "MIG-11aa22bb"}}]), set(), {"instance"}],
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

both := fixture.change(fixture.blank, array.concat(fixture.with_container(fixture.container("lima", [fixture.indices(["0"])])), fixture.with_unit(fixture.unit("flash.service", [{"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "0"}]}]))))

test_no_card_is_nothing_to_give if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
