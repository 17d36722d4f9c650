# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.node_components_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.node_components as rule

healthy := fixture.with_components(fixture.node)

# at is where the device plugin's pod stands.
at := 1

plugin(patches) := fixture.change(healthy, [object.union(p, {"path": sprintf("/kubernetes/pods/%d%s", [at, p.path])}) | some p in patches])

waiting(reason) := plugin([
	{"op": "replace", "path": "/containers/0/state", "value": "waiting"},
	{"op": "add", "path": "/containers/0/reason", "value": reason},
	{"op": "replace", "path": "/containers/0/restartCount", "value": 7},
])

without(role) := fixture.change(healthy, [{"op": "replace", "path": "/kubernetes/pods", "value": [p | some p in healthy.kubernetes.pods; p.role != role]}])

cases := [
	["healthy", healthy, set(), set()],
	["not ready", plugin([{"op": "replace", "path": "/ready", "value": false}]), {"unready"}, set()],
	["failed", plugin([{"op": "replace", "path": "/phase", "value": "Failed"}, {"op": "replace", "path": "/ready", "value": false}]), {"unready"}, set()],
	["crashing", waiting("CrashLoopBackOff"), {"unready"}, set()],
	["no image", waiting("ImagePullBackOff"), {"unready"}, set()],
	["being made", waiting("ContainerCreating"), set(), set()],
	["readiness not told", plugin([{"op": "remove", "path": "/ready"}]), set(), {"untold"}],
	["not ready, no phase told", plugin([{"op": "replace", "path": "/ready", "value": false}, {"op": "remove", "path": "/phase"}]), {"unready"}, set()],
	["no phase told", plugin([{"op": "remove", "path": "/phase"}]), set(), set()],
	["no plugin", without("device-plugin"), {"missing"}, {"unseen"}],
	["no plugin, not all read", fixture.gap(without("device-plugin"), "kubernetes", "kubernetes.pods", "denied"), set(), {"unseen"}],
	["the plugin is done", plugin([{"op": "replace", "path": "/phase", "value": "Succeeded"}]), {"missing"}, {"unseen"}],
	["the plugin goes", plugin([{"op": "add", "path": "/deletionAt", "value": "2026-11-30T11:59:00Z"}]), {"missing"}, {"unseen"}],
	["no CNI", without("cni"), set(), {"unseen"}],
	["no kube-proxy", without("kube-proxy"), set(), {"unseen"}],
	["no agent", without("monitoring"), set(), {"unseen"}],
	["no node found", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}]), set(), {"nodeless"}],
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

test_what_is_judged if {
	count(rule.subjects) == 4 with input as healthy
	fixture.names(rule.subjects) == {"cvd-lima-07"} with input as fixture.serving
}

test_no_node_yet if {
	rule.applicable == false with input as fixture.serving
	rule.applicable == false with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/tke", "value": {}}])
	rule.applicable == false with input as fixture.gap(fixture.serving, "kubernetes", "kubernetes", "denied")
	not rule.applicable == false with input as healthy
	not rule.applicable == false with input as fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}])
}

test_why_is_told if {
	{f.args.why | some f in rule.fail} == {"starts over and over: CrashLoopBackOff, 7 restarts"} with input as waiting("CrashLoopBackOff")
	{f.args.why | some f in rule.fail} == {"has failed"} with input as plugin([{"op": "replace", "path": "/phase", "value": "Failed"}, {"op": "replace", "path": "/ready", "value": false}])
}
