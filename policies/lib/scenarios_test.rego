# METADATA
# title: Scenarios
# description: >-
#   Documents of all kinds, good and bad, by name. Besides the rules' own tests they
#   feed the tests that take facts away one by one.
# schemas:
#   - input: schema.facts
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

good["serving"] := fixture.change(fixture.measured(fixture.serving), [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": fixture.measured_args}])

good["node"] := fixture.attested(
	fixture.attested(
		fixture.change(fixture.with_components(fixture.measured(fixture.node)), [
			{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args", "value": fixture.measured_args},
			{"op": "add", "path": "/launch/manifest/tke/script", "value": {"file": "add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", "sha256": fixture.digest}},
			{"op": "add", "path": "/launch/evidence/-", "value": fixture.found("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z")},
		]),
		"S3",
	),
	"S9",
)

good["tione"] := fixture.attested(
	fixture.attested(
		fixture.attested(
			fixture.change(fixture.tione, [
				{"op": "add", "path": "/launch/manifest/tione/server", "value": {"ip": "10.20.0.17", "sshPort": 36000, "user": "tione-mgmt"}},
				{"op": "replace", "path": "/host/listeners", "value": [{"address": "0.0.0.0", "port": 36000, "processes": [{"pid": 900, "name": "sshd"}]}]},
			]),
			"T1",
		),
		"T2",
	),
	"T7",
)

# Topics with many scenarios keep them in a file of their own beside this one, in
# this package: `bad[name] := doc if some name, doc in {…}`.
bad[name] := doc if some name, doc in owners_and_records

owners_and_records := {
	"two parties": fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, fixture.systemd_owner("flash.service"))),
	"orphan": fixture.change(fixture.serving, fixture.on(fixture.gpu_b, 5002, {"manager": "orphan", "containerId": "beef0042beef", "reason": "no daemon knows it"})),
	"session trains": fixture.change(fixture.serving, [
		{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute", "usedMemoryBytes": 1048576}},
		{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, {"manager": "session", "name": "session-9.scope"}, ["python", "train_lora.py"])},
	]),
	"unseen memory": fixture.change(fixture.serving, fixture.used(0, 9000)),
	"docker on a node": fixture.change(fixture.node, array.concat(
		fixture.on(fixture.gpu_b, 7001, fixture.docker_owner("stray")),
		fixture.with_container(fixture.container("stray", [fixture.indices(["1"])])),
	)),
	"two counts of one": fixture.change(fixture.blank, array.concat(
		fixture.with_container(fixture.container("a", [fixture.by_count(1)])),
		fixture.with_container(fixture.container("b", [fixture.by_count(1)])),
	)),
	"unit and container": fixture.change(fixture.blank, array.concat(
		fixture.with_container(fixture.container("a", [fixture.indices(["0"])])),
		fixture.with_unit(fixture.unit("flash.service", [{"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "0"}]}])),
	)),
	"privileged": fixture.change(fixture.serving, fixture.with_container(fixture.container("tool", [fixture.indices(["0"]), fixture.all_by("privileged")]))),
	"node not ready": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "False"}]),
	"node without gpu": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/allocatable/0/quantity", "value": 0}]),
	"pods forbidden": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/access/2/allowed", "value": false}]),
	"wrong system": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "TencentOS Server 3.1 (Final)"}]),
	"both schedulers": object.union(
		fixture.change(fixture.node, [
			{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "complete", "gaps": []}},
			{"op": "replace", "path": "/launch/manifest/tione", "value": {"resourceGroup": "rsg-8k2d7v4n"}},
		]),
		{"tione": fixture.tione.tione},
	),
	"contradicted word": object.union(
		fixture.change(fixture.serving, [{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "complete", "gaps": []}}]),
		{"tione": fixture.tione.tione},
	),
	"policy of the guide": fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/policy", "value": {
		"file": "tione/policy.json", "sha256": fixture.other_digest, "unknownFields": [], "version": "1.0",
		"defaultPriority": 0, "defaultQueue": 0, "preempted": 1,
		"problems": [{"kind": "syntax", "message": "\"TaskRules\" has no value", "line": 8, "column": 1}],
	}}]),
	"preempted": fixture.change(fixture.tione, array.concat(
		[
			{"op": "replace", "path": "/tione/policy/preempted", "value": 1},
			{"op": "replace", "path": "/launch/manifest/services", "value": [object.union(fixture.service("movie"), {"longRunning": true})]},
		],
		fixture.on(fixture.gpu_a, 8001, fixture.pod_owner("ti-one", "job")),
	)),
	"fewer in tione": fixture.change(fixture.tione, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/totalGpuHundredths", "value": 100}]),
	"other image": fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": ["registry.example/llm/lima@sha256:1234"]}]),
	"other arguments": fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args/6", "value": "1"}]),
	"missing container": fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}]),
	"missing unit": fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"systemd": {"unit": "flash"}}}]),
	"missing workload": fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/services", "value": [fixture.in_pod("lima", "gone")]}]),
	"other image in a pod": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/imageId", "value": "registry.example/llm/lima@sha256:1234"}]),
	"old system": fixture.change(fixture.serving, [{"op": "replace", "path": "/host/os/versionId", "value": "20.04"}]),
	"training in a container": fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": ["torchrun", "--nproc_per_node", "2", "finetune.py"]}]),
	"training in a unit": fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("tune.service", []), {"execStart": [{"path": "/usr/bin/env", "args": ["env", "llamafactory-cli", "train", "a.yaml"]}]}))),
	"training in a pod": fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/labels", "value": [{"key": "training.kubeflow.org/job-name", "value": "lima"}]}]),
	"training preempted": fixture.change(fixture.tione, array.concat(
		[
			{"op": "replace", "path": "/tione/policy/preempted", "value": 1},
			{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 6001, "type": "compute", "usedMemoryBytes": 1048576}},
			{"op": "add", "path": "/host/processes/-", "value": fixture.process(6001, fixture.pod_owner("ti-one", "job"), ["torchrun", "train.py"])},
		],
		fixture.used(0, 100),
	)),
	"expired": fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/0/until", "value": "2026-11-29"}]),
	"image without digest": fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services/0/image", "value": "registry.example/llm/lima:2"}]),
	"another server's manifest": fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/metadata/host", "value": "cvd-lima-08"}]),
	"small disk": fixture.change(fixture.serving, [{"op": "replace", "path": "/host/mounts/1/availableBytes", "value": 1073741824}]),
	"lost card": fixture.change(fixture.serving, [{"op": "replace", "path": "/nvml/gpus/1/state", "value": "unreadable"}]),
	"pod without limit": fixture.change(fixture.node, fixture.with_pod(object.union(fixture.pod("tke", "peek"), {"containers": [{
		"name": "main", "init": false, "args": ["sleep", "infinity"], "environment": [], "limits": [], "privileged": false,
		"ready": true, "state": "running", "restartCount": 0, "gpus": [fixture.all_by("visibleDevices")],
	}]}))),
	"instances": fixture.change(fixture.serving, array.concat(fixture.mig, fixture.on(fixture.gpu_a, 5001, fixture.systemd_owner("flash.service")))),
}

all := object.union(object.union(good, {"blank": fixture.blank}), bad)
