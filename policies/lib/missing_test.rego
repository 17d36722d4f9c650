# METADATA
# description: >-
#   What is not known must neither make a finding nor make one vanish: one test for
#   each way in which it once did.
# schemas:
#   - input: schema.facts
package gpugate.lib.missing_test

import data.gpugate.lib.claims
import data.gpugate.lib.cluster
import data.gpugate.lib.fixture
import data.gpugate.lib.index
import data.gpugate.lib.ownership
import data.gpugate.lib.subject
import data.gpugate.rules.owner.cluster_may_allocate
import data.gpugate.rules.owner.every_daemon_looked_at
import data.gpugate.rules.owner.implicit_access
import data.gpugate.rules.owner.pods_share_or_reach
import data.gpugate.rules.owner.shared_by_services
import data.gpugate.rules.owner.tke_and_tione
import data.gpugate.rules.owner.two_parties_given
import data.gpugate.rules.owner.unmanaged_processes
import data.gpugate.rules.owner.unseen_memory
import data.gpugate.rules.prelaunch.container_matches_record
import data.gpugate.rules.prelaunch.pod_matches_record
import data.gpugate.rules.prelaunch.services_recorded
import data.gpugate.rules.prelaunch.workload_recorded
import data.gpugate.rules.scope.units
import data.gpugate.rules.tione.registered_node

remove(path) := {"op": "remove", "path": path}

replace(path, value) := {"op": "replace", "path": path, "value": value}

# about is a gap about one item of a list.
about(doc, source, path, item) := fixture.lacking(doc, source, {"path": path, "item": item, "reason": "failed", "detail": "lost"})

# A card without an index keeps its name, its findings and its owners.
test_a_card_without_an_index if {
	lost := [remove("/nvml/gpus/0/index"), {"op": "add", "path": "/nvml/gpus/0/pciBusId", "value": "00000000:3b:00.0"}]
	orphan := fixture.change(fixture.serving, array.concat(lost, fixture.on(fixture.gpu_a, 5002, {"manager": "orphan", "reason": "no daemon knows it"})))
	fixture.about(unmanaged_processes.fail) == {"GPU at 00000000:3b:00.0"} with input as orphan
	{[g.index, count(g.claims)] | some g in ownership.gpus} == {[null, 3], [1, 2]} with input as orphan
	subject.gpu_name({"uuid": "PCI-00000000:3b:00.0"}) == "GPU PCI-00000000:3b:00.0"
}

