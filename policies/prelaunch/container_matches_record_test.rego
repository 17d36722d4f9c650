# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.container_matches_record_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.container_matches_record as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as recorded", fixture.serving, set(), set()],
	["missing", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}]), {"missing"}, {"unfound"}],
	["missing, but a daemon could not be read", fixture.gap(fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}]), "docker", "docker.daemons", "denied"), set(), {"unfound"}],
	["stopped", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/state", "value": "exited"}]), {"stopped"}, set()],
	["state not told", fixture.change(fixture.serving, [{"op": "remove", "path": "/docker/daemons/0/containers/0/state"}]), set(), {"stateless"}],
	["another digest", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": [sprintf("r/x@sha256:%s", [fixture.other_digest])]}]), {"image"}, set()],
	["built here", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": []}]), {"image"}, set()],
	["recorded by its own id", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": []}, {"op": "replace", "path": "/docker/daemons/0/containers/0/imageId", "value": sprintf("sha256:%s", [fixture.digest])}]), set(), set()],
	["image not inspected", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/repoDigests", "value": []}, {"op": "replace", "path": "/docker/daemons/0/containers/0/imageKnown", "value": false}]), set(), {"unidentified"}],
	["another argument", fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args/6", "value": "1"}]), {"args"}, set()],
	["a word more", fixture.change(fixture.serving, [{"op": "add", "path": "/docker/daemons/0/containers/0/args/-", "value": "--trust-remote-code"}]), {"args"}, set()],
	["another order", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services/0/args", "value": ["-m", "python3", "sglang.launch_server", "--model-path", "/models/lima", "--tp", "2"]}]), {"args"}, set()],
	["arguments not recorded", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/args"}]), set(), {"unrecorded"}],
	["image not recorded", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/image"}]), set(), {"unrecorded"}],
	["on another daemon", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker-sglang.sock"}]), {"missing"}, {"unfound"}],
	["on a daemon whose address is not told", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/docker.sock"}, {"op": "replace", "path": "/docker/daemons/0/endpoint", "value": "capture:main"}]), set(), {"unfound"}],
	["on its daemon", fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///var/run/docker.sock"}]), set(), set()],
	["on two daemons", fixture.change(fixture.serving, [{"op": "add", "path": "/docker/daemons/-", "value": object.union(fixture.serving.docker.daemons[0], {"endpoint": "unix:///run/b.sock"})}]), set(), {"ambiguous"}],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	judged := rule.subjects with input as doc
	failed := rule.fail with input as doc
	open := rule.unknown with input as doc
	(count(judged) + count(failed)) + count(open) == 0
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_no_container_recorded if {
	rule.applicable == false with input as fixture.node
	not rule.applicable with input as fixture.serving
	not rule.applicable with input as fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}])
}

test_what_changed_is_named if {
	f := rule.fail with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/docker/daemons/0/containers/0/args/6", "value": "1"}])
	some only in f
	only.args.drift == "not recorded: 1; recorded but not there: 2"
	only.evidence[0] == "/launch/manifest/services/0/args"
	h := rule.fail with input as fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/x.sock"}])
	some one in h
	one.args.host == "--host unix:///run/x.sock "
}
