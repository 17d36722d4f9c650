# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.prelaunch.endpoint_protected_test

import data.gpugate.lib.fixture
import data.gpugate.rules.prelaunch.endpoint_protected as rule

ready := fixture.measured(fixture.serving)

endpoint(change) := fixture.change(ready, [{"op": "replace", "path": "/launch/manifest/services/0/endpoint", "value": object.union(ready.launch.manifest.services[0].endpoint, change)}])

without(member) := fixture.change(ready, [{"op": "remove", "path": sprintf("/launch/manifest/services/0/endpoint/%s", [member])}])

listening(doc, address) := fixture.change(doc, [{"op": "replace", "path": "/host/listeners", "value": [{"address": address, "port": 8000, "processes": [{"pid": 4101, "name": "python3"}]}]}])

private := endpoint({"public": false})

published(address) := fixture.change(private, [{"op": "add", "path": "/docker/daemons/0/containers/0/ports", "value": [{"containerPort": 8000, "protocol": "tcp", "hostAddress": address, "hostPort": 8000}]}])

cases := [
	["protected", ready, set(), set()],
	["no authentication said", without("auth"), {"lacking"}, set()],
	["no TLS said", without("tls"), {"lacking"}, set()],
	["no origins said", without("allowedCidrs"), {"lacking"}, set()],
	["an empty list of origins", endpoint({"allowedCidrs": []}), {"lacking"}, set()],
	["no size said", without("maxRequestBytes"), {"lacking"}, set()],
	["no rate said", without("ratePerMinute"), {"lacking"}, set()],
	["nothing said, not all read", fixture.gap(without("auth"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["public in plain text", endpoint({"tls": false}), {"plain"}, set()],
	["private in plain text", listening(endpoint({"tls": false, "public": false}), "127.0.0.1"), set(), set()],
	["public without a key", endpoint({"auth": "None"}), {"plain"}, set()],
	["private without a key", listening(endpoint({"auth": "none", "public": false}), "127.0.0.1"), set(), set()],
	["for everyone", endpoint({"allowedCidrs": ["10.0.0.0/8", "0.0.0.0/0"]}), {"everyone"}, set()],
	["for everyone of six", endpoint({"allowedCidrs": ["::/0"]}), {"everyone"}, set()],
	["for no range", endpoint({"allowedCidrs": ["office"]}), {"origin"}, set()],
	["for one address", endpoint({"allowedCidrs": ["10.1.2.3", "fd00::/8", "2001:db8::1"]}), set(), set()],
	["private, bound to itself", listening(private, "127.0.0.1"), set(), set()],
	["private, bound to all", listening(private, "0.0.0.0"), {"exposed"}, set()],
	["private, bound to all of six", listening(private, "::"), {"exposed"}, set()],
	["private, bound to a private address", listening(private, "10.20.0.17"), set(), set()],
	["private, on another port", fixture.change(listening(private, "0.0.0.0"), [{"op": "replace", "path": "/host/listeners/0/port", "value": 9000}]), set(), {"unbound"}],
	["private, held by nobody known", fixture.change(listening(private, "0.0.0.0"), [{"op": "replace", "path": "/host/listeners/0/processes", "value": []}]), {"exposed"}, set()],
	["private, published to itself", published("127.0.0.1"), set(), set()],
	["private, published to all", published("0.0.0.0"), {"exposed"}, set()],
	["private, published to all without a word", fixture.change(published(""), [{"op": "remove", "path": "/docker/daemons/0/containers/0/ports/0/hostAddress"}]), {"exposed"}, set()],
	["private, and the manifest is not whole", fixture.gap(published("0.0.0.0"), "launch", "launch.manifest.services", "failed"), set(), set()],
	["private, in a pod", fixture.change(listening(private, "0.0.0.0"), [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"kubernetes": {"namespace": "serving", "workload": "lima"}}}]), set(), set()],
	["private, seen nowhere", private, set(), {"unbound"}],
	["public, bound to all", listening(ready, "0.0.0.0"), set(), set()],
	["no endpoint", fixture.change(ready, [{"op": "remove", "path": "/launch/manifest/services/0/endpoint"}]), set(), {"portless"}],
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

test_who_binds_is_told if {
	{f.args.what | some f in rule.fail} == {"python3"} with input as listening(private, "0.0.0.0")
	{f.args.address | some f in rule.fail} == {"every interface"} with input as published("")
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
