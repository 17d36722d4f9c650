# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.pod_matches_record_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.pod_matches_record as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as recorded", fixture.node, set(), set()],
	["missing", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/services/0/runtime/kubernetes/workload", "value": "gone"}]), {"missing"}, {"unfound"}],
	["missing, but pods may not be listed", fixture.gap(fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods", "value": []}]), "kubernetes", "kubernetes.pods", "denied"), set(), {"unfound"}],
	["of a StatefulSet", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/services/0/runtime/kubernetes/workload", "value": "lima"}, {"op": "add", "path": "/kubernetes/pods/0/ownerName", "value": "lima"}, {"op": "add", "path": "/kubernetes/pods/0/ownerKind", "value": "StatefulSet"}]), set(), set()],
	["of a Deployment", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/services/0/runtime/kubernetes/workload", "value": "lima"}, {"op": "add", "path": "/kubernetes/pods/0/ownerName", "value": "lima-7c9d8f6b5"}, {"op": "add", "path": "/kubernetes/pods/0/ownerKind", "value": "ReplicaSet"}]), set(), set()],
	["of another namespace", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/services/0/runtime/kubernetes/namespace", "value": "other"}]), {"missing"}, {"unfound"}],
	["ended", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/phase", "value": "Failed"}]), {"missing"}, {"unfound"}],
	["another digest", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/imageId", "value": "r/x@sha256:1234"}]), {"image"}, set()],
	["digest not told", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/pods/0/containers/0/imageId"}]), set(), {"unidentified"}],
	["another argument", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/containers/0/args/2", "value": "/models/other"}]), {"args"}, set()],
	["several containers", fixture.change(fixture.node, [{"op": "add", "path": "/kubernetes/pods/0/containers/-", "value": object.union(fixture.node.kubernetes.pods[0].containers[0], {"name": "side"})}]), set(), {"container"}],
	["one of several containers", fixture.change(fixture.node, [{"op": "add", "path": "/kubernetes/pods/0/containers/-", "value": object.union(fixture.node.kubernetes.pods[0].containers[0], {"name": "side", "args": []})}, {"op": "add", "path": "/launch/manifest/services/0/runtime/kubernetes/container", "value": "main"}]), set(), set()],
	["nothing recorded", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/services/0/args"}, {"op": "remove", "path": "/launch/manifest/services/0/image"}]), set(), {"unrecorded"}],
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

test_no_workload_recorded if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable with input as fixture.node
}
