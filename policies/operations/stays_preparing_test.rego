# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.operations.stays_preparing_test

import data.gpugate.lib.fixture
import data.gpugate.rules.operations.stays_preparing as rule

cases := [
	["ready", fixture.quiet, set(), set()],
	["ready after loading", fixture.saying(fixture.log([fixture.told("loadProgress", 500, 100), fixture.signal("serverReady", 800)])), set(), set()],
	["loading", fixture.saying(fixture.log([fixture.told("loadProgress", 500, 42)])), {"loading"}, {"silent"}],
	["loading anew", fixture.saying(fixture.log([fixture.signal("serverReady", 100), fixture.told("loadProgress", 500, 42)])), {"loading"}, set()],
	["compiling", fixture.saying(fixture.tail([fixture.signal("compileProgress", 500)])), {"loading"}, {"silent"}],
	["a worker ended while it loaded", fixture.saying(fixture.log([fixture.told("loadProgress", 500, 42), fixture.signal("workerExit", 600)])), {"worker"}, {"silent"}],
	["a worker ended, and it became ready", fixture.saying(fixture.log([fixture.signal("workerExit", 600), fixture.signal("serverReady", 800)])), set(), set()],
	["loading after a worker ended", fixture.saying(fixture.log([fixture.signal("workerExit", 400), fixture.told("loadProgress", 500, 42)])), {"worker", "loading"}, {"silent"}],
	["the port is taken", fixture.saying(fixture.log([fixture.signal("serverReady", 1), fixture.told("portInUse", 5, 8000)])), {"port"}, set()],
	["the disk is full", fixture.saying(fixture.log([fixture.signal("serverReady", 1), fixture.signal("diskFull", 5)])), {"disk"}, set()],
	["no files", fixture.saying(fixture.log([fixture.signal("filesMissing", 5)])), {"files"}, {"silent"}],
	["nothing said", fixture.saying(fixture.tail([])), set(), {"silent"}],
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

test_percentage if {
	{f.args.percent | some f in rule.fail} == {"loadProgress 42 %"} with input as fixture.saying(fixture.log([fixture.told("loadProgress", 500, 42)]))
	{f.args.percent | some f in rule.fail} == {"no percentage told"} with input as fixture.saying(fixture.log([fixture.signal("compileProgress", 500)]))
}
