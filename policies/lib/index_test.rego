# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.index_test

import data.gpugate.lib.fixture
import data.gpugate.lib.index

test_complete_until_a_gap_touches if {
	index.complete("nvml.gpus") with input as fixture.serving
	not index.complete("nvml.gpus") with input as fixture.gap(fixture.serving, "nvml", "nvml", "denied")
	not index.complete("nvml.gpus") with input as fixture.gap(fixture.serving, "nvml", "nvml.gpus", "denied")
	not index.complete("nvml.gpus") with input as fixture.gap(fixture.serving, "nvml", "nvml.gpus.memory", "denied")
	index.complete("nvml.gpus") with input as fixture.gap(fixture.serving, "nvml", "nvml.gpusOther", "denied")
	index.complete("nvml.gpus") with input as fixture.gap(fixture.serving, "docker", "docker", "denied")
}

test_a_source_nobody_asked_is_not_complete if {
	doc := fixture.change(fixture.serving, [{"op": "replace", "path": "/sources", "value": []}])
	not index.complete("nvml.gpus") with input as doc
	not index.complete_for("nvml.gpus", "x") with input as doc
	not index.absent("kubernetes") with input as doc
	index.status("nvml") == "skipped" with input as doc
}

test_gaps_about_other_items if {
	doc := fixture.lacking(fixture.serving, "nvml", {"path": "nvml.gpus", "item": "GPU-x", "reason": "failed", "detail": "lost"})
	index.complete_for("nvml.gpus", "GPU-y") with input as doc
	not index.complete_for("nvml.gpus", "GPU-x") with input as doc
	not index.complete("nvml.gpus") with input as doc
}

test_absent_is_proven_only_without_a_gap if {
	index.absent("kubernetes") with input as fixture.serving
	not index.absent("kubernetes") with input as fixture.node
	doc := fixture.change(fixture.serving, [{"op": "replace", "path": "/sources/4/gaps", "value": [{"path": "kubernetes", "reason": "absent", "detail": "no kubectl"}]}])
	not index.absent("kubernetes") with input as doc
}
