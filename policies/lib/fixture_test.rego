# METADATA
# title: Test documents
# description: >-
#   Complete facts documents to change in tests, and the ways to take facts
#   away. Each is a server on which every rule that applies passes.
# schemas:
#   - input: schema.facts
package gpugate.lib.fixture

gpu_a := "GPU-5e1f0a3c-1b6d-4f0e-9a57-0c2b8d7f6e01"

gpu_b := "GPU-a7c3d9e2-84f1-4b2a-b3c6-5d0e9f8a7b02"

digest := "3b8e9f64a1c27d05b6e4f8a90c13d72e5f6a7b8c9d0e1f2a3b4c5d6e7f809112"

other_digest := "c0ffee00a1c27d05b6e4f8a90c13d72e5f6a7b8c9d0e1f2a3b4c5d6e7f809112"

policy_digest := "77aa55bb11cc22dd33ee44ff5566778899aabbccddeeff001122334455667788"

# blank is a document of two idle cards and nothing else, everything looked at.
blank := {
	"schemaVersion": "gpugate.facts/v1",
	"collectedAt": "2026-11-30T12:00:00Z",
	"collector": {"name": "gpugate", "version": "test"},
	"sources": [
		{"name": "host", "status": "complete", "gaps": []},
		{"name": "nvml", "status": "complete", "gaps": []},
		{"name": "docker", "status": "complete", "gaps": []},
		{"name": "systemd", "status": "complete", "gaps": []},
		{"name": "kubernetes", "status": "absent", "gaps": []},
		{"name": "tione", "status": "skipped", "gaps": [{"path": "tione", "reason": "skipped", "detail": "no export was given"}]},
		{"name": "launch", "status": "complete", "gaps": []},
	],
	"host": {
		"name": "cvd-lima-07",
		"os": {"id": "ubuntu", "idLike": ["debian"], "versionId": "22.04", "name": "Ubuntu", "prettyName": "Ubuntu 22.04.4 LTS"},
		"kernel": {"name": "Linux", "release": "5.15.0-105-generic", "machine": "x86_64"},
		"mounts": [
			{"path": "/", "device": "/dev/vda1", "fileSystem": "ext4", "sizeBytes": 107374182400, "availableBytes": 53687091200},
			{"path": "/data", "device": "/dev/vdb", "fileSystem": "xfs", "sizeBytes": 1099511627776, "availableBytes": 549755813888},
		],
		"addresses": ["10.20.0.17"],
		"listeners": [],
		"residue": [],
		"nvidiaDevices": [],
		"pciGpus": ["0000:3b:00.0", "0000:86:00.0"],
		"processes": [],
		"deviceHolders": [],
	},
	"nvml": {"driverVersion": "550.90.07", "gpus": [gpu(gpu_a, 0), gpu(gpu_b, 1)], "processes": []},
	"docker": {"daemons": [{
		"endpoint": "unix:///run/docker.sock", "status": "complete", "engine": "docker", "id": "daemon-1",
		"rootless": false, "defaultRuntime": "runc", "runtimes": ["nvidia", "runc"], "containers": [],
	}]},
	"systemd": {"units": []},
	"kubernetes": {"access": [], "pods": [], "daemonSets": [], "kubelet": {"registered": [], "assigned": []}},
	"tione": {},
	"launch": {
		"manifest": {
			"apiVersion": "gpugate/v1", "kind": "Launch", "metadata": {"name": "lima", "host": "cvd-lima-07"},
			"scope": "inference", "owner": "docker",
			"host": {
				"os": {"id": "ubuntu", "versionId": "22.04"},
				"gpus": {"count": 2, "product": "NVIDIA L20", "memoryMiB": 46068},
				"disks": [{"path": "/data/models", "minFreeGiB": 200}],
			},
			"tke": {"registered": false},
			"tione": {"registered": false},
			"services": [],
			"attestations": [],
		},
		"evidence": [],
	},
	"origins": [],
}

gpu(uuid, index) := {
	"uuid": uuid, "index": index, "minorNumber": index, "name": "NVIDIA L20", "state": "ok",
	"memory": {"totalBytes": 48305799168, "usedBytes": 2097152, "freeBytes": 48303702016},
	"migDevices": [], "nvLinks": [], "nvLinksKnown": true,
}

# used is a change that makes one card hold memory.
used(at, mib) := [
	{"op": "replace", "path": sprintf("/nvml/gpus/%d/memory/usedBytes", [at]), "value": mib * 1048576},
	{"op": "replace", "path": sprintf("/nvml/gpus/%d/memory/freeBytes", [at]), "value": 48305799168 - (mib * 1048576)},
]