asks(n) := fixture.change(fixture.blank, array.concat([remove("/nvml/gpus/0/index")], array.concat(
	fixture.with_container(fixture.container("a", [fixture.by_count(n)])),
	fixture.with_unit(fixture.unit("flash.service", [{"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "uuid", "value": fixture.gpu_a}]}])),
)))

# The first N GPUs are not known where the index of a card is not, unless they are
# all there are.
test_a_count_among_cards_without_index if {
	count(two_parties_given.fail) == 0 with input as asks(1)
	fixture.said(two_parties_given.unknown) == {"undecided"} with input as asks(1)
	fixture.said(two_parties_given.fail) == {"conflict"} with input as asks(2)
	count(two_parties_given.unknown) == 0 with input as asks(2)
	count(two_parties_given.fail) == 0 with input as fixture.gap(asks(2), "nvml", "nvml.gpus", "failed")
}

# A gap about the list does not make those listed doubtful; one about the card does.
test_a_card_that_may_be_cut if {
	both := fixture.change(fixture.blank, array.concat(
		fixture.with_container(fixture.container("a", [fixture.indices(["0"])])),
		fixture.with_unit(fixture.unit("flash.service", [{"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "0"}]}])),
	))
	fixture.said(two_parties_given.fail) == {"conflict"} with input as fixture.gap(both, "nvml", "nvml.gpus", "failed")
	fixture.said(two_parties_given.unknown) == {"instance"} with input as about(both, "nvml", "nvml.gpus", fixture.gpu_a)
	fixture.said(two_parties_given.unknown) == {"instance"} with input as fixture.gap(both, "nvml", "nvml.gpus.migMode", "failed")
	fixture.said(two_parties_given.fail) == {"conflict"} with input as about(both, "nvml", "nvml.gpus", fixture.gpu_b)
}

test_memory_that_is_not_told if {
	fixture.said(unseen_memory.unknown) == {"unreadable"} with input as fixture.change(fixture.serving, array.concat(fixture.used(0, 9000), [remove("/nvml/gpus/0/memory/usedBytes")]))
	fixture.said(unseen_memory.fail) == {"unseen"} with input as fixture.change(fixture.serving, array.concat(fixture.used(0, 9000), [remove("/nvml/gpus/0/memory/freeBytes")]))
}

test_a_process_without_a_state if {
	fixture.said(unmanaged_processes.unknown) == {"stateless"} with input as fixture.change(fixture.serving, [remove("/host/processes/0/state")])
}

# A container that reaches all cards and uses one is not seen to use it when the
# owner of the process is not known, or the processes are not.
reaching := fixture.change(fixture.serving, [replace("/docker/daemons/0/containers/0/gpus", [fixture.all_by("visibleDevices")])])

test_whether_a_card_is_used if {
	count(implicit_access.fail | implicit_access.unknown) == 0 with input as reaching
	unowned := fixture.change(reaching, [remove("/host/processes/0/owner/containerId")])
	count(implicit_access.fail) == 0 with input as unowned
	"undetermined" in fixture.said(implicit_access.unknown) with input as unowned
	unlisted := fixture.change(reaching, [replace("/nvml/processes", [])])
	fixture.said(implicit_access.fail) == {"unused"} with input as unlisted
	count(implicit_access.fail) == 0 with input as about(about(unlisted, "nvml", "nvml.processes", fixture.gpu_a), "nvml", "nvml.processes", fixture.gpu_b)
}

test_what_a_container_was_given if {
	# It may have been given the cards, were all known of it.
	unlisted := fixture.change(reaching, [replace("/nvml/processes", [])])
	count(implicit_access.fail) == 0 with input as about(unlisted, "docker", "docker.daemons", "id-lima")
	fixture.said(implicit_access.fail) == {"unused"} with input as about(unlisted, "docker", "docker.daemons", "id-other")

	# Another daemon that could not be read says nothing of this one's container.
	fixture.said(implicit_access.fail) == {"unused"} with input as fixture.gap(unlisted, "docker", "docker.daemons", "denied")

	# A request that cannot be resolved may be for this card.
	odd := fixture.change(unlisted, [replace("/docker/daemons/0/containers/0/gpus", [fixture.indices(["7"]), fixture.all_by("privileged"), fixture.all_by("visibleDevices")])])
	count(implicit_access.fail) == 0 with input as odd
	fixture.said(implicit_access.unknown) == {"undecided"} with input as odd
}

# The scope that Docker runs a container in is another name for the container.
test_a_scope_is_no_unit if {
	doc := fixture.change(fixture.serving, [
		remove("/host/processes/0/owner/containerId"),
		{"op": "add", "path": "/host/processes/0/owner/unit", "value": "docker-4b1d.scope"},
	])
	count(shared_by_services.fail) == 0 with input as doc
	fixture.said(shared_by_services.unknown) == {"nameless"} with input as doc
}

# A container that no daemon knows has only an id, which no record names.
test_a_container_without_a_name if {
	doc := fixture.change(fixture.serving, [replace("/host/processes/0/owner/name", "4b1d7c2e9f03"), remove("/host/processes/0/owner/daemon")])
	count(workload_recorded.fail) == 0 with input as doc
	fixture.said(workload_recorded.unknown) == {"nameless"} with input as doc
}

pods := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 7001, fixture.pod_owner("tke", "other")))

test_pods_that_may_be_one if {
	fixture.said(pods_share_or_reach.fail) == {"shared"} with input as pods
	doc := fixture.change(pods, [remove("/host/processes/1/owner/podUid"), {"op": "add", "path": "/host/processes/1/owner/containerId", "value": "4b1d7c2e9f03"}])
	count(pods_share_or_reach.fail) == 0 with input as doc
	fixture.said(pods_share_or_reach.unknown) == {"beside"} with input as doc
	cut := fixture.change(pods, fixture.mig)
	fixture.said(pods_share_or_reach.unknown) == {"beside"} with input as cut
}

test_a_pod_that_may_have_ended if {
	free := fixture.change(fixture.node, [
		replace("/kubernetes/pods/0/containers/0/limits", []),
		replace("/kubernetes/pods/0/containers/0/gpus", [fixture.all_by("visibleDevices")]),
	])
	fixture.said(pods_share_or_reach.fail) == {"reach"} with input as free
	fixture.said(pods_share_or_reach.unknown) == {"phaseless"} with input as fixture.change(free, [remove("/kubernetes/pods/0/phase")])
	count(pods_share_or_reach.fail) == 0 with input as about(free, "kubernetes", "kubernetes.pods", "uid-lima-0")
}

stray := fixture.change(fixture.node, array.concat(
	fixture.on(fixture.gpu_b, 7001, fixture.docker_owner("stray")),
	fixture.with_container(fixture.container("stray", [fixture.indices(["1"])])),
))

# What a node offers is on all cards only where all cards are known, and so is how
# often each is counted.
test_which_cards_a_node_offers if {
	doc := fixture.change(stray, [replace("/kubernetes/kubelet/registered", [])])
	fixture.said(cluster_may_allocate.fail) == {"conflict"} with input as doc
	one := fixture.change(doc, [remove("/nvml/gpus/0"), replace("/kubernetes/node/allocatable/0/quantity", 1)])
	fixture.said(cluster_may_allocate.fail) == {"conflict"} with input as one
	count(cluster_may_allocate.fail) == 0 with input as fixture.gap(one, "nvml", "nvml.gpus", "failed")
	count(cluster_may_allocate.fail) == 0 with input as about(one, "nvml", "nvml.gpus", fixture.gpu_a)
	count(cluster_may_allocate.fail) == 0 with input as fixture.gap(doc, "kubernetes", "kubernetes.node.labels", "failed")

	# A card that is listed, though it answers nothing, is counted.
	fixture.said(cluster_may_allocate.fail) == {"conflict"} with input as about(doc, "nvml", "nvml.gpus", fixture.gpu_a)
	index.every_card_listed with input as about(doc, "nvml", "nvml.gpus", fixture.gpu_a)
}

test_a_registered_device_that_is_no_card if {
	doc := fixture.change(stray, [replace("/kubernetes/kubelet/registered/0/ids", [fixture.gpu_a, "MIG-untold"])])
	count(cluster_may_allocate.fail) == 0 with input as doc
	fixture.said(cluster_may_allocate.unknown) == {"unplaced"} with input as doc
}

test_whose_node_it_is if {
	doc := fixture.change(fixture.node, array.concat([replace("/kubernetes/node/labels", [])], fixture.with_pod(fixture.pod("ti-one", "job"))))
	cluster.manager == "ti-one" with input as doc
	cluster.manager == "kubernetes" with input as fixture.gap(doc, "kubernetes", "kubernetes.node.labels", "failed")
}

both := object.union(
	fixture.change(fixture.node, [
		replace("/sources/5", {"name": "tione", "status": "complete", "gaps": []}),
		replace("/launch/manifest/tione", {"resourceGroup": "rsg-8k2d7v4n"}),
		replace("/kubernetes/node/allocatable/0/quantity", 1),
	]),
	{"tione": fixture.tione.tione},
)

test_which_cards_are_given_twice if {
	one := fixture.change(both, [replace("/kubernetes/kubelet/registered/0/ids", [fixture.gpu_a])])
	fixture.about(tke_and_tione.fail) == {"GPU 0"} with input as one
	unread := fixture.gap(fixture.change(both, [replace("/kubernetes/kubelet/registered", [])]), "kubernetes", "kubernetes.kubelet.registered", "denied")
	count(tke_and_tione.fail) == 0 with input as unread
	fixture.said(tke_and_tione.unknown) == {"unplaced"} with input as unread
}

test_a_node_whose_status_got_lost if {
	count(claims.registered) == 2 with input as fixture.tione
	untold := fixture.change(fixture.tione, [remove("/tione/resourceGroup/instances/0/status")])
	count(claims.registered) == 2 with input as untold
	count(claims.registered) == 0 with input as fixture.gap(untold, "tione", "tione.resourceGroup", "failed")
}

test_an_amount_that_got_lost if {
	doc := fixture.change(fixture.tione, [replace("/tione/resourceGroup/instances/0/totalGpuHundredths", 400)])
	fixture.said(registered_node.fail) == {"count"} with input as doc
	count(registered_node.fail) == 0 with input as fixture.gap(fixture.change(doc, [remove("/tione/resourceGroup/instances/0/realGpuHundredths")]), "tione", "tione.resourceGroup", "failed")
}

training(change) := fixture.change(fixture.blank, fixture.with_unit(object.union(
	object.union(fixture.unit("night.service", []), {"execStart": [{"path": "/usr/bin/torchrun", "args": ["torchrun", "finetune_lora.py"]}]}),
	change,
)))

test_a_unit_that_may_start_at_boot if {
	fixture.said(units.fail) == {"training"} with input as training({"activeState": "inactive"})
	count(units.fail) == 0 with input as training({"activeState": "inactive", "unitFileState": "disabled"})
	unfiled := fixture.change(training({"activeState": "inactive"}), [remove("/systemd/units/0/unitFileState")])
	count(units.fail) == 0 with input as unfiled
	fixture.said(units.unknown) == {"unrecognised"} with input as unfiled
	stateless := fixture.change(training({}), [remove("/systemd/units/0/activeState")])
	fixture.said(units.unknown) == {"unrecognised"} with input as stateless
	gone := fixture.change(training({"activeState": "inactive", "loadState": "not-found"}), [remove("/systemd/units/0/unitFileState")])
	count(units.fail | units.unknown) == 0 with input as gone
}

# Another container of the name may be the one that is meant.
test_a_container_that_may_be_another if {
	stopped := fixture.change(fixture.serving, [replace("/docker/daemons/0/containers/0/state", "exited")])
	"stopped" in fixture.said(container_matches_record.fail) with input as stopped
	not "stopped" in fixture.said(container_matches_record.fail) with input as fixture.gap(fixture.change(stopped, unhosted), "docker", "docker.daemons", "denied")
}

unhosted := [remove(sprintf("/launch/manifest/services/%d/runtime/docker/host", [i])) |
	some i, s in fixture.serving.launch.manifest.services
	s.runtime.docker.host
]

test_images_of_what_may_be_another if {
	pod := fixture.change(fixture.node, [replace("/kubernetes/pods/0/containers/0/imageId", sprintf("registry.example/llm/lima@sha256:%s", [fixture.other_digest]))])
	"image" in fixture.said(pod_matches_record.fail) with input as pod
	not "image" in fixture.said(pod_matches_record.fail) with input as fixture.gap(pod, "kubernetes", "kubernetes.pods", "failed")
	bare := fixture.change(fixture.serving, [replace("/launch/manifest/services/0/image", "registry.example/llm/lima:2")])
	"image" in fixture.said(services_recorded.fail) with input as bare
	not "image" in fixture.said(services_recorded.fail) with input as fixture.gap(bare, "launch", "launch.manifest", "failed")
}

# A process of which it is not known whose it is may be of any party.
nobody := {"manager": "unknown", "reason": "its control group could not be read"}

test_a_process_of_nobody_known if {
	doc := fixture.change(fixture.serving, [replace("/host/processes/0/owner", object.union(nobody, {"outer": []}))])
	fixture.said(workload_recorded.unknown) == {"nameless"} with input as doc
	fixture.said(every_daemon_looked_at.unknown) == {"unowned"} with input as doc
	fixture.said(two_parties_given.unknown) == {"undetermined"} with input as doc
	fixture.said(shared_by_services.unknown) == {"nameless"} with input as doc
	every failed in [workload_recorded.fail, every_daemon_looked_at.fail, two_parties_given.fail, shared_by_services.fail] {
		count(failed) == 0 with input as doc
	}
}

test_a_process_alone_shares_with_nobody if {
	doc := fixture.change(fixture.blank, fixture.on(fixture.gpu_a, 5003, nobody))
	count(shared_by_services.unknown) == 0 with input as doc
}

test_a_process_beside_a_pod if {
	doc := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 5003, nobody))
	fixture.said(pods_share_or_reach.unknown) == {"beside"} with input as doc
}

test_no_daemon_but_a_process_of_nobody_known if {
	doc := fixture.change(fixture.blank, array.concat([replace("/docker/daemons", [])], fixture.on(fixture.gpu_a, 5003, nobody)))
	not every_daemon_looked_at.applicable with input as doc
	fixture.said(every_daemon_looked_at.unknown) == {"unowned"} with input as doc
}

# Without the daemon's address it is not known which of two containers of a name
# the manifest lets share the card.
test_a_container_of_a_daemon_without_address if {
	doc := fixture.change(fixture.serving, [replace("/docker/daemons/0/endpoint", "capture:main"), replace("/host/processes/0/owner/daemon", "capture:main")])
	count(shared_by_services.fail | shared_by_services.unknown) == 0 with input as fixture.change(doc, [remove("/nvml/processes/1")])
	two := fixture.change(doc, fixture.with_container(fixture.container("other", [fixture.indices(["0"])])))
	count(shared_by_services.fail) == 0 with input as two
	fixture.said(shared_by_services.unknown) == {"nameless"} with input as two
}
