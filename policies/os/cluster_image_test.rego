# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.os.cluster_image_test

import data.gpugate.lib.fixture
import data.gpugate.rules.os.cluster_image as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["another point release", fixture.node, set(), set()],
	["TencentOS for Ubuntu", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "TencentOS Server 3.1 (Final)"}]), {"different"}, set()],
	["another release", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "Ubuntu 20.04.6 LTS"}]), {"different"}, set()],
	["another line of TencentOS", fixture.change(fixture.node, [{"op": "replace", "path": "/host/os/id", "value": "tencentos"}, {"op": "replace", "path": "/host/os/versionId", "value": "2.4"}, {"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "TencentOS Server 3.1 (Final)"}]), {"different"}, set()],
	["the same TencentOS", fixture.change(fixture.node, [{"op": "replace", "path": "/host/os/id", "value": "tencentos"}, {"op": "replace", "path": "/host/os/versionId", "value": "3.1"}, {"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "TencentOS Linux 3.1 (Final)"}]), set(), set()],
	["Bottlerocket", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "Bottlerocket OS 1.20.1 (aws-k8s-1.29-nvidia)"}]), {"different"}, set()],
	["nobody knows it", fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/info/osImage", "value": "Frobnix 7"}]), set(), {"unrecognised"}],
	["not told", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node/info/osImage"}]), set(), {"nameless"}],
	["the server itself is not known", fixture.change(fixture.node, [{"op": "remove", "path": "/host/os/id"}]), set(), {"untold"}],
	["a cluster without this host", fixture.change(fixture.node, [{"op": "remove", "path": "/kubernetes/node"}]), set(), {"nodeless"}],
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

test_no_cluster if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable with input as fixture.node
}
