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

# Gaps at a list without an item say that items are missing; one below it may mean
# a part of any.
test_what_of_an_item_is_there if {
	index.whole("docker.daemons", "a") with input as fixture.serving
	index.whole("docker.daemons", "a") with input as fixture.gap(fixture.serving, "docker", "docker.daemons", "denied")
	not index.whole("docker.daemons", "a") with input as fixture.gap(fixture.serving, "docker", "docker.daemons.containers", "denied")
}

unlisted := fixture.change(fixture.serving, [{"op": "replace", "path": "/sources", "value": []}])

test_cards_that_are_listed if {
	index.every_card_listed with input as fixture.serving
	not index.every_card_listed with input as unlisted
	not index.whole("nvml.gpus", fixture.gpu_a) with input as unlisted
	not index.every_card_listed with input as fixture.gap(fixture.serving, "nvml", "nvml", "denied")
	not index.every_card_listed with input as fixture.gap(fixture.serving, "nvml", "nvml.gpus", "failed")

	# A part of a card, or one that is listed, does not make the list shorter.
	index.every_card_listed with input as fixture.gap(fixture.serving, "nvml", "nvml.gpus.memory", "failed")
	index.every_card_listed with input as fixture.lacking(fixture.serving, "nvml", {"path": "nvml.gpus", "item": fixture.gpu_a, "reason": "failed", "detail": "lost"})
	not index.every_card_listed with input as fixture.lacking(fixture.serving, "nvml", {"path": "nvml.gpus", "item": "GPU-other", "reason": "failed", "detail": "lost"})
	index.every_card_listed with input as fixture.gap(fixture.serving, "nvml", "nvml.processes", "failed")
}

test_one_source_tells_nothing_of_another if {
	index.absent("kubernetes") with input as fixture.serving
	not index.absent("nvml") with input as fixture.serving
	not index.absent("tione") with input as fixture.serving
	index.status("kubernetes") == "absent" with input as fixture.serving
	index.status("nvml") == "complete" with input as fixture.serving
}
