# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.diagnosis_test

import data.gpugate.lib.diagnosis
import data.gpugate.lib.fixture

# silent is a Ready node that exposes no GPU, and of whose plugin nobody knows
# whether it is there.
silent := fixture.gap(
	fixture.change(fixture.node, array.concat(
		[
			{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []},
			{"op": "replace", "path": "/kubernetes/node/capacity", "value": []},
			{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []},
		],
		[{"op": "remove", "path": "/kubernetes/pods/1"}],
	)),
	"kubernetes", "kubernetes.pods", "denied",
)

with_plugin(change) := fixture.change(silent, [{"op": "add", "path": "/kubernetes/pods/-", "value": object.union(fixture.plugin, change)}])

labels(values) := {"op": "replace", "path": "/kubernetes/node/labels", "value": [{"key": k, "value": v} | some k, v in values]}

selects(key) := {"op": "replace", "path": "/kubernetes/daemonSets", "value": [{
	"namespace": "kube-system", "name": "plugin", "role": "device-plugin", "nodeSelector": [{"key": key, "value": "enable"}], "desired": 1, "ready": 1,
}]}

offers(capacity, allocatable) := fixture.change(silent, [
	{"op": "replace", "path": "/kubernetes/node/capacity", "value": capacity},
	{"op": "replace", "path": "/kubernetes/node/allocatable", "value": allocatable},
])

gpus(n) := [{"resource": "nvidia.com/gpu", "quantity": n}]

cardless(doc) := fixture.change(doc, [{"op": "replace", "path": "/nvml/gpus", "value": []}, {"op": "replace", "path": "/nvml/processes", "value": []}])

# one is a server with a single card.
one(doc) := fixture.change(doc, [{"op": "remove", "path": "/nvml/gpus/1"}])

registers(doc, ids) := fixture.change(doc, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": [{"resource": "nvidia.com/gpu", "ids": ids}]}])

mig_mode(doc) := fixture.change(doc, [{"op": "add", "path": "/nvml/gpus/0/migMode", "value": "enabled"}])

cases := [
	["nothing in particular", silent, set()],
	["no plugin, and all pods seen", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []}, {"op": "replace", "path": "/kubernetes/node/capacity", "value": []}, {"op": "remove", "path": "/kubernetes/pods/1"}]), {30}],
	["a plugin that is not ready", with_plugin({"ready": false}), {31}],
	["a plugin of which it is not told", fixture.change(with_plugin({}), [{"op": "remove", "path": "/kubernetes/pods/1/ready"}]), set()],
	["a plugin that is ready", with_plugin({}), {50}],
	["a plugin that is ready, on one card", one(with_plugin({})), {50}],
	["two plugins", fixture.change(with_plugin({}), [{"op": "add", "path": "/kubernetes/pods/-", "value": object.union(fixture.plugin, {"uid": "2"})}]), {32, 50}],
	["a plugin that is ready, GPUs offered", fixture.change(with_plugin({}), [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": gpus(2)}]), set()],
	["a plugin that is ready, no card", fixture.gap(cardless(with_plugin({})), "nvml", "nvml", "denied"), set()],
	["unhealthy devices", offers(gpus(2), gpus(1)), {10}],
	["fewer of another resource", offers(gpus(8), [{"resource": "nvidia.com/mig-1g.6gb", "quantity": 1}]), {61}],
	["as many as there are", offers(gpus(2), gpus(2)), set()],
	["disabled by its label", fixture.change(silent, [labels({"nvidia-device-enable": "disable", "node.kubernetes.io/instance-type": "external"})]), {20}],
	["enabled by its label", fixture.change(silent, [labels({"nvidia-device-enable": "enable", "node.kubernetes.io/instance-type": "external"})]), set()],
	["no registered node, and nobody selects by the label", fixture.change(silent, [labels({"nvidia-device-enable": "disable"}), selects("gpu")]), set()],
	["no registered node, but the plugin selects by the label", fixture.change(silent, [labels({"nvidia-device-enable": "disable"}), selects("nvidia-device-enable")]), {20}],
	["another one selects by the label", fixture.change(fixture.change(silent, [labels({"nvidia-device-enable": "disable"}), selects("nvidia-device-enable")]), [{"op": "replace", "path": "/kubernetes/daemonSets/0/role", "value": "monitoring"}]), set()],
	["a registered node without daemon sets", fixture.change(silent, [labels({"nvidia-device-enable": "disable", "tke.cloud.tencent.com/nodepool-id": "np-1"}), {"op": "replace", "path": "/kubernetes/daemonSets", "value": []}]), {20}],
	["no card, but the bus has them", cardless(silent), {40}],
	["no card, and the bus has one", fixture.change(cardless(silent), [{"op": "replace", "path": "/host/pciGpus", "value": ["0000:3b:00.0"]}]), {40}],
	["no card, and none on the bus", fixture.change(cardless(silent), [{"op": "replace", "path": "/host/pciGpus", "value": []}]), set()],
	["the driver could not be asked", fixture.gap(cardless(silent), "nvml", "nvml", "denied"), set()],
	["a lost card", fixture.change(silent, [{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}]), {41}],
	["stale registrations", registers(silent, ["GPU-gone"]), {60}],
	["stale registrations, one card", one(registers(silent, ["GPU-gone"])), {60}],
	["stale registrations, no card known", fixture.gap(cardless(registers(silent, ["GPU-gone"])), "nvml", "nvml", "denied"), set()],
	["registrations of these cards", registers(silent, [fixture.gpu_a, sprintf("%s::1", [fixture.gpu_b])]), set()],
	["registrations of instances", registers(silent, ["MIG-gone"]), set()],
	["MIG resources", offers([], [{"resource": "nvidia.com/mig-1g.6gb", "quantity": 1}]), {61}],
	["other resources", offers([], [{"resource": "example.com/nvidia.com/mig-", "quantity": 1}]), set()],
	["MIG mode without instances", mig_mode(silent), {70}],
	["MIG mode with instances", fixture.change(silent, fixture.mig), set()],
]

wrong contains {"case": name, "ranks": ranks} if {
	some [name, doc, want] in cases
	ranks := {rank | some [rank, _] in diagnosis.causes} with input as doc
	ranks != want
}

test_causes if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

# The likeliest comes first.
test_ranked if {
	found := diagnosis.ranked with input as fixture.change(with_plugin({"ready": false}), [
		labels({"nvidia-device-enable": "disable", "node.kubernetes.io/instance-type": "external"}),
		{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"},
	])
	[startswith(found[0], "the label"), startswith(found[1], "the device plugin"), startswith(found[2], "the driver"), count(found)] == [true, true, true, 3]
}

test_text if {
	startswith(diagnosis.text, "nothing in particular") with input as silent
	contains(diagnosis.text, "; the driver") with input as fixture.change(with_plugin({"ready": false}), [{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}])
}

test_a_lost_card_is_named if {
	contains(diagnosis.text, "GPU 1 does not answer (no words)") with input as fixture.change(silent, [{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}])
}
