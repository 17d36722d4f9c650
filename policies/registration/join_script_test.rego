# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.join_script_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.join_script as rule

# issued is a node whose script is recorded, reviewed and there.
issued := with_script("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", {"sha256": fixture.digest})

with_script(file, more) := fixture.change(fixture.node, [
	{"op": "add", "path": "/launch/manifest/tke/script", "value": object.union({"file": file}, more)},
	{"op": "add", "path": "/launch/evidence/0", "value": fixture.found(file)},
])

tke(patches) := fixture.change(issued, [object.union(p, {"path": sprintf("/launch/manifest/tke%s", [p.path])}) | some p in patches])

named(file) := with_script(file, {"sha256": fixture.digest})

cases := [
	["issued", issued, set(), set()],
	["in a folder", named("tke/add2tkectl-cls-7f3k2m9q-np-4d8s1x6z"), set(), set()],
	["in capitals", with_script("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", {"sha256": upper(fixture.digest)}), set(), set()],
	["of another cluster", named("add2tkectl-cls-00000000-np-4d8s1x6z"), {"other"}, set()],
	["of another pool", named("add2tkectl-cls-7f3k2m9q-np-00000000"), {"other"}, set()],
	["a placeholder of brackets", named("add2tkectl-<cluster id>-<node pool id>"), {"placeholder"}, set()],
	["a placeholder of letters", named("add2tkectl-cls-xxxxxxxx-np-4d8s1x6z"), {"placeholder", "other"}, set()],
	["a placeholder of words", named("add2tkectl-cls-id-np-4d8s1x6z"), {"placeholder", "other"}, set()],
	["dots", named("add2tkectl-cls-...-np-4d8s1x6z"), {"placeholder"}, set()],
	["a placeholder for the cluster", tke([{"op": "replace", "path": "/cluster", "value": "$CLUSTER"}]), {"placeholder", "other"}, set()],
	["another name", named("install.sh"), {"name"}, set()],
	["no pool in its name", named("add2tkectl-cls-7f3k2m9q"), {"name"}, set()],
	["not there", fixture.change(issued, [{"op": "replace", "path": "/launch/evidence/0/found", "value": false}, {"op": "remove", "path": "/launch/evidence/0/actualSha256"}]), {"missing"}, {"unlooked"}],
	["never reviewed", with_script("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", {}), {"unreviewed"}, {"unlooked"}],
	["changed since", with_script("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", {"sha256": fixture.other_digest}), {"changed"}, {"unlooked"}],
	["nobody could look", fixture.change(issued, [{"op": "remove", "path": "/launch/evidence/0/found"}, {"op": "remove", "path": "/launch/evidence/0/actualSha256"}]), set(), {"unlooked"}],
	["nobody looked", fixture.change(issued, [{"op": "remove", "path": "/launch/evidence/0"}]), set(), {"unlooked"}],
	["no script", fixture.node, {"unrecorded"}, set()],
	["no script, not all read", fixture.gap(fixture.node, "launch", "launch.manifest.tke", "failed"), set(), set()],
	["no digest, not all read", fixture.gap(with_script("add2tkectl-cls-7f3k2m9q-np-4d8s1x6z", {}), "launch", "launch.manifest.tke", "failed"), set(), {"unlooked"}],
	["cluster not named", tke([{"op": "remove", "path": "/cluster"}]), set(), {"undeclared"}],
	["pool not named", tke([{"op": "remove", "path": "/nodePool"}]), set(), {"undeclared"}],
	["no tke section", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest/tke"}]), set(), {"manifestless"}],
	["no manifest", fixture.change(fixture.node, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
	["stays out", fixture.serving, set(), set()],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u & {"unlooked", "undeclared", "manifestless"}] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

test_who_stays_out_needs_none if {
	rule.applicable == false with input as fixture.serving
	not rule.applicable == false with input as fixture.node
	count(rule.subjects) == 1 with input as issued
}

test_what_it_was_issued_for_is_told if {
	some f in rule.fail with input as named("add2tkectl-cls-7f3k2m9q-np-00000000")
	f.args.found == "np-00000000"
	f.args.wanted == "np-4d8s1x6z"
}
