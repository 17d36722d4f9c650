# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.separate_environments_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.separate_environments as rule

# cases are documents with the messages that fail and those that leave it open.
cases := array.concat([[name, doc, set(), open] | some [name, doc, open] in fixture.beginnings], [
	["only a training", fixture.training, set(), set()],
	["a service with an image of its own", fixture.with_service(fixture.service("chat")), set(), set()],
	["declared for inference", fixture.change(fixture.training, [{"op": "replace", "path": "/launch/manifest/scope", "value": "inference"}]), {"declared"}, set()],
	["declared for nothing", fixture.change(fixture.training, [{"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"undeclared"}],
	["one container", fixture.with_service(other({"runtime": {"docker": {"container": "tune"}}})), {"same"}, set()],
	["one container, not all could be read", fixture.gap(fixture.with_service(other({"runtime": {"docker": {"container": "tune"}}})), "launch", "launch.manifest.services", "failed"), set(), set()],
	["one container of a daemon that only one names", fixture.with_service(other({"runtime": {"docker": {"container": "tune", "host": "unix:///run/a.sock"}}})), set(), {"daemon"}],
	["one name behind two daemons", fixture.change(fixture.with_service(other({"runtime": {"docker": {"container": "tune", "host": "unix:///run/a.sock"}}})), [{"op": "add", "path": "/launch/manifest/services/0/runtime/docker/host", "value": "unix:///run/b.sock"}]), set(), set()],
	["one image", fixture.with_service(other({"image": sprintf("mirror.example/x@sha256:%s", [fixture.other_digest])})), {"image"}, set()],
	["one image by its tag", fixture.change(fixture.with_service(other({"image": "lab/x:2"})), [{"op": "replace", "path": "/launch/manifest/services/0/image", "value": "lab/x:2"}]), {"image"}, set()],
	["a tag and a digest of one name", fixture.with_service(other({"image": "registry.example/lab/tune:2"})), set(), {"imageless"}],
	["two digests of one name", fixture.with_service(other({"image": sprintf("registry.example/lab/tune@sha256:%s", [fixture.digest])})), set(), set()],
	["no image", fixture.with_service(object.remove(fixture.service("chat"), ["image"])), set(), {"imageless"}],
	["a unit beside a container", fixture.with_service(object.remove(other({"runtime": {"systemd": {"unit": "chat"}}}), ["image"])), set(), set()],
	["two units", units("tune.service", "chat.service"), {"bare"}, set()],
	["a unit beside a container, both without image", fixture.change(units("tune.service", "x"), [{"op": "replace", "path": "/launch/manifest/services/1/runtime", "value": {"docker": {"container": "chat"}}}]), set(), {"imageless"}],
	["two units, not all could be read", fixture.gap(units("tune.service", "chat.service"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["one unit", units("tune.service", "tune"), {"same"}, set()],
	["one workload", fixture.change(fixture.with_service(object.union(fixture.in_pod("chat", "w"), {"image": "a"})), [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"kubernetes": {"namespace": "serving", "workload": "w"}}}]), {"same"}, set()],
	["a training of no service, alone", fixture.change(fixture.unset_in_training("/service"), [{"op": "replace", "path": "/launch/manifest/services", "value": []}]), set(), set()],
	["a training of no service beside one", fixture.unset_in_training("/service"), set(), {"unplaced"}],
	["trainings that could not be read", fixture.unheard(fixture.with_service(other({"runtime": {"docker": {"container": "tune"}}}))), set(), set()],
])

wrong contains {"case": name, "fail": f, "unknown": u, "want": [fail, open]} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 8
	count(wrong) == 0
}

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	count(rule.subjects) == 0 with input as doc
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_what_is_judged if {
	fixture.names(rule.subjects) == {"tune"} with input as fixture.training
	fixture.names(rule.subjects) == {"launch manifest: training"} with input as fixture.no_training
}

test_not_on_a_server_for_inference if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable == false with input as fixture.training
	not rule.applicable == false with input as fixture.no_training
}

other(members) := object.union(object.remove(fixture.service("chat"), object.keys(members)), members)

# units are a training and a service that both run as units, without images.
units(trains, serves) := fixture.change(fixture.with_service(object.remove(other({"runtime": {"systemd": {"unit": serves}}}), ["image"])), [
	{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"systemd": {"unit": trains}}},
	{"op": "remove", "path": "/launch/manifest/services/0/image"},
])
