# Documents with logs and saved answers, for the tests of symptoms.
package gpugate.lib.fixture

# looked is a document whose logs and saved answers were read.
looked(doc) := object.union(
	change(doc, [{"op": "replace", "path": "/sources", "value": array.concat(doc.sources, [
		{"name": "logs", "status": "complete", "gaps": []},
		{"name": "samples", "status": "complete", "gaps": []},
	])}]),
	{"logs": {"streams": []}, "samples": {"answers": []}},
)

# spoken is a document with one more log.
spoken(doc, stream) := change(doc, [{"op": "add", "path": "/logs/streams/-", "value": stream}])

# log is that of the container of the first service, in full.
log(signals) := {"kind": "container", "name": "lima", "endpoint": "unix:///run/docker.sock", "lines": 900, "whole": true, "signals": signals}

# tail is the end of it.
tail(signals) := object.union(log(signals), {"whole": false})

kernel(signals) := {"kind": "kernel", "name": "kernel", "lines": 2000, "whole": true, "signals": signals}

signal(name, line) := {"name": name, "count": 1, "lastLine": line}

told(name, line, value) := object.union(signal(name, line), {"value": value})

# quiet is a server whose one service said that it is ready, and whose kernel has
# nothing to say.
quiet := spoken(spoken(looked(measured(serving)), log([signal("serverReady", 800)])), kernel([]))

# saying is that server, whose service said something else.
saying(stream) := spoken(spoken(looked(measured(serving)), stream), kernel([]))

answer(members) := object.union({"file": "answer.json", "sha256": digest, "kind": "other", "choices": []}, members)

# answered is a document with a saved answer.
answered(doc, members) := change(doc, [{"op": "add", "path": "/samples/answers/-", "value": answer(members)}])

# serving_with changes the recorded service.
serving_with(doc, member, value) := change(doc, [{"op": "add", "path": sprintf("/launch/manifest/services/0/%s", [member]), "value": value}])

serving_without(doc, member) := change(doc, [{"op": "remove", "path": sprintf("/launch/manifest/services/0/%s", [member])}])

unmanifested(doc) := change(doc, [{"op": "remove", "path": "/launch/manifest"}])

serviceless(doc) := change(doc, [{"op": "replace", "path": "/launch/manifest/services", "value": []}])

# in_unit is the first service run by systemd, in_workload by the cluster.
in_unit(doc, name) := change(doc, [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"systemd": {"unit": name}}}])

in_workload(doc, name) := change(doc, [{"op": "replace", "path": "/launch/manifest/services/0/runtime", "value": {"kubernetes": {"namespace": "serving", "workload": name}}}])

# node_quiet is such a server in a cluster.
node_quiet := looked(node)
