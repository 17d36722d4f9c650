# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.gpu_resource_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.gpu_resource as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["every GPU", fixture.node, set(), set()],
	["not Ready", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "Unknown"}]), {"notReady"}, set()],
	["no Ready condition", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/conditions", "value": []}]), set(), {"unready"}],
	["none", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []}]), {"none"}, set()],
	["zero of two", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 0}]}]), {"none"}, set()],
	["one of two", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 1}]}]), {"fewer"}, set()],
	["three of two", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 3}]}]), {"more"}, {"shared"}],
	["six of two, unexplained", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 6}]}]), set(), {"shared"}],
	["six of two, labelled", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 6}]}, {"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia.com/gpu.replicas", "value": "3"}}]), set(), set()],
	["six of two, by what is registered", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 6}]}, {"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": ["GPU-x::0"]}]), set(), set()],
	["six of two, by the product's name", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 6}]}, {"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia.com/gpu.product", "value": "NVIDIA-L20-SHARED"}}]), set(), set()],
	["under another name", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu.shared", "quantity": 8}]}]), set(), set()],
	["qGPU", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "tke.cloud.tencent.com/qgpu-core", "quantity": 200}]}]), set(), set()],
	["instances of a cut card", fixture.change(cut, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/mig-3g.24gb", "quantity": 2}]}]), set(), set()],
	["instances as GPUs", cut, set(), set()],
	["more instances than there are", fixture.change(cut, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/mig-3g.24gb", "quantity": 7}]}]), {"instances"}, set()],
	["whole GPUs beside the instances", fixture.change(cut, [{"op": "add", "path": "/kubernetes/node/allocatable/-", "value": {"resource": "nvidia.com/mig-3g.24gb", "quantity": 2}}]), {"leftovers"}, set()],
	["GPUs are not known", fixture.gap(fixture.change(fixture.node, [{"op": "replace", "path": "/nvml/gpus", "value": []}, {"op": "replace", "path": "/nvml/processes", "value": []}]), "nvml", "nvml", "denied"), set(), {"uncounted"}],
	["none, and no GPU known", fixture.gap(bare, "nvml", "nvml", "denied"), set(), {"hardware"}],
	["none, but the key is there", fixture.change(bare, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": [{"resource": "nvidia.com/gpu", "quantity": 0}]}]), {"none"}, set()],
	["none, but the label is there", fixture.change(bare, [{"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia-device-enable", "value": "enable"}}]), {"none"}, set()],
	["none, but the bus lists one", fixture.change(bare, [{"op": "replace", "path": "/host/pciGpus", "value": ["0000:3b:00.0"]}]), {"none"}, set()],
	["a node that is not all known", fixture.gap(fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []}]), "kubernetes", "kubernetes.node.allocatable", "failed"), set(), set()],
	["a cluster without this host", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}]), set(), {"nodeless"}],
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

cut := fixture.change(fixture.change(fixture.node, fixture.mig), [{"op": "remove", "path": "/nvml/gpus/1"}, {"op": "replace", "path": "/nvml/processes", "value": []}])

# bare is a node without a GPU, or one of which nothing shows.
bare := fixture.change(fixture.node, [
	{"op": "replace", "path": "/nvml/gpus", "value": []},
	{"op": "replace", "path": "/nvml/processes", "value": []},
	{"op": "replace", "path": "/host/pciGpus", "value": []},
	{"op": "replace", "path": "/kubernetes/node/labels", "value": []},
	{"op": "replace", "path": "/kubernetes/node/capacity", "value": []},
	{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []},
])

test_nothing_to_expose if {
	rule.applicable == false with input as fixture.serving
	rule.applicable == false with input as bare
	not rule.applicable with input as fixture.node
	not rule.applicable with input as fixture.change(bare, [{"op": "add", "path": "/kubernetes/node/labels/-", "value": {"key": "nvidia.com/gpu.present", "value": "true"}}])
}

causes(patches) := text if {
	empty := [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []}, {"op": "replace", "path": "/kubernetes/node/capacity", "value": []}]
	f := rule.fail with input as fixture.change(fixture.node, array.concat(empty, patches))
	some only in f
	only.message == "none"
	text := only.args.causes
}

test_what_the_facts_point_to if {
	contains(causes([]), "container runtime")
	startswith(causes([{"op": "add", "path": "/kubernetes/node/capacity/-", "value": {"resource": "nvidia.com/gpu", "quantity": 2}}, {"op": "add", "path": "/kubernetes/node/allocatable/-", "value": {"resource": "nvidia.com/gpu", "quantity": 0}}]), "unhealthy devices")
	startswith(causes([{"op": "replace", "path": "/kubernetes/node/labels/1/value", "value": "disable"}]), "the label nvidia-device-enable")
	startswith(causes([{"op": "remove", "path": "/kubernetes/node/labels/2"}, {"op": "remove", "path": "/kubernetes/node/labels/0"}, {"op": "replace", "path": "/kubernetes/node/labels/0/value", "value": "off"}]), "the label nvidia-device-enable")
	startswith(causes([{"op": "remove", "path": "/kubernetes/pods/1"}]), "the device plugin: no pod")
	startswith(causes([{"op": "replace", "path": "/kubernetes/pods/1/ready", "value": false}]), "the device plugin: pod kube-system/nvidia-device-plugin-x7 is not ready")
	startswith(causes([{"op": "add", "path": "/kubernetes/pods/-", "value": object.union(fixture.plugin, {"name": "hami"})}]), "the device plugin: 2 pods")
	startswith(causes([{"op": "replace", "path": "/nvml/gpus", "value": []}]), "the driver: it lists no card")
	startswith(causes([{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}]), "the driver: GPU 1 does not answer")
	contains(causes([{"op": "replace", "path": "/kubernetes/kubelet/registered/0/ids", "value": ["GPU-gone::1"]}]), "stale registrations")
	contains(causes([{"op": "add", "path": "/nvml/gpus/0/migMode", "value": "enabled"}]), "MIG mode without instances")
}

test_nothing_in_particular if {
	f := rule.fail with input as fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "False"}, {"op": "add", "path": "/kubernetes/node/conditions/0/reason", "value": "KubeletNotReady"}])
	some only in f
	startswith(only.args.causes, "nothing in particular")
	only.args.status == "Ready is False, KubeletNotReady"
}
