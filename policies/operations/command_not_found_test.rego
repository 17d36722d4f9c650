# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.command_not_found_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.command_not_found as rule

renamed := fixture.change(fixture.quiet, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}])

container(state, code) := fixture.change(fixture.quiet, [
	{"op": "replace", "path": "/docker/daemons/0/containers/0/state", "value": state},
	{"op": "replace", "path": "/docker/daemons/0/containers/0/exitCode", "value": code},
])

unit(state) := fixture.change(fixture.in_unit(fixture.quiet, "flash"), fixture.with_unit(object.union(fixture.unit("flash.service", []), {"loadState": state})))

pod := fixture.in_workload(fixture.node_quiet, "lima-0")

cases := [
	["running", fixture.quiet, set(), set()],
	["another container", renamed, {"missing"}, set()],
	["another container, not all seen", fixture.gap(renamed, "docker", "docker.daemons", "denied"), set(), {"unfound"}],
	["command not found", container("exited", 127), {"command"}, set()],
	["command not executable, again and again", container("restarting", 126), {"command"}, set()],
	["ended otherwise", container("exited", 1), set(), {"stopped"}],
	["running after one", container("running", 127), set(), set()],
	["unit there", unit("loaded"), set(), set()],
	["unit not installed", unit("not-found"), {"missing"}, set()],
	["unit not seen", fixture.gap(unit("not-found"), "systemd", "systemd.units", "denied"), set(), {"unfound"}],
	["pod there", pod, set(), set()],
	["no pod", fixture.in_workload(fixture.node_quiet, "other"), {"missing"}, set()],
	["a pod elsewhere", fixture.change(pod, [{"op": "replace", "path": "/kubernetes/pods/0/namespace", "value": "test"}]), {"missing"}, set()],
	["pods not listed", fixture.gap(fixture.in_workload(fixture.node_quiet, "other"), "kubernetes", "kubernetes.pods", "denied"), set(), {"unfound"}],
	["no runtime told", fixture.serving_without(fixture.quiet, "runtime"), set(), {"unfound"}],
	["no manifest", fixture.unmanifested(fixture.quiet), set(), {"manifestless"}],
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

test_applicable if {
	not rule.applicable == false with input as fixture.quiet
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
	rule.applicable == false with input as fixture.serviceless(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as fixture.quiet
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}
