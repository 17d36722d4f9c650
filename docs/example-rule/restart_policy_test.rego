# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.example.restart_policy_test

import data.gpugate.rules.example.restart_policy as rule

server(known) := {"docker": {"daemons": [{"containers": [object.union(known, {
	"id": "c0ffee",
	"name": "llama",
	"state": "running",
	"gpus": [{"via": "deviceRequest", "all": true, "devices": []}],
})]}]}}

test_no_policy_is_a_violation if count(rule.fail) == 1 with input as server({"restartPolicy": "no"})

test_any_policy_is_right if {
	doc := server({"restartPolicy": "always"})
	count(rule.subjects) == 1 with input as doc
	count(rule.fail) == 0 with input as doc
	count(rule.unknown) == 0 with input as doc
}

test_an_untold_policy_is_neither if {
	doc := server({})
	count(rule.fail) == 0 with input as doc
	count(rule.unknown) == 1 with input as doc
}

test_nothing_to_judge if rule.applicable == false with input as {"docker": {"daemons": []}}
