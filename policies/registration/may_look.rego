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
#   ko:
#     title: "계정이 노드, Pod, DaemonSet을 나열할 수 있다"
#     description: >-
#       Pod를 나열할 권한이 없으면 아무것도 보이지 않으며, 이는 Pod가 없다는 것과 다릅니다. 계정이 무엇을 할 수
#       있는지는 클러스터에 직접 묻습니다.
#     remediation: >-
#       계정에 {resource}에 대한 {verb} 권한을 주십시오. 그 동사를 가진 ClusterRole에 바인딩하면 됩니다(kubectl auth
#       can-i {verb} {resource} -A로 확인할 수 있습니다).
#     messages:
#       forbidden: "계정에 {resource}에 대한 {verb} 권한이 없습니다. 보이지 않는다고 해서 없는 것은 아닙니다({reason})"
#       unanswered: "계정에 {resource}에 대한 {verb} 권한이 있는지 알 수 없습니다"
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
