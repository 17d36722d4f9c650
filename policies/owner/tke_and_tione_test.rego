# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.owner.tke_and_tione_test

import data.gpugate.lib.fixture
import data.gpugate.rules.owner.tke_and_tione as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["only TKE, nothing of TI-ONE shown", fixture.change(fixture.node, [{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "skipped", "gaps": []}}]), set(), {"exportless"}],
	["only TKE, and the export is of other servers", fixture.change(both, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/thisHost", "value": false}]), set(), set()],
	["both", both, {"both"}, set()],
	["both, the node not Ready", fixture.change(both, [{"op": "replace", "path": "/kubernetes/node/conditions/0/status", "value": "False"}]), {"both"}, set()],
	["both, which cards TKE has is not known", fixture.change(both, [{"op": "replace", "path": "/kubernetes/kubelet/registered", "value": []}, {"op": "replace", "path": "/kubernetes/node/allocatable/0/quantity", "value": 1}]), {"both"}, set()],
	["the node offers nothing", fixture.change(both, [{"op": "replace", "path": "/kubernetes/node/allocatable", "value": []}]), set(), set()],
	["given back to TI-ONE", fixture.change(both, [{"op": "replace", "path": "/tione/resourceGroup/instances/0/status", "value": "RELEASED"}]), set(), set()],
	["the node is one of TI-ONE's own cluster", fixture.change(both, [{"op": "replace", "path": "/kubernetes/node/labels", "value": []}, {"op": "replace", "path": "/kubernetes/pods/0/manager", "value": "ti-one"}]), set(), set()],
	["whose cluster it is is not known", fixture.gap(fixture.change(both, [{"op": "replace", "path": "/kubernetes/node/labels", "value": []}, {"op": "replace", "path": "/kubernetes/pods", "value": []}]), "kubernetes", "kubernetes.pods", "denied"), set(), {"whose"}],
	["a cluster nobody labelled", fixture.change(both, [{"op": "replace", "path": "/kubernetes/node/labels", "value": []}]), {"both"}, set()],
	["TI-ONE runs pods on a TKE node", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/pods/0/manager", "value": "ti-one"}]), {"contradicted", "pods"}, {"exportless"}],
	["the export says otherwise than the manifest", denied, {"contradicted"}, set()],
	["one page of the export", fixture.change(both, [{"op": "replace", "path": "/tione/resourceGroup/instances", "value": []}, {"op": "replace", "path": "/tione/resourceGroup/totalCount", "value": 3}]), set(), {"paged"}],
	["a cluster without this host", fixture.change(both, [{"op": "remove", "path": "/kubernetes/node"}]), set(), {"nodeless"}],
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

both := object.union(
	fixture.change(fixture.node, [
		{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "complete", "gaps": []}},
		{"op": "replace", "path": "/launch/manifest/tione", "value": {"resourceGroup": "rsg-8k2d7v4n"}},
	]),
	{"tione": fixture.tione.tione},
)

# denied is a server that TI-ONE lists although its manifest says otherwise.
denied := object.union(
	fixture.change(fixture.serving, [{"op": "replace", "path": "/sources/5", "value": {"name": "tione", "status": "complete", "gaps": []}}]),
	{"tione": fixture.tione.tione},
)

test_the_word_is_taken_and_said if {
	rule.applicable == false with input as fixture.serving
	a := rule.assumed with input as fixture.serving
	{s.evidence | some s in a} == {["/launch/manifest/tione/registered"]}
	not rule.applicable with input as denied
	not rule.applicable with input as both
	not rule.applicable with input as fixture.gap(fixture.serving, "kubernetes", "kubernetes.pods", "denied")
}

test_the_finding_points_at_the_manifest if {
	f := rule.fail with input as denied
	every one in f {
		one.evidence[0] == "/launch/manifest/tione/registered"
	}
}
