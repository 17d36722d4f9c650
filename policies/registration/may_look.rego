# METADATA
# title: The account may list nodes, pods and daemon sets
# description: >-
#   Who may not list pods sees none, which is not the same as there being none.
#   What the account may do is asked of the cluster itself.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/
# schemas:
#   - input: schema.facts
# custom:
#   id: REG002
#   severity: error
#   requires: [kubernetes.access]
#   covers: [S10]
#   remediation: >-
#     Let the account {verb} {resource}: bind it to a ClusterRole with that verb
#     (kubectl auth can-i {verb} {resource} -A shows whether it may).
#   messages:
#     forbidden: "the account may not {verb} {resource}: none seen does not mean none there ({reason})"
#     unanswered: "whether the account may {verb} {resource} is not known"
package gpugate.rules.registration.may_look

import data.gpugate.lib.claims
import data.gpugate.lib.index

needed := {"daemonsets", "nodes", "pods"}

about(resource) := {"kind": "permission", "id": sprintf("list %s", [resource]), "name": sprintf("list %s", [resource])}

subjects contains about(resource) if some resource in needed

# No cluster to look at, and that is known.
applicable := false if {
	count(input.kubernetes.access) == 0
	index.absent("kubernetes")
}

fail contains {
	"subject": about(a.resource),
	"message": "forbidden",
	"args": {"verb": a.verb, "resource": a.resource, "reason": claims.first([object.get(a, "reason", ""), "no reason was given"])},
	"evidence": [sprintf("/kubernetes/access/%d", [i])],
} if {
	some i, a in input.kubernetes.access
	a.verb == "list"
	a.resource in needed
	a.allowed == false
}

unknown contains {"subject": about(resource), "message": "unanswered", "args": {"verb": "list", "resource": resource}, "evidence": ["/kubernetes/access"]} if {
	some resource in needed
	not answered(resource)
}

answered(resource) if {
	some a in input.kubernetes.access
	a.verb == "list"
	a.resource == resource
}
