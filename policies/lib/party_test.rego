# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.party_test

import data.gpugate.lib.party

test_distinct if {
	party.distinct("docker", "systemd")
	party.distinct("tke", "ti-one")
	party.distinct("docker", "session")
	party.distinct("docker", "kubernetes")
	not party.distinct("docker", "docker")
	not party.distinct("kubernetes", "tke")
	not party.distinct("docker", "orphan")
	not party.distinct("unknown", "systemd")
	party.undecided("ti-one", "kubernetes")
	not party.undecided("docker", "kubernetes")
}

item(manager, claimant) := {"manager": manager, "claimant": claimant, "kind": "running", "endpoint": "", "pid": 7}

test_what_a_person_may_type if {
	party.stop(item("systemd", "flash.service")) == "systemctl stop flash.service"
	party.stop(item("docker", "lima")) == "docker stop lima"
	party.stop(object.union(item("docker", "lima"), {"endpoint": "unix:///run/b.sock"})) == "docker --host unix:///run/b.sock stop lima"
	party.stop(item("podman", "lima")) == "podman stop lima"
	party.stop(item("tke", "serving/lima-0")) == "kubectl delete pod -n serving lima-0"
	party.stop(object.union(item("tke", "node a"), {"kind": "allocatable"})) == "kubectl cordon NODE, then move its GPU pods elsewhere"
	startswith(party.stop(item("ti-one", "job")), "take this server out")
	party.stop(item("session", "session-3.scope")) == "kill 7"
	party.stop(object.union(item("lxc", "box"), {"pid": 0})) == "look at box"
}

test_endpoints if {
	party.same_endpoint("unix:///var/run/docker.sock", "unix:///run/docker.sock")
	not party.same_endpoint("unix:///run/b.sock", "unix:///run/docker.sock")
	party.label("something else") == "something else"
}

claim(n) := {"manager": "docker", "claimant": sprintf("job-%02d", [n]), "endpoint": "", "kind": "configured", "evidence": [sprintf("/docker/%02d/a", [n]), sprintf("/docker/%02d/b", [n]), sprintf("/docker/%02d/c", [n])]}

# Nobody reads hundreds: the first are named, the others counted.
test_a_crowd_is_counted if {
	ten := {claim(n) | some n in numbers.range(1, 10)}
	endswith(party.names(ten), "job-09, Docker container job-10")
	eleven := ten | {claim(11)}
	endswith(party.names(eleven), "job-10, and 1 more")
	endswith(party.stops(eleven), "docker stop job-10; and 1 more")
	party.evidence({claim(1)}) == ["/docker/01/a", "/docker/01/b", "/docker/01/c"]
	count(party.evidence(eleven)) == 20
}

test_who_is_stopped_how if {
	addressed := {"endpoint": "unix:///run/b.sock"}
	party.stop(object.union(item("podman", "lima"), addressed)) == "docker --host unix:///run/b.sock stop lima"
	party.stop(object.union(item("lxc", "box"), addressed)) == "kill 7"
	party.stop(item("kubernetes", "serving/a")) == "kubectl delete pod -n serving a"
	every manager in {"kubernetes", "tke"} {
		party.stop(object.union(item(manager, "node a"), {"kind": "allocatable"})) == "kubectl cordon NODE, then move its GPU pods elsewhere"
	}
	startswith(party.stop(object.union(item("ti-one", "node a"), {"kind": "allocatable"})), "take this server out")
	party.stop(object.union(item("lxc", "box"), {"pid": 1})) == "kill 1"
}
