# METADATA
# title: Symptoms
# description: >-
#   What the logs of a declared service say, and where it runs. A signal that is not
#   there was not given only where the log reaches back to the start of the present
#   run.
# schemas:
#   - input: schema.facts
package gpugate.lib.symptoms

import data.gpugate.lib.party
import data.gpugate.lib.record

# streams are the logs of a service, each with its pointer.
streams(r) := [{"at": sprintf("/logs/streams/%d", [i]), "stream": s} |
	some i, s in input.logs.streams
	wrote(r.service, s)
]

wrote(service, s) if {
	s.kind == "container"
	s.name == service.runtime.docker.container
	party.same_endpoint(object.get(service.runtime.docker, "host", daemon(s)), daemon(s))
}

wrote(service, s) if {
	s.kind == "unit"
	record.bare(s.name) == record.bare(service.runtime.systemd.unit)
}

wrote(service, s) if {
	s.kind == "pod"
	wanted := service.runtime.kubernetes
	[wanted.namespace, true] == [split(s.name, "/")[0], startswith(split(s.name, "/")[1], wanted.workload)]
}

wrote(service, s) if {
	s.kind == "file"
	s.name in called(service)
}

daemon(s) := object.get(s, "endpoint", "")

# called are the names that a file of the service's log may have.
called(service) := (({service.name} | {name | name := service.runtime.docker.container}) | {name | name := record.bare(service.runtime.systemd.unit)}) | {name | name := service.runtime.kubernetes.workload}

# signals are all of one name in the logs of a service.
signals(r, name) := [{"at": sprintf("%s/signals/%d", [l.at, i]), "signal": g, "stream": l.stream} |
	some l in streams(r)
	some i, g in l.stream.signals
	g.name == name
]

# told holds if a log says it.
told(r, name) if count(signals(r, name)) > 0

# last is the last line that says it, over all names given; 0 where none does.
last(s, names) := max({g.lastLine | some g in s.signals; g.name in names} | {0})

# whole holds if there is a log and each reaches back to the start of the run.
whole(r) if {
	logs := streams(r)
	count(logs) > 0
	every l in logs {
		l.stream.whole
	}
}

# ready holds if each log says that the service became ready, and nothing after
# that speaks of loading or of a worker that ended.
ready(r) if {
	logs := streams(r)
	count(logs) > 0
	every l in logs {
		last(l.stream, {"serverReady"}) > last(l.stream, {"loadProgress", "compileProgress", "workerExit"})
	}
}

# places are where signals stand.
places(found) := [f.at | some f in found]

# flag is the value of a command-line option, "" for one without.
flag(args, names) := values[0] if {
	values := [value |
		some i, word in args
		option(word) in names
		value := after(args, i, word)
	]
}

option(word) := replace(trim_left(split(word, "=")[0], "-"), "-", "_") if startswith(word, "--")

after(_, _, word) := substring(word, indexof(word, "=") + 1, -1) if contains(word, "=")

after(args, i, word) := args[i + 1] if {
	not contains(word, "=")
	not startswith(args[i + 1], "-")
}

after(args, i, word) := "" if {
	not contains(word, "=")
	startswith(args[i + 1], "-")
}

after(args, i, word) := "" if {
	not contains(word, "=")
	i == count(args) - 1
}

# logs_of is the command that shows the log of a service.
logs_of(service) := sprintf("docker %slogs --tail 100 %s", [host(service.runtime.docker), service.runtime.docker.container]) if {
	service.runtime.docker
} else := sprintf("journalctl -u %s -n 100 --no-pager", [service.runtime.systemd.unit]) if {
	service.runtime.systemd
} else := sprintf("kubectl logs -n %s %s --tail 100", [service.runtime.kubernetes.namespace, service.runtime.kubernetes.workload]) if {
	service.runtime.kubernetes
} else := sprintf("the log of %s", [service.name])

# state_of is the command that shows whether a service runs.
state_of(service) := sprintf("docker %sps -a --filter name=%s", [host(service.runtime.docker), service.runtime.docker.container]) if {
	service.runtime.docker
} else := sprintf("systemctl status %s", [service.runtime.systemd.unit]) if {
	service.runtime.systemd
} else := sprintf("kubectl get pods -n %s", [service.runtime.kubernetes.namespace]) if {
	service.runtime.kubernetes
} else := sprintf("the state of %s", [service.name])

host(d) := sprintf("-H %s ", [d.host]) if {
	d.host != ""
} else := ""

# answer is a saved answer as a subject.
answer(s) := {"kind": "sample", "id": s.file, "name": s.file}

# attributed holds if the name of a saved answer's file tells which service gave it.
attributed(s) if {
	some r in record.services
	r.service.name == s.service
}

# nameless are the arguments that name a service, where none is told.
nameless := {"service": "a service that its name does not tell", "log": "the log of that service", "state": "the state of that service"}
