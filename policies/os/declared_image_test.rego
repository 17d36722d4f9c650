# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.os.declared_image_test

import data.gpugate.lib.fixture
import data.gpugate.rules.os.declared_image as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["as chosen", fixture.node, set(), set()],
	["not in TKE", fixture.serving, set(), set()],
	["TencentOS chosen", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/tke/os", "value": "tlinux3.1x86_64"}]), {"different"}, set()],
	["another system expected", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/host/os/versionId", "value": "24.04"}]), {"different"}, set()],
	["a major version alone", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/tke/os", "value": "tlinux4_x86_64_public"}, {"op": "replace", "path": "/host/os", "value": {"id": "tencentos", "versionId": "4.2"}}, {"op": "remove", "path": "/launch/manifest/host/os"}]), set(), set()],
	["not chosen", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/tke/os"}]), set(), {"undeclared"}],
	["nothing said of TKE beside a cluster", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/tke"}]), set(), {"undeclared"}],
	["nobody knows it", fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/tke/os", "value": "img-7f3k2m9q"}]), set(), {"unrecognised"}],
	["the server itself is not known", fixture.change(fixture.node, [{"op": "remove", "path": "/host/os/id"}]), set(), {"untold"}],
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

test_nothing_declared_and_no_cluster if {
	bare := fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/host"}])
	rule.applicable == false with input as bare
	rule.applicable == false with input as fixture.change(bare, [{"op": "remove", "path": "/launch/manifest/tke"}])
	not rule.applicable with input as fixture.serving
	asked := fixture.change(bare, [{"op": "remove", "path": "/launch/manifest/tke"}, {"op": "replace", "path": "/sources/4/status", "value": "skipped"}])
	not rule.applicable with input as asked
}
