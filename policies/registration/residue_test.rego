# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.registration.residue_test

import data.gpugate.lib.fixture
import data.gpugate.rules.registration.residue as rule

holding(doc, residue) := fixture.change(doc, [{"op": "replace", "path": "/host/residue", "value": residue}])

kubelet := {"kind": "kubeletState", "path": "/var/lib/kubelet"}

chain := {"kind": "iptables", "path": "KUBE-SERVICES"}

unread := fixture.change(fixture.serving, [{"op": "replace", "path": "/sources/4", "value": {"name": "kubernetes", "status": "denied", "gaps": [{"path": "kubernetes", "reason": "denied", "detail": "no"}]}}])

cases := [
	["clean", fixture.serving, set(), set()],
	["kubelet state", holding(fixture.serving, [kubelet]), {"left"}, set()],
	["every kind", holding(fixture.serving, [kubelet, chain, {"kind": "cni", "path": "/etc/cni/net.d/10-a.conflist"}, {"kind": "interface", "path": "cbr0"}, {"kind": "kubernetesConfig", "path": "/etc/kubernetes"}]), {"left"}, set()],
	["a node", holding(fixture.node, [kubelet]), set(), set()],
	["the cluster could not be read", holding(unread, [kubelet]), set(), {"whose"}],
	["the cluster could not be read, and nothing is there", unread, set(), set()],
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

test_paths_are_told_by_kind if {
	said := rule.fail with input as holding(fixture.serving, [kubelet, chain, {"kind": "iptables", "path": "KUBE-NODEPORTS"}])
	{f.args.paths | some f in said} == {"/var/lib/kubelet", "KUBE-NODEPORTS, KUBE-SERVICES"}
	{f.args.kind | some f in said} == {"kubelet state", "iptables chains"}
}

test_on_a_node_it_belongs_there if {
	rule.applicable == false with input as fixture.node
	not rule.applicable == false with input as fixture.serving
	count(rule.subjects) == 1 with input as fixture.serving
}
