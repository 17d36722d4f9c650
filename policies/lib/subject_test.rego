# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.subject_test

import data.gpugate.lib.fixture
import data.gpugate.lib.subject

# A pod's name and UID change with every start; its controller's does not.
test_pods_of_one_deployment_are_one_subject_over_time if {
	pod := fixture.pod("tke", "chat-5d9b8f7c6-m2q7z")
	subject.pod(object.union(pod, {"ownerKind": "ReplicaSet", "ownerName": "chat-5d9b8f7c6"})).key == "serving/chat"
	subject.pod(object.union(pod, {"ownerKind": "StatefulSet", "ownerName": "chat"})).key == "serving/chat"
	subject.pod(pod).key == "serving/chat-5d9b8f7c6-m2q7z"
}

test_a_host_without_name if {
	subject.host.name == "this host" with input as fixture.change(fixture.blank, [{"op": "remove", "path": "/host/name"}])
	subject.host.id == "cvd-lima-07" with input as fixture.blank
}

test_what_a_card_is_called if {
	subject.gpu_name({"uuid": "GPU-a", "index": 0, "pciBusId": "3b"}) == "GPU 0"
	subject.gpu_name({"uuid": "GPU-a", "index": -1, "pciBusId": "3b"}) == "GPU at 3b"
	subject.gpu_name({"uuid": "GPU-a", "pciBusId": ""}) == "GPU GPU-a"
}

# A hash belongs to the name only where a Deployment made it.
test_whose_hash_it_is if {
	pod := fixture.pod("tke", "chat-0")
	subject.pod(object.union(pod, {"ownerKind": "StatefulSet", "ownerName": "chat-5d9b8f7c6"})).key == "serving/chat-5d9b8f7c6"
}
