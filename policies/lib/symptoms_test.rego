# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.symptoms_test

import data.gpugate.lib.fixture
import data.gpugate.lib.record
import data.gpugate.lib.symptoms

stream(members) := fixture.saying(object.union(fixture.log([fixture.signal("serverReady", 5)]), members))

# heard holds if the first service's log is found.
heard if symptoms.told(record.services[0], "serverReady")

test_logs_of_a_container if {
	heard with input as stream({})
	not heard with input as stream({"name": "other"})
	not heard with input as fixture.change(stream({"endpoint": "unix:///run/docker-sglang.sock"}), [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker.sock"}])
	heard with input as fixture.change(stream({"endpoint": "unix:///var/run/docker.sock"}), [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker.sock"}])
}

test_logs_of_a_unit if {
	heard with input as fixture.in_unit(stream({"kind": "unit", "name": "flash.service"}), "flash")
	not heard with input as fixture.in_unit(stream({"kind": "unit", "name": "flash-2.service"}), "flash")
	not heard with input as stream({"kind": "unit"})
}

test_logs_of_a_workload if {
	heard with input as fixture.in_workload(stream({"kind": "pod", "name": "serving/lima-5d9b8f7c6-m2q7z/main"}), "lima")
	not heard with input as fixture.in_workload(stream({"kind": "pod", "name": "test/lima-5d9b8f7c6-m2q7z/main"}), "lima")
	not heard with input as fixture.in_workload(stream({"kind": "pod", "name": "serving/other/main"}), "lima")
	not heard with input as stream({"kind": "pod", "name": "serving/lima/main"})
}

test_logs_in_a_file if {
	heard with input as stream({"kind": "file"})
	heard with input as fixture.change(stream({"kind": "file", "name": "box"}), [{"op": "replace", "path": "/launch/manifest/services/0/runtime/docker/container", "value": "box"}])
	heard with input as fixture.in_unit(stream({"kind": "file", "name": "flash"}), "flash.service")
	heard with input as fixture.in_workload(stream({"kind": "file", "name": "load"}), "load")
	not heard with input as stream({"kind": "file", "name": "box"})
	not heard with input as stream({"kind": "kernel"})
}

test_whole_and_ready if {
	symptoms.whole(record.services[0]) with input as fixture.quiet
	not symptoms.whole(record.services[0]) with input as stream({"whole": false})
	not symptoms.whole(record.services[0]) with input as fixture.spoken(fixture.quiet, fixture.tail([]))
	not symptoms.whole(record.services[0]) with input as fixture.looked(fixture.serving)
	symptoms.ready(record.services[0]) with input as fixture.quiet
	not symptoms.ready(record.services[0]) with input as fixture.looked(fixture.serving)
	not symptoms.ready(record.services[0]) with input as fixture.spoken(fixture.quiet, fixture.log([]))
	not symptoms.ready(record.services[0]) with input as stream({"signals": [fixture.signal("serverReady", 5), fixture.signal("loadProgress", 6)]})
	not symptoms.ready(record.services[0]) with input as stream({"signals": [fixture.signal("serverReady", 5), fixture.signal("compileProgress", 6)]})
	not symptoms.ready(record.services[0]) with input as stream({"signals": [fixture.signal("serverReady", 5), fixture.signal("workerExit", 6)]})
	symptoms.ready(record.services[0]) with input as stream({"signals": [fixture.signal("serverReady", 7), fixture.signal("workerExit", 6)]})
}

test_last if {
	symptoms.last(fixture.log([fixture.signal("xid", 5), fixture.signal("portInUse", 9), fixture.signal("diskFull", 12)]), {"xid", "portInUse"}) == 9
	symptoms.last(fixture.log([]), {"xid"}) == 0
}

test_places if symptoms.places(symptoms.signals(record.services[0], "serverReady")) == ["/logs/streams/0/signals/0"] with input as fixture.quiet

test_flags if {
	symptoms.flag(["--lora-path", "/a"], {"lora_path"}) == "/a"
	symptoms.flag(["--lora_path=/a=b"], {"lora_path"}) == "/a=b"
	symptoms.flag(["--offload"], {"offload"}) == ""
	symptoms.flag(["--offload", "--tp", "2"], {"offload"}) == ""
	symptoms.flag(["--tp=1", "--tp", "2"], {"tp"}) == "1"
	not symptoms.flag(["offload", "x"], {"offload"})
	not symptoms.flag(["-offload", "x"], {"offload"})
	not symptoms.flag(["--other", "x"], {"offload"})
}

docker := {"runtime": {"docker": {"container": "lima"}}}

second := {"runtime": {"docker": {"container": "lima", "host": "unix:///run/docker-sglang.sock"}}}

unit := {"runtime": {"systemd": {"unit": "flash"}}}

pods := {"runtime": {"kubernetes": {"namespace": "serving", "workload": "deploy/lima"}}}

test_commands if {
	symptoms.logs_of(docker) == "docker logs --tail 100 lima"
	symptoms.logs_of(second) == "docker -H unix:///run/docker-sglang.sock logs --tail 100 lima"
	symptoms.logs_of(unit) == "journalctl -u flash -n 100 --no-pager"
	symptoms.logs_of(pods) == "kubectl logs -n serving deploy/lima --tail 100"
	symptoms.state_of(docker) == "docker ps -a --filter name=lima"
	symptoms.state_of(second) == "docker -H unix:///run/docker-sglang.sock ps -a --filter name=lima"
	symptoms.state_of(unit) == "systemctl status flash"
	symptoms.state_of(pods) == "kubectl get pods -n serving"
	symptoms.logs_of({"name": "lima"}) == "the log of lima"
	symptoms.answer(fixture.answer({})) == {"kind": "sample", "id": "answer.json", "name": "answer.json"}
	symptoms.state_of({"name": "lima"}) == "the state of lima"
}
