package gpugate.lib.word_test

import data.gpugate.lib.fixture
import data.gpugate.lib.word

source(at, status) := {"op": "replace", "path": sprintf("/sources/%d/status", [at]), "value": status}

states := {"absent", "skipped", "complete", "partial", "denied", "failed", "timeout"}

# Somebody's word counts as long as nobody looked.
test_not_in_tke if {
	counted := {s | some s in states; word.not_in_tke with input as fixture.change(fixture.blank, [source(4, s)])}
	counted == {"absent", "skipped"}
	not word.not_in_tke with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/launch/manifest/tke", "value": {"registered": true}}])
	not word.not_in_tke with input as fixture.change(fixture.blank, [{"op": "remove", "path": "/launch/manifest/tke"}])
}

test_not_in_tione if {
	counted := {s | some s in states; word.not_in_tione with input as fixture.change(fixture.blank, [source(5, s)])}
	counted == {"absent", "skipped"}
	beside := {s | some s in states; word.not_in_tione with input as fixture.change(fixture.blank, [source(4, s)])}
	beside == {"absent", "skipped", "complete"}
	not word.not_in_tione with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/launch/manifest/tione", "value": {"registered": true}}])
	not word.not_in_tione with input as fixture.change(fixture.blank, [{"op": "remove", "path": "/launch/manifest/tione"}])
}
