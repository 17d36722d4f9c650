# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.measured_at_limits_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.measured_at_limits as rule

ready := fixture.measured(fixture.serving)

service(patches) := fixture.change(ready, [object.union(p, {"path": sprintf("/launch/manifest/services/0%s", [p.path])}) | some p in patches])

set(path, value) := service([{"op": "add", "path": path, "value": value}])

without(path) := service([{"op": "remove", "path": path}])

proof := count(ready.launch.evidence) - 1

with_args(args) := set("/args", array.concat(["python3", "-m", "sglang.launch_server"], args))

film := service([
	{"op": "replace", "path": "/limits", "value": {"resolution": "1280x720", "concurrency": 2}},
	{"op": "replace", "path": "/measured", "value": object.union(object.remove(ready.launch.manifest.services[0].measured, ["maxModelLen"]), {"resolution": "1280*720", "concurrency": 2})},
	{"op": "replace", "path": "/args", "value": ["python3", "serve.py", "--parallel", "2"]},
])

in_film(path, value) := fixture.change(film, [{"op": "add", "path": sprintf("/launch/manifest/services/0%s", [path]), "value": value}])

sliced := fixture.change(
	service([{"op": "add", "path": "/gpus", "value": ["MIG-1"]}, {"op": "add", "path": "/measured/peakMemoryMiB", "value": 40960}]),
	[{"op": "add", "path": "/nvml/gpus/0/migDevices", "value": [{"uuid": "MIG-1", "index": 0, "gpuInstanceId": 1, "computeInstanceId": 0, "memoryTotalBytes": 42949672960}]}],
)

cases := [
	["measured", ready, set(), set()],
	["no measurement", without("/measured"), {"lacking"}, set()],
	["no limits", without("/limits"), {"lacking"}, set()],
	["no day", without("/measured/at"), {"lacking"}, set()],
	["no peak", without("/measured/peakMemoryMiB"), {"lacking"}, set()],
	["no latency", without("/measured/p95LatencyMillis"), {"lacking"}, set()],
	["no evidence", without("/measured/evidence"), {"lacking"}, set()],
	["no length measured", without("/measured/maxModelLen"), {"lacking"}, set()],
	["no length, not all read", fixture.gap(without("/measured"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["no limit of length, not all read", fixture.gap(without("/limits"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["longer than measured", service([{"op": "replace", "path": "/limits/maxModelLen", "value": 32769}, {"op": "replace", "path": "/args/8", "value": "32769"}]), {"beyond"}, set()],
	["shorter than measured", service([{"op": "replace", "path": "/limits/maxModelLen", "value": 4096}, {"op": "replace", "path": "/args/8", "value": "4096"}]), set(), set()],
	["more at once", service([{"op": "replace", "path": "/limits/concurrency", "value": 17}, {"op": "replace", "path": "/args/10", "value": "17"}]), {"beyond"}, set()],
	["runs longer than recorded", set("/args/8", "65536"), {"configured"}, set()],
	["runs with thousands", service([{"op": "replace", "path": "/args/8", "value": "32K"}]), set(), set()],
	["runs with what nobody can read", set("/args/8", "auto"), set(), {"unread"}],
	["does not say how long", with_args(["--max-running-requests", "16"]), set(), {"unset"}],
	["does not say how many", with_args(["--context-length", "32768"]), set(), {"unset"}],
	["no arguments", without("/args"), set(), {"unset"}],
	["today", set("/measured/at", "2026-11-30"), set(), set()],
	["tomorrow", set("/measured/at", "2026-12-01"), {"future"}, set()],
	["180 days ago", set("/measured/at", "2026-06-03"), set(), set()],
	["182 days ago", set("/measured/at", "2026-06-01"), {"old"}, set()],
	["as much as there is", set("/measured/peakMemoryMiB", 46068), set(), set()],
	["more than there is", set("/measured/peakMemoryMiB", 46069), {"peak"}, set()],
	["more than there is, by UUID", service([{"op": "add", "path": "/gpus", "value": [fixture.gpu_b]}, {"op": "add", "path": "/measured/peakMemoryMiB", "value": 50000}]), {"peak"}, set()],
	["on an instance", sliced, set(), set()],
	["too much for an instance", fixture.change(sliced, [{"op": "add", "path": "/launch/manifest/services/0/measured/peakMemoryMiB", "value": 40961}]), {"peak"}, set()],
	["on an instance of unknown size", fixture.change(sliced, [{"op": "remove", "path": "/nvml/gpus/0/migDevices/0/memoryTotalBytes"}]), set(), {"untold"}],
	["on no card", without("/gpus"), set(), {"untold"}],
	["on an empty list of cards", set("/gpus", []), set(), {"untold"}],
	["on a card that is not there", set("/gpus", ["7"]), set(), {"untold"}],
	["on a card of unknown size", fixture.change(ready, [{"op": "remove", "path": "/nvml/gpus/0/memory"}]), set(), {"untold"}],
	["evidence not there", fixture.change(ready, [{"op": "replace", "path": sprintf("/launch/evidence/%d/found", [proof]), "value": false}]), {"missing"}, set()],
	["evidence not looked at", fixture.change(ready, [{"op": "remove", "path": sprintf("/launch/evidence/%d/found", [proof])}]), set(), {"unlooked"}],
	["evidence not among those looked at", fixture.change(ready, [{"op": "remove", "path": sprintf("/launch/evidence/%d", [proof])}]), set(), {"unlooked"}],
	["evidence is a page", fixture.change(ready, [{"op": "remove", "path": sprintf("/launch/evidence/%d/found", [proof])}, {"op": "replace", "path": sprintf("/launch/evidence/%d/kind", [proof]), "value": "url"}]), set(), set()],
	["a film", film, set(), set()],
	["a larger film", in_film("/limits/resolution", "1920x1080"), {"beyond"}, set()],
	["a film in words", fixture.change(in_film("/limits/resolution", "720p"), [{"op": "replace", "path": "/launch/manifest/services/0/measured/resolution", "value": "720P"}]), set(), set()],
	["another film in words", in_film("/limits/resolution", "1080p"), {"beyond"}, set()],
	["a film that runs larger", in_film("/args", ["python3", "serve.py", "--parallel", "2", "--resolution", "1920x1080"]), {"configured"}, set()],
	["no services", fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/services", "value": []}]), set(), set()],
	["no manifest", fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}]), set(), {"manifestless"}],
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

test_what_is_judged if {
	fixture.names(rule.subjects) == {"lima"} with input as ready
	count(rule.subjects) == 1 with input as fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest"}])
	rule.applicable == false with input as fixture.blank
	not rule.applicable == false with input as ready
}

test_every_missing_part_is_told if {
	count(rule.fail) == 6 with input as without("/measured")
	count(rule.fail) == 2 with input as without("/limits")
}

test_what_trains_serves_nobody if {
	bare := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/scope", "value": "training"}])
	rule.applicable == false with input as bare
	count(rule.fail) == 0 with input as bare
	count(rule.unknown) == 0 with input as bare
	named := fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/training", "value": [{"name": "tune", "kind": "lora", "service": "lima"}]}])
	rule.applicable == false with input as named
	other := fixture.change(fixture.serving, [{"op": "add", "path": "/launch/manifest/training", "value": [{"name": "tune", "kind": "lora", "service": "other"}]}])
	not rule.applicable == false with input as other
}
