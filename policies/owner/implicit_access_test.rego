# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.implicit_access_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.implicit_access as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["given", fixture.serving, set(), set()],
	["privileged beside another", fixture.change(fixture.serving, fixture.with_container(fixture.container("tool", [fixture.indices(["0"]), fixture.all_by("privileged")]))), {"held"}, set()],
	["privileged, given one of two", fixture.change(fixture.blank, fixture.with_container(fixture.container("tool", [fixture.indices(["0"]), fixture.all_by("privileged")]))), {"unused"}, set()],
	["privileged without any GPU of its own", fixture.change(fixture.blank, fixture.with_container(fixture.container("exporter", [fixture.all_by("privileged")]))), set(), set()],
	["an image that asks for all", fixture.change(fixture.blank, fixture.with_container(fixture.container("sleeper", [fixture.all_by("visibleDevices")]))), {"unused"}, set()],
	["an image that asks for all and uses it", used_all, {"unused"}, set()],
	["only watched", fixture.change(fixture.blank, fixture.with_container(fixture.container("exporter", [object.union(fixture.all_by("visibleDevices"), {"utility": true})]))), set(), set()],
	["a unit without limits, alone", fixture.change(fixture.blank, fixture.with_unit(fixture.unit("ollama.service", [fixture.all_by("unrestricted")]))), set(), set()],
	["a unit without limits beside a service", fixture.change(fixture.serving, fixture.with_unit(fixture.unit("ollama.service", [fixture.all_by("unrestricted")]))), {"held"}, set()],
	["permissions narrowed by a selection", fixture.change(fixture.blank, fixture.with_unit(fixture.unit("flash.service", [fixture.all_by("deviceAllow"), {"via": "cudaVisibleDevices", "all": false, "devices": []}]))), set(), set()],
	["a node in a container", fixture.change(fixture.blank, fixture.with_container(object.union(fixture.container("kind", [fixture.all_by("visibleDevices")]), {"clusterNode": true}))), set(), set()],
	["stopped, may come back", fixture.change(fixture.serving, fixture.with_container(object.union(fixture.container("old", [fixture.all_by("visibleDevices")]), {"state": "exited", "restartPolicy": "always"}))), set(), set()],
	["within the container's own GPUs", fixture.change(fixture.blank, fixture.with_container(fixture.container("a", [fixture.indices(["0"]), {"via": "cudaVisibleDevices", "all": false, "devices": [{"kind": "index", "value": "1"}]}]))), set(), set()],
	["a container that asks for a card there is not", fixture.change(fixture.serving, fixture.with_container(fixture.container("odd", [fixture.indices(["7"])]))), set(), {"undecided"}],
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

# used_all runs on the first card and reaches both.
used_all := fixture.change(fixture.blank, array.concat(
	fixture.on(fixture.gpu_a, 5001, fixture.docker_owner("sleeper")),
	fixture.with_container(fixture.container("sleeper", [fixture.all_by("visibleDevices")])),
))

test_only_the_unused_card if {
	fixture.about(rule.fail) == {"GPU 1"} with input as used_all
}

test_what_to_do if {
	f := rule.fail with input as fixture.change(fixture.serving, fixture.with_unit(fixture.unit("ollama.service", [fixture.all_by("unrestricted")])))
	some one in f
	contains(one.args.how, "systemctl edit ollama.service")
}

test_no_card if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
