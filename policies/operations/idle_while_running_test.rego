# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.idle_while_running_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.idle_while_running as rule

cases := [
	["nothing amiss", fixture.quiet, set(), set()],
	["post-processing failed", fixture.saying(fixture.log([fixture.signal("postProcessFailed", 900), fixture.signal("serverReady", 800)])), {"post"}, set()],
	["the queue is full", fixture.saying(fixture.log([fixture.signal("queueFull", 900), fixture.signal("serverReady", 800)])), {"queue"}, set()],
	["a worker ended", fixture.saying(fixture.log([fixture.signal("workerExit", 900), fixture.signal("serverReady", 800)])), {"worker"}, set()],
	["a worker ended before", fixture.saying(fixture.log([fixture.signal("workerExit", 700), fixture.signal("serverReady", 800)])), set(), set()],
	["a job runs", fixture.answered(fixture.quiet, {"kind": "job", "service": "lima", "jobStatus": "Running"}), set(), {"job"}],
	["a job is done", fixture.answered(fixture.quiet, {"kind": "job", "service": "lima", "jobStatus": "done"}), set(), set()],
	["a job of another service", fixture.answered(fixture.quiet, {"kind": "job", "service": "other", "jobStatus": "running"}), set(), {"job"}],
	["a job of a service that is not told", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "queued"}), set(), {"job"}],
	["a job that is done, of a service that is not told", fixture.answered(fixture.quiet, {"kind": "job", "jobStatus": "done"}), set(), set()],
	["log not whole", fixture.saying(fixture.tail([fixture.signal("serverReady", 800)])), set(), {"partly"}],
	["no log", fixture.looked(fixture.measured(fixture.serving)), set(), {"logless"}],
	["no manifest", fixture.unmanifested(fixture.quiet), set(), {"manifestless"}],
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

test_applicable if {
	not rule.applicable == false with input as fixture.quiet
	not rule.applicable == false with input as fixture.unmanifested(fixture.quiet)
	rule.applicable == false with input as fixture.serviceless(fixture.quiet)
}

test_subjects if {
	fixture.names(rule.subjects) == {"lima"} with input as fixture.quiet
	fixture.names(rule.subjects) == {"launch manifest: services"} with input as fixture.unmanifested(fixture.quiet)
}
