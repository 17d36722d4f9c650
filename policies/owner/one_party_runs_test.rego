# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.one_party_runs_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.one_party_runs as rule

second(owner) := fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 5001, owner))

test_one_party_is_right if {
	count(rule.fail) == 0 with input as fixture.serving
	count(rule.unknown) == 0 with input as fixture.serving
	{"GPU 0", "GPU 1"} == fixture.about({{"subject": s} | some s in rule.subjects}) with input as fixture.serving
}

test_no_card_is_nothing_to_own if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}

test_two_parties_on_one_card if {
	f := rule.fail with input as second(fixture.systemd_owner("deepseek-v4-flash.service"))
	fixture.about(f) == {"GPU 0"}
	some only in f
	only.args.count == 2
	only.args.holders == "Docker container lima, systemd unit deepseek-v4-flash.service"
	only.args.stop == "docker --host unix:///run/docker.sock stop lima; systemctl stop deepseek-v4-flash.service"
	"/nvml/processes/2" in only.evidence
}

test_a_login_session_is_a_party_too if {
	f := rule.fail with input as second({"manager": "session", "name": "session-4.scope"})
	fixture.about(f) == {"GPU 0"}
}

test_an_orphan_tells_no_party if {
	doc := second({"manager": "orphan", "containerId": "beef0042beef", "reason": "no daemon knows it"})
	count(rule.fail) == 0 with input as doc
	u := rule.unknown with input as doc
	fixture.said(u) == {"undetermined"}
	fixture.about(u) == {"GPU 0"}
}

test_a_process_the_host_does_not_know if {
	doc := fixture.change(fixture.serving, [{"op": "remove", "path": "/host/processes/0"}])
	count(rule.fail) == 0 with input as doc
	u := rule.unknown with input as doc
	fixture.said(u) == {"undetermined"}
}

test_pods_of_one_cluster if {
	doc := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 5001, fixture.pod_owner("kubernetes", "other")))
	count(rule.fail) == 0 with input as doc
	u := rule.unknown with input as doc
	fixture.said(u) == {"mixed", "unsettled"}
	two := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 5001, fixture.pod_owner("tke", "other")))
	count(rule.unknown) == 0 with input as two
	clash := fixture.change(fixture.node, fixture.on(fixture.gpu_a, 5001, fixture.pod_owner("ti-one", "other")))
	count(rule.fail) == 1 with input as clash
}

# Desktop programs, monitors and the MPS server are nobody's use of a card.
test_plumbing_is_no_party if {
	mps := [
		{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 77, "type": "mps", "name": "nvidia-cuda-mps-server", "usedMemoryBytes": 31457280}},
		{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 78, "type": "graphics", "name": "/usr/lib/xorg/Xorg", "usedMemoryBytes": 23068672}},
		{"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 79, "type": "compute", "usedMemoryBytes": 8388608}},
		{"op": "add", "path": "/host/processes/-", "value": fixture.process(79, fixture.systemd_owner("dcgm.service"), ["/usr/bin/nv-hostengine", "-n"])},
	]
	doc := fixture.change(fixture.serving, mps)
	count(rule.fail) == 0 with input as doc
	count(rule.unknown) == 0 with input as doc
}

server(bytes) := {"op": "add", "path": "/nvml/processes/-", "value": object.union({"gpu": fixture.gpu_a, "pid": 77, "type": "mps", "name": "nvidia-cuda-mps-server"}, bytes)}

test_an_mps_server_with_hidden_clients if {
	big := fixture.change(fixture.blank, [server({"usedMemoryBytes": 9663676416})])
	u := rule.unknown with input as big
	fixture.said(u) == {"hidden"}
	untold := rule.unknown with input as fixture.change(fixture.blank, [server({})])
	fixture.said(untold) == {"hidden"}
	client := {"op": "add", "path": "/nvml/processes/-", "value": {"gpu": fixture.gpu_a, "pid": 4101, "type": "mps", "usedMemoryBytes": 1073741824}}
	beside := rule.unknown with input as fixture.change(fixture.serving, [server({"usedMemoryBytes": 9663676416}), client])
	count(beside) == 0
}

sliced(at, slice) := [{"op": "add", "path": sprintf("/nvml/processes/%d/gpuInstanceId", [at]), "value": slice}]

test_users_of_different_mig_instances_do_not_meet if {
	doc := fixture.change(second(fixture.systemd_owner("flash.service")), fixture.mig)
	apart := fixture.change(doc, array.concat(sliced(0, 1), sliced(2, 5)))
	count(rule.fail) == 0 with input as apart
	count(rule.unknown) == 0 with input as apart
	same := fixture.change(doc, array.concat(sliced(0, 1), sliced(2, 1)))
	count(rule.fail) == 1 with input as same
	untold := rule.unknown with input as fixture.change(doc, sliced(0, 1))
	"instance" in fixture.said(untold)
}

# A control group names a container that is gone, too: only its daemon can tell.
test_a_container_no_daemon_could_tell_of if {
	doc := fixture.change(fixture.serving, [{"op": "remove", "path": "/host/processes/0/owner/daemon"}])
	count(rule.fail) == 0 with input as doc
	u := rule.unknown with input as doc
	fixture.said(u) == {"unsettled"}
	fixture.about(u) == {"GPU 0"}
}
