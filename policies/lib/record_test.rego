# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.record_test

import data.gpugate.lib.fixture
import data.gpugate.lib.record

services(list) := fixture.change(fixture.blank, [{"op": "replace", "path": "/launch/manifest/services", "value": list}])

in_container(name, docker) := {"name": name, "runtime": {"docker": docker}}

in_unit(name, unit) := {"name": name, "runtime": {"systemd": {"unit": unit}}}

several := services([
	in_container("a", {"container": "lima"}),
	in_container("b", {"container": "lima", "host": "unix:///var/run/b.sock"}),
	in_container("c", {"container": "kilo"}),
	in_unit("d", "flash"),
	in_unit("e", "flash.service"),
	in_unit("f", "other.service"),
])

names(found) := {s.name | some s in found}

test_which_record_is_meant if {
	names(record.of_container("lima", "unix:///run/docker.sock")) == {"a"} with input as several
	names(record.of_container("lima", "unix:///run/b.sock")) == {"a", "b"} with input as several
	names(record.of_container("kilo", "unix:///run/b.sock")) == {"c"} with input as several
	names(record.of_container("mike", "unix:///run/b.sock")) == set() with input as several
	names(record.of_unit("flash.service")) == {"d", "e"} with input as several
	names(record.of_unit("other")) == {"f"} with input as several
	names(record.of_unit("lima")) == set() with input as several
}

test_digests if {
	record.digest({"image": "registry.example/llm/lima@sha256:3B8E"}) == "3b8e"
	record.digest({"image": "registry.example/llm/lima:2"}) == ""
	record.digest({"image": "sha256:3b8e"}) == ""
	record.digest({}) == ""
}

test_drift if {
	record.drift(["a", "b"], ["a", "b"]) == ""
	record.drift(["a", "b"], ["a", "c"]) == "not recorded: c; recorded but not there: b"
	record.drift(["a"], ["a", "c", "d"]) == "not recorded: c d"
	record.drift(["a", "b"], ["a"]) == "recorded but not there: b"
	record.drift(["a", "b"], ["b", "a"]) == "the same words in another order or number"
	record.drift(["a", "b"], ["a", "b", "b"]) == "the same words in another order or number"
}
