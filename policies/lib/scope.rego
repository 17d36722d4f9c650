# METADATA
# title: Scope
# description: >-
#   What the rules on training and inference say of their workloads, which differ
#   only in where they are seen.
# schemas:
#   - input: schema.facts
package gpugate.lib.scope

# training holds if the manifest declares the server for training: the rules
# then have nothing to say.
training if input.launch.manifest.scope == "training"

declared if input.launch.manifest.scope == "inference"

# fails are the workloads that train, or serve a training, on a server declared
# for inference.
fails(workloads) := {statement(w, w.answer.class) |
	declared
	some w in workloads
	w.answer.class in {"training", "rollout"}
}

# unknowns are the workloads that cannot be told, and all of them where the
# server's scope is not declared.
unknowns(workloads) := {statement(w, "unrecognised") |
	some w in workloads
	w.answer.class in {"unknown", "child"}
} | {statement(w, "undeclared") |
	not input.launch.manifest.scope
	some w in workloads
}

statement(w, message) := {
	"subject": w.subject,
	"message": message,
	"args": {
		"name": w.subject.name,
		"holder": w.holder,
		"why": w.answer.why,
		"kind": w.answer.kind,
	},
	"evidence": evidence(message, w),
}

evidence(message, w) := w.evidence if {
	message == "unrecognised"
} else := array.concat(["/launch/manifest/scope"], w.evidence)
