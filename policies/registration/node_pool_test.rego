# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.node_pool_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.node_pool as rule

labelled(labels) := fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/labels", "value": labels}])

external := {"key": "node.kubernetes.io/instance-type", "value": "external"}

in_pool(id) := {"key": "tke.cloud.tencent.com/nodepool-id", "value": id}

cases := [
	["a registered node", fixture.node, set(), set()],
	["an ordinary machine", labelled([{"key": "node.kubernetes.io/instance-type", "value": "S5.LARGE8"}, in_pool("np-4d8s1x6z")]), {"kind"}, set()],
	["a serverless one", labelled([{"key": "node.kubernetes.io/instance-type", "value": "eklet"}, in_pool("np-4d8s1x6z")]), {"kind"}, set()],
	["by its provider", fixture.change(fixture.node, [{"op": "add", "path": "/kubernetes/node/providerId", "value": "qcloud:///800006/ins-1a2b3c4d"}]), {"kind"}, set()],
	["another provider", fixture.change(fixture.node, [{"op": "add", "path": "/kubernetes/node/providerId", "value": "tencentcloud-external://node-1"}]), set(), set()],
	["no label", labelled([]), {"kind"}, {"poolless"}],
	["no label, not all read", fixture.gap(labelled([]), "kubernetes", "kubernetes.node.labels", "failed"), set(), {"poolless"}],
	["only the version label", labelled([{"key": "externalnode.tke.cloud.tencent.com/version", "value": "v2"}]), set(), {"poolless"}],
	["another pool", labelled([external, in_pool("np-00000000")]), {"pool"}, set()],
	["a pool that was not meant", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/tke/nodePool"}]), set(), {"undeclared"}],
	["no manifest", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"undeclared"}],
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

test_no_node_yet if {
	rule.applicable == false with input as fixture.serving
	rule.applicable == false with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/tke", "value": {"nodePool": "np-4d8s1x6z"}}])
	not rule.applicable == false with input as fixture.node
	not rule.applicable == false with input as fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}])
}

test_a_server_that_stays_out_though_the_cluster_is_not_known if {
	doc := fixture.change(fixture.gap(fixture.serving, "kubernetes", "kubernetes", "denied"), [])
	rule.applicable == false with input as doc
}

test_what_is_judged if {
	fixture.names(rule.subjects) == {"node-10.20.0.17"} with input as fixture.node
	fixture.names(rule.subjects) == {"cvd-lima-07"} with input as fixture.serving
}