# mig is a change that cuts card 0 into two slices.
mig := [
	{"op": "add", "path": "/nvml/gpus/0/migMode", "value": "enabled"},
	{"op": "replace", "path": "/nvml/gpus/0/migDevices", "value": [
		{"uuid": "MIG-11aa22bb", "index": 0, "gpuInstanceId": 1, "computeInstanceId": 0, "profile": "3g.24gb"},
		{"uuid": "MIG-33cc44dd", "index": 1, "gpuInstanceId": 5, "computeInstanceId": 0, "profile": "3g.24gb"},
	]},
]

# on is a change that puts a process of an owner on a card.
on(uuid, pid, owner) := [
	{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": uuid, "pid": pid, "type": "compute", "name": "python3", "usedMemoryBytes": 1073741824}},
	{"op": "add", "path": "/host/processes/-", "value": process(pid, owner, ["python3", "-m", "sglang.launch_server"])},
]

process(pid, owner, args) := {
	"pid": pid, "parentPid": 1, "name": "python3", "args": args, "state": "S", "environment": [],
	"owner": object.union({"outer": []}, owner),
}

docker_owner(name) := {
	"manager": "docker", "name": name, "containerId": sprintf("id-%s", [name]), "daemon": "unix:///run/docker.sock",
}

systemd_owner(unit) := {"manager": "systemd", "name": unit, "unit": unit}

pod_owner(manager, name) := {"manager": manager, "name": sprintf("serving/%s", [name]), "podUid": sprintf("uid-%s", [name])}

# container is a running one that may use the GPUs of a selection.
container(name, gpus) := {
	"id": sprintf("id-%s", [name]), "name": name, "image": "registry.example/llm/lima:2", "imageId": "sha256:00aa",
	"repoDigests": [sprintf("registry.example/llm/lima@sha256:%s", [digest])], "imageKnown": true,
	"state": "running", "exitCode": 0, "oomKilled": false, "restartCount": 0, "restartPolicy": "no",
	"args": ["python3", "-m", "sglang.launch_server", "--model-path", "/models/lima", "--tp", "2"],
	"environment": [{"name": "PATH"}], "privileged": false,
	"deviceRequests": [], "devices": [], "deviceCgroupRules": [], "mounts": [], "ports": [], "labels": [],
	"gpus": gpus, "clusterNode": false,
}

# unit is an active model server.
unit(name, gpus) := {
	"name": name, "loadState": "loaded", "activeState": "active", "subState": "running", "unitFileState": "enabled",
	"dropInPaths": [], "execStart": [{"path": "/opt/vllm/bin/vllm", "args": ["/opt/vllm/bin/vllm", "serve", "/models/lima"]}],
	"environment": [], "environmentFiles": [], "deviceAllow": [], "restarts": 0, "role": "model", "gpus": gpus,
}

with_container(c) := [{"op": "add", "path": "/docker/daemons/0/containers/-", "value": c}]

with_unit(u) := [{"op": "add", "path": "/systemd/units/-", "value": u}]

with_pod(p) := [{"op": "add", "path": "/kubernetes/pods/-", "value": p}]

indices(values) := {"via": "deviceRequest", "all": false, "devices": [{"kind": "index", "value": v} | some v in values]}

by_count(n) := {"via": "deviceRequest", "all": false, "count": n, "devices": []}

all_by(via) := {"via": via, "all": true, "devices": []}

# serving is a server whose one container runs on both cards.
serving := change(blank, array.concat(
	array.concat(used(0, 1060), used(1, 1060)),
	array.concat(
		array.concat(on(gpu_a, 4101, docker_owner("lima")), on(gpu_b, 4102, docker_owner("lima"))),
		array.concat(with_container(container("lima", [all_by("deviceRequest")])), [
			{"op": "replace", "path": "/launch/manifest/services", "value": [service("lima")]},
			{"op": "replace", "path": "/launch/manifest/attestations", "value": [attestation(c) | some c in ["L5", "L12", "L6", "L7", "L8", "L9", "L10"]]},
			{"op": "replace", "path": "/launch/evidence", "value": found_evidence},
		]),
	),
))

# found_evidence is what the manifest's references turned out to be.
found_evidence := [found(name) |
	some name in ["docs/l12.md", "docs/l5.md", "weights.sha256", "docs/l6.md", "docs/l7.md", "docs/l8.md", "docs/l9.md", "docs/l10.md"]
]

found(name) := {"reference": name, "kind": "file", "path": name, "found": true, "actualSha256": digest}

# attested is a document with one more attestation and its evidence.
attested(doc, control) := change(doc, [
	{"op": "add", "path": "/launch/manifest/attestations", "value": array.concat(object.get(doc, ["launch", "manifest", "attestations"], []), [attestation(control)])},
	{"op": "add", "path": "/launch/evidence/-", "value": found(sprintf("docs/%s.md", [lower(control)]))},
])

# in_pod is a service that runs as a workload of the cluster.
in_pod(name, workload) := object.union(object.remove(service(name), ["runtime"]), {"runtime": {"kubernetes": {"namespace": "serving", "workload": workload}}})

service(name) := {
	"name": name, "runtime": {"docker": {"container": name}},
	"image": sprintf("registry.example/llm/lima@sha256:%s", [digest]),
	"args": ["python3", "-m", "sglang.launch_server", "--model-path", "/models/lima", "--tp", "2"],
	"weights": {"path": "/models/lima", "manifest": "weights.sha256"}, "gpus": ["0", "1"],
}

attestation(control) := {
	"control": control, "statement": sprintf("%s is in place, with NAT, storage, transfer and MPS", [control]), "by": "Kim", "on": "2026-11-20", "until": "2027-05-20",
	"evidence": [sprintf("docs/%s.md", [lower(control)])],
}

# node is a TKE node whose one pod runs on card 0.
node := change(blank, array.concat(
	array.concat(
		array.concat(used(0, 1060), on(gpu_a, 4201, pod_owner("tke", "lima-0"))),
		array.concat(with_pod(pod("tke", "lima-0")), with_pod(plugin)),
	),
	[
		{"op": "replace", "path": "/launch/manifest/owner", "value": "tke"},
		{"op": "replace", "path": "/launch/manifest/services", "value": [object.union(in_pod("lima", "lima-0"), {"args": ["vllm", "serve", "/models/lima"]})]},
		{"op": "replace", "path": "/launch/manifest/attestations", "value": [attestation(c) | some c in ["L5", "L12", "L6", "L7", "L8", "L9", "L10"]]},
		{"op": "replace", "path": "/launch/evidence", "value": found_evidence},
		{"op": "replace", "path": "/launch/manifest/tke", "value": {"cluster": "cls-7f3k2m9q", "nodePool": "np-4d8s1x6z", "os": "ubuntu22.04x86_64"}},
		{"op": "replace", "path": "/sources/4", "value": {"name": "kubernetes", "status": "complete", "gaps": []}},
		{"op": "replace", "path": "/kubernetes/access", "value": [
			{"verb": "list", "group": "apps", "resource": "daemonsets", "allowed": true},
			{"verb": "list", "resource": "nodes", "allowed": true},
			{"verb": "list", "resource": "pods", "allowed": true},
		]},
		{"op": "add", "path": "/kubernetes/node", "value": {
			"name": "node-10.20.0.17",
			"labels": [
				{"key": "node.kubernetes.io/instance-type", "value": "external"},
				{"key": "nvidia-device-enable", "value": "enable"},
				{"key": "tke.cloud.tencent.com/nodepool-id", "value": "np-4d8s1x6z"},
			],
			"taints": [], "unschedulable": false, "conditions": [{"type": "Ready", "status": "True"}],
			"info": {"osImage": "Ubuntu 22.04.1 LTS", "kernelVersion": "5.15.0-105-generic"},
			"addresses": ["10.20.0.17"],
			"capacity": [{"resource": "nvidia.com/gpu", "quantity": 2}],
			"allocatable": [{"resource": "nvidia.com/gpu", "quantity": 2}],
		}},
		{"op": "replace", "path": "/kubernetes/daemonSets", "value": [{
			"namespace": "kube-system", "name": "nvidia-device-plugin-daemonset", "role": "device-plugin",
			"nodeSelector": [{"key": "nvidia-device-enable", "value": "enable"}], "desired": 1, "ready": 1,
		}]},
		{"op": "replace", "path": "/kubernetes/kubelet", "value": {
			"registered": [{"resource": "nvidia.com/gpu", "ids": [gpu_a, gpu_b]}],
			"assigned": [{"podUid": "uid-lima-0", "container": "main", "resource": "nvidia.com/gpu", "ids": [gpu_a]}],
		}},
	],
))

pod(manager, name) := {
	"uid": sprintf("uid-%s", [name]), "namespace": "serving", "name": name, "phase": "Running", "manager": manager,
	"role": "workload", "hostNetwork": false, "hostPid": false, "ready": true, "labels": [], "annotations": [],
	"containers": [{
		"name": "main", "init": false, "image": "registry.example/llm/lima:2",
		"imageId": sprintf("registry.example/llm/lima@sha256:%s", [digest]),
		"args": ["vllm", "serve", "/models/lima"], "environment": [], "limits": [{"resource": "nvidia.com/gpu", "quantity": 1}],
		"privileged": false, "ready": true, "state": "running", "restartCount": 0,
		"gpus": [{"via": "resourceLimit", "all": false, "count": 1, "devices": []}],
	}],
}

plugin := object.union(pod("tke", "nvidia-device-plugin-x7"), {
	"namespace": "kube-system", "role": "device-plugin",
	"containers": [{
		"name": "nvidia-device-plugin-ctr", "init": false, "args": [], "environment": [], "limits": [], "privileged": false,
		"ready": true, "state": "running", "restartCount": 0, "gpus": [],
	}],
})

# measured is a document whose first service is recorded with endpoint, limits and
# what was measured at them.
measured(doc) := change(doc, [
	{"op": "add", "path": "/launch/manifest/services/0/endpoint", "value": {
		"port": 8000, "health": "/health", "public": true, "auth": "bearer", "tls": true, "allowedCidrs": ["10.0.0.0/8"],
		"maxRequestBytes": 1048576, "ratePerMinute": 120,
	}},
	{"op": "add", "path": "/launch/manifest/services/0/limits", "value": {"maxModelLen": 32768, "concurrency": 16}},
	{"op": "add", "path": "/launch/manifest/services/0/measured", "value": {
		"at": "2026-11-20", "maxModelLen": 32768, "concurrency": 16, "peakMemoryMiB": 43120, "p95LatencyMillis": 2100, "evidence": "bench/lima.json",
	}},
	{"op": "replace", "path": "/launch/manifest/services/0/args", "value": measured_args},
	{"op": "add", "path": "/launch/evidence/-", "value": found("bench/lima.json")},
])

measured_args := ["python3", "-m", "sglang.launch_server", "--model-path", "/models/lima", "--tp", "2", "--context-length", "32768", "--max-running-requests", "16"]

# with_components is a node with the pods that every node has, beside the plugin.
with_components(doc) := change(doc, [{"op": "add", "path": "/kubernetes/pods/-", "value": object.union(plugin, {"name": name, "uid": name, "role": role})} |
	some name, role in {"tke-bridge-agent-1": "cni", "kube-proxy-1": "kube-proxy", "tke-monitor-agent-1": "monitoring"}
])

# tione is a server of a TI-ONE resource group, with its policy.
tione := change(blank, [
	{"op": "replace", "path": "/launch/manifest/owner", "value": "ti-one"},
	{"op": "replace", "path": "/launch/manifest/tione", "value": {
		"resourceGroup": "rsg-8k2d7v4n", "policy": "tione/policy.json",
		"review": {"by": "Lee", "on": "2026-11-21", "sha256": policy_digest},
	}},
	{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "complete", "gaps": []}},
	{"op": "replace", "path": "/tione", "value": {
		"policy": {
			"file": "tione/policy.json", "sha256": policy_digest, "problems": [], "version": "1.0",
			"defaultPriority": 5, "defaultQueue": 0, "preempted": 0, "taskRules": [{"priority": 1, "members": ["Priority", "Tag"]}],
			"unknownFields": [],
		},
		"resourceGroup": {
			"id": "rsg-8k2d7v4n", "name": "lima", "softwareType": "SW", "totalCount": 1, "borrowedGroups": [],
			"instances": [{
				"id": "sm-4c7x9b2w", "status": "RUNNING", "ip": "10.20.0.17", "thisHost": true, "gpuType": "L20",
				"totalGpuHundredths": 200, "realGpuHundredths": 0,
			}],
		},
	}},
])

# change applies JSON patches to a document.
change(doc, patches) := json.patch(doc, patches)

# gap records that a part is missing, without taking it away.
gap(doc, source, path, reason) := lacking(doc, source, {"path": path, "reason": reason, "detail": sprintf("%s: %s", [path, reason])})

# lacking records any gap.
lacking(doc, source, g) := object.union(doc, {"sources": [lowered(s, source, g) | some s in doc.sources]})

lowered(s, source, _) := s if s.name != source

lowered(s, source, g) := object.union(s, {"status": "partial", "gaps": array.concat(s.gaps, [g])}) if s.name == source

# said are the message keys of a set of statements.
said(statements) := {s.message | some s in statements}

# about are the names of the subjects of a set of statements.
about(statements) := {s.subject.name | some s in statements}

# names are the names of some subjects.
names(subjects) := {s.name | some s in subjects}
