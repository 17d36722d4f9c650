# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.request_refused_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.request_refused as rule

cases := [
	["no refusal", fixture.quiet, set(), set()],
	["a wrong input", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "httpStatus": 400, "errorCode": "invalid_request"}), {"input"}, set()],
	["another mode", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "httpStatus": 409, "errorCode": "wrong"}), {"waiting"}, set()],
	["loading, by its words", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "errorCode": "model_not_ready"}), {"waiting"}, set()],
	["busy, by its number", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "errorCode": "503"}), {"waiting"}, set()],
	["by its type", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "errorType": "unavailable_error"}), {"waiting"}, set()],
	["nothing told", fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "httpStatus": 400}), {"input"}, set()],
	["of another service", fixture.answered(fixture.quiet, {"kind": "error", "service": "other", "httpStatus": 400}), {"input"}, set()],
	["of a service that is not told", fixture.answered(fixture.quiet, {"kind": "error", "httpStatus": 409}), {"waiting"}, set()],
	["of none declared", fixture.answered(fixture.serviceless(fixture.quiet), {"kind": "error", "httpStatus": 409}), {"waiting"}, set()],
	["no error", fixture.answered(fixture.quiet, {"kind": "job", "service": "lima", "jobStatus": "done"}), set(), set()],
	["logged 400", fixture.saying(fixture.log([fixture.signal("http400", 5)])), {"logged"}, set()],
	["logged 409", fixture.saying(fixture.log([fixture.signal("http409", 5)])), {"logged"}, set()],
	["log not whole", fixture.saying(fixture.tail([])), set(), {"partly"}],
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

test_strangers_are_judged if {
	not rule.applicable == false with input as fixture.answered(fixture.serviceless(fixture.quiet), {"kind": "error", "httpStatus": 409})
	fixture.names(rule.subjects) == {"answer.json", "lima"} with input as fixture.answered(fixture.quiet, {"kind": "error"})
}

test_words if {
	{[f.args.status, f.args.code] | some f in rule.fail} == {["400", "untold"]} with input as fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "httpStatus": 400})
	{[f.args.status, f.args.code] | some f in rule.fail} == {["of untold status", "model_not_ready"]} with input as fixture.answered(fixture.quiet, {"kind": "error", "service": "lima", "errorCode": "model_not_ready"})
	{[f.args.name, f.args.count] | some f in rule.fail} == {["http400", 3]} with input as fixture.saying(fixture.log([object.union(fixture.signal("http400", 5), {"count": 3})]))
}
