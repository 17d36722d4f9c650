# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.cluster_may_allocate_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.cluster_may_allocate as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["the node is alone", fixture.node, set(), set()],
	["no cluster, proven", fixture.serving, set(), set()],
	["a container on an offered card", held, {"conflict"}, set()],
	["set up but idle", fixture.change(fixture.node, fixture.with_container(fixture.container("idle", [fixture.indices(["1"])]))), {"conflict"}, set()],
	["a pod in a container of Docker", fixture.change(fixture.node, fixture.with_container(object.union(fixture.container("shim", [fixture.indices(["1"])]), {"podUid": "uid-lima-0"}))), set(), set()],
	["a container that stopped", fixture.change(fixture.node, fixture.with_container(object.union(fixture.container("old", [fixture.indices(["1"])]), {"state": "exited"}))), set(), set()],
	["access that came along", fixture.change(fixture.node, fixture.with_container(fixture.container("exporter", [fixture.all_by("privileged")]))), set(), set()],
	["the node is not Ready", fixture.change(held, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "False"}]), set(), set()],
	["nothing offered", fixture.change(held, [{"op": "replace", "path": "/kubernetes/node/allocatable/0/quantity", "value": 0}]), set(), set()],
	["the node does not say whether it is Ready", fixture.change(held, [{"op": "replace", "path": "/kubernetes/node/conditions", "value": []}]), set(), {"readiness"}],
	["only the other card registered", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": [fixture.gpu_a]}]), set(), set()],
	["time-slicing names the card", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": [sprintf("%s::3", [fixture.gpu_b])]}]), {"conflict"}, set()],
	["one of two, which is not known", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}, {"op": "replace", "path": "/kubernetes/node/allocatable/0/quantity", "value": 1}]), set(), {"unplaced"}],
	["as many as there are", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}]), {"conflict"}, set()],
	["twice as many, labelled as time-slicing", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}, {"op": "replace", "path": "/kubernetes/node/allocatable/0/quantity", "value": 4}, {"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia.com/gpu.replicas", "value": "2"}}]), {"conflict"}, set()],
	["shared under another name", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}, {"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu.shared", "quantity": 4}]}, {"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia.com/gpu.replicas", "value": "2"}}]), {"conflict"}, set()],
	["qGPU on every card", fixture.change(held, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}, {"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "tke.cloud.tencent.com/qgpu-core", "quantity": 200}]}]), {"conflict"}, set()],
	["the cards are cut, and which slice is not known", fixture.change(fixture.change(held, fixture.mig), [{"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": [fixture.gpu_a]}, {"op": "replace", "path": "/nvml/processes/1/gpu", "value": fixture.gpu_a}]), set(), {"instance"}],
	["an orphan on an offered card", fixture.change(fixture.node, fixture.on(fixture.gpu_b, 7002, {"manager": "orphan", "reason": "gone"})), set(), {"undetermined"}],
	["a container that asks for a card there is not", fixture.change(fixture.node, fixture.with_container(fixture.container("odd", [fixture.indices(["7"])]))), set(), {"undecided"}],
	["a container of unknown state", fixture.change(fixture.node, fixture.with_container(object.remove(fixture.container("odd", [fixture.indices(["1"])]), ["state"]))), set(), {"undecided"}],
	["a cluster without this host", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}]), set(), {"nodeless"}],
	["pods may not be listed", fixture.gap(fixture.change(held, [{"op": "replace", "path": "/kubernetes/pods", "value": []}]), "kubernetes", "kubernetes.pods", "denied"), {"conflict"}, set()],
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

held := fixture.change(fixture.node, array.concat(fixture.on(fixture.gpu_b, 7001, fixture.docker_owner("stray")), fixture.with_container(fixture.container("stray", [fixture.indices(["1"])]))))

test_what_is_offered_and_to_be_stopped if {
	f := rule.fail with input as held
	fixture.about(f) == {"GPU 1"}
	some only in f
	only.args.resources == "nvidia.com/gpu: 2"
	only.args.stop == "docker --host unix:///run/docker.sock stop stray"
}

test_the_word_is_taken_only_while_nobody_looked if {
	unasked := fixture.change(fixture.serving, [{"op": "replace", "path": "/sources/4/status", "value": "skipped"}])
	rule.applicable == false with input as unasked
	count(rule.assumed) == 1 with input as unasked
	not rule.applicable with input as fixture.node
	not rule.applicable with input as fixture.gap(unasked, "kubernetes", "kubernetes", "denied")
}

test_no_card if {
	fixture.names(rule.subjects) == {"no GPU"} with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
