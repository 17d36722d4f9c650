# METADATA
# title: A container on a GPU comes back after a restart
# description: >-
#   A model server without restart policy stays down when the machine or the
#   daemon restarts.
# schemas:
#   - input: schema.facts
# custom:
#   id: EXA001
#   severity: warning
#   requires: [docker.daemons]
#   covers: []
#   remediation: "docker update --restart unless-stopped {container}"
#   messages:
#     none: "container {container} has no restart policy"
#     untold: "whether container {container} has a restart policy is not known"
package gpugate.rules.example.restart_policy

subject(c) := {"kind": "container", "id": c.id, "name": c.name}

# serving are the running containers that may use a GPU.
serving contains [d, i] if {
	some d, daemon in input.docker.daemons
	some i, c in daemon.containers
	c.state == "running"
	count(c.gpus) > 0
}

subjects contains subject(input.docker.daemons[d].containers[i]) if some [d, i] in serving

applicable := false if count(serving) == 0

statement(message, d, i) := {
	"subject": subject(c),
	"message": message,
	"args": {"container": c.name},
	"evidence": [sprintf("/docker/daemons/%d/containers/%d", [d, i])],
} if {
	c := input.docker.daemons[d].containers[i]
}

fail contains statement("none", d, i) if {
	some [d, i] in serving
	input.docker.daemons[d].containers[i].restartPolicy == "no"
}

# A value that is left out is not known. That a daemon could not be read at all
# needs no line here: the evaluator knows what this rule reads.
unknown contains statement("untold", d, i) if {
	some [d, i] in serving
	not input.docker.daemons[d].containers[i].restartPolicy
}
