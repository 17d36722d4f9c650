# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.pods_share_or_reach_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.pods_share_or_reach as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["limits", fixture.node, set(), set()],
	["no limit, and the image asks for all", fixture.change(fixture.node, fixture.with_pod(peek(fixture.all_by("visibleDevices"), []))), {"reach"}, set()],
	["a limit of zero", fixture.change(fixture.node, fixture.with_pod(peek(fixture.all_by("visibleDevices"), [{"resource": "nvidia.com/gpu", "quantity": 0}]))), {"reach"}, set()],
	["a limit", fixture.change(fixture.node, fixture.with_pod(peek(fixture.all_by("visibleDevices"), [{"resource": "nvidia.com/gpu", "quantity": 1}]))), set(), set()],
	["privileged with a limit", fixture.change(fixture.node, fixture.with_pod(peek(fixture.all_by("privileged"), [{"resource": "nvidia.com/gpu", "quantity": 1}]))), {"reach"}, set()],
	["privileged without a GPU", fixture.change(fixture.node, fixture.with_pod(peek(fixture.all_by("privileged"), []))), set(), set()],
	["ended", fixture.change(fixture.node, fixture.with_pod(object.union(peek(fixture.all_by("visibleDevices"), []), {"phase": "Failed"}))), set(), set()],
	["two pods on one card", shared, {"shared"}, set()],
	["two pods on a card that is shared", fixture.change(shared, [{"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": [sprintf("%s::0", [fixture.gpu_a])]}]), set(), set()],
	["two pods on a card of qGPU", fixture.change(shared, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "tke.cloud.tencent.com/qgpu-core", "quantity": 200}]}]), set(), set()],
	["whether cards are shared is not known", fixture.gap(shared, "kubernetes", "kubernetes.node", "denied"), set(), set()],
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

peek(gpus, limits) := object.union(fixture.pod("tke", "peek"), {"containers": [{
	"name": "main", "init": false, "args": ["sleep", "infinity"], "environment": [], "limits": limits, "privileged": false,
	"ready": true, "state": "running", "restartCount": 0, "gpus": [gpus],
}]})

shared := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 4203, fixture.pod_owner("tke", "b")))

test_no_pod if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable with input as fixture.node
}
