# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.declared_owner_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.declared_owner as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as declared", fixture.serving, set(), set()],
	["nobody runs", fixture.blank, set(), set()],
	["another party", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/owner", "value": "systemd"}]), {"other"}, set()],
	["another party set up", fixture.change(fixture.blank, fixture.with_unit(fixture.unit("flash.service", [fixture.all_by("cudaVisibleDevices")]))), {"other"}, set()],
	["a pod nobody could place", fixture.change(fixture.node, fixture.on(fixture.gpu_b, 9001, fixture.pod_owner("kubernetes", "job"))), set(), {"undetermined"}],
	["a pod where Docker is declared", fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 9001, fixture.pod_owner("kubernetes", "job"))), {"other"}, set()],
	["an orphan", fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 9001, {"manager": "orphan"})), set(), {"undetermined"}],
	["a unit of unknown state", fixture.change(fixture.serving, fixture.with_unit(object.remove(fixture.unit("flash.service", [fixture.all_by("cudaVisibleDevices")]), ["activeState"]))), set(), {"undecided"}],
	["nothing declared", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/owner"}]), set(), {"undeclared"}],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"undeclared"}],
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

test_no_card_has_no_owner if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
