# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.scope_test

import data.gpugate.lib.fixture
import data.gpugate.lib.scope

work(class) := {"subject": {"kind": "unit", "id": class, "name": class}, "holder": "a unit", "answer": {"class": class, "kind": "", "why": "so"}, "evidence": ["/systemd/units/0"]}

all_work := {work(c) | some c in {"training", "rollout", "inference", "tool", "unknown", "child"}}

declared(value) := fixture.change(fixture.blank, [{"op": "replace", "path": "/launch/manifest/scope", "value": value}])

told(statements) := {[s.subject.id, s.message] | some s in statements}

test_a_server_for_inference if {
	told(scope.fails(all_work)) == {["training", "training"], ["rollout", "rollout"]} with input as declared("inference")
	told(scope.unknowns(all_work)) == {["unknown", "unrecognised"], ["child", "unrecognised"]} with input as declared("inference")
	not scope.training with input as declared("inference")
}

test_a_server_for_training if {
	told(scope.fails(all_work)) == set() with input as declared("training")
	scope.training with input as declared("training")
}

test_a_server_for_nothing_declared if {
	undeclared := fixture.change(fixture.blank, [{"op": "remove", "path": "/launch/manifest/scope"}])
	told(scope.fails(all_work)) == set() with input as undeclared
	{id | some [id, "undeclared"] in told(scope.unknowns(all_work))} == {w.subject.id | some w in all_work} with input as undeclared
	not scope.training with input as undeclared
}

test_what_it_rests_on if {
	{s.evidence | some s in scope.fails({work("training")})} == {["/launch/manifest/scope", "/systemd/units/0"]} with input as declared("inference")
	{s.evidence | some s in scope.unknowns({work("child")})} == {["/systemd/units/0"]} with input as declared("inference")
}
