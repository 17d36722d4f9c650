# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.shared_by_services_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.shared_by_services as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["workers of one service", fixture.serving, set(), set()],
	["two services", two, {"undeclared"}, set()],
	["two requests for one GPU each", fixture.change(fixture.blank, array.concat(fixture.with_container(fixture.container("a", [fixture.by_count(1)])), fixture.with_container(fixture.container("b", [fixture.by_count(1)])))), {"undeclared"}, set()],
	["declared", fixture.change(two, [{"op": "add", "path": "/launch/manifest/services/-", "value": object.union(fixture.service("echo"), {"sharedWith": ["lima"]})}]), set(), set()],
	["declared the other way round", fixture.change(two, [{"op": "add", "path": "/launch/manifest/services/-", "value": fixture.service("echo")}, {"op": "add", "path": "/launch/manifest/services/0/sharedWith", "value": ["echo"]}]), set(), set()],
	["recorded but not shared", fixture.change(two, [{"op": "add", "path": "/launch/manifest/services/-", "value": fixture.service("echo")}]), {"undeclared"}, set()],
	["declared for a daemon of another name", fixture.change(two, [{"op": "add", "path": "/launch/manifest/services/-", "value": object.union(fixture.service("echo"), {"sharedWith": ["lima"], "runtime": {"docker": {"host": "unix:///var/run/docker.sock"}}})}]), set(), set()],
	["declared for another daemon", fixture.change(two, [{"op": "add", "path": "/launch/manifest/services/-", "value": object.union(fixture.service("echo"), {"sharedWith": ["lima"], "runtime": {"docker": {"host": "unix:///run/other.sock"}}})}]), {"undeclared"}, set()],
	["units, declared by their bare names", units, set(), set()],
	["units, not declared", fixture.change(units, [{"op": "remove", "path": "/launch/manifest/services/1/sharedWith"}]), {"undeclared"}, set()],
	["two parties are not this rule's", fixture.change(fixture.serving, fixture.on(fixture.gpu_a, 4103, fixture.systemd_owner("flash.service"))), set(), set()],
	["pods are not this rule's", fixture.change(fixture.node, fixture.on(fixture.gpu_a, 4203, fixture.pod_owner("tke", "b"))), set(), set()],
	["slices of one card", fixture.change(fixture.change(two, [{"op": "add", "path": "/nvml/processes/0/gpuInstanceId", "value": 1}, {"op": "add", "path": "/nvml/processes/2/gpuInstanceId", "value": 5}, {"op": "replace", "path": "/docker/daemons/0/containers", "value": []}]), fixture.mig), set(), set()],
	["no manifest", fixture.change(two, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["a manifest that is not whole", fixture.gap(two, "launch", "launch.manifest.services", "failed"), set(), set()],
	["a container of unknown name", fixture.change(two, [{"op": "remove", "path": "/host/processes/2/owner/containerId"}]), {"undeclared"}, {"nameless"}],
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

two := fixture.change(fixture.serving, array.concat(fixture.on(fixture.gpu_a, 4103, fixture.docker_owner("echo")), fixture.with_container(fixture.container("echo", [fixture.indices(["0"])]))))

units := fixture.change(fixture.blank, array.concat(
	array.concat(
		fixture.on(fixture.gpu_a, 4104, fixture.systemd_owner("a.service")),
		fixture.on(fixture.gpu_a, 4105, fixture.systemd_owner("b.service")),
	),
	[{"op": "replace", "path": "/launch/manifest/services", "value": [
		{"name": "a", "runtime": {"systemd": {"unit": "a"}}},
		{"name": "b", "runtime": {"systemd": {"unit": "b.service"}}, "sharedWith": ["a"]},
	]}],
))

test_no_card if {
	rule.applicable == false with input as fixture.change(fixture.blank, [{"op": "replace", "path": "/nvml/gpus", "value": []}])
}
