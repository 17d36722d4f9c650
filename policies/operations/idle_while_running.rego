# METADATA
# title: "Work that is running makes progress"
# description: >-
#   The GPU idles though the job is running. That a GPU is idle proves nothing by itself: access, readiness,
#   queue, post-processing and file keeping are looked at apart. The log tells of a failed post-processing, of a
#   queue that is full, of a worker that ended.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS012
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, logs.streams, samples.answers]
#   covers: [F12]
#   remediation: >-
#     Look at the post-processing, the queue and the services that {service} depends on ({log}), and ask its
#     agent for its state; do not judge by GPU utilisation alone.
#   messages:
#     post: "the post-processing of {service} has failed"
#     queue: "the queue of {service} is full"
#     worker: "a worker of {service} ended, and the service has not said since that it is ready"
#     job: "{file} says that a job of {service} is {status}; whether it makes progress is not told"
#     partly: "the log of {service} that was read does not reach back to its start, and does not say"
#     logless: "no log of {service} was read"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "실행 중인 작업이 진행된다"
#     description: >-
#       작업은 "실행 중"인데 GPU가 한가한 증상입니다. GPU가 한가하다는 것만으로는 아무것도 증명되지 않으며 접속,
#       모델 준비, 대기열, 후처리, 파일 보관을 나누어 봅니다. 로그는 후처리 실패, 가득 찬 대기열, 끝난 worker를
#       말해 줍니다.
#     remediation: >-
#       {service}의 후처리, 대기열, 의존 서비스를 살펴보고({log}) Agent에 상태를 물으십시오. GPU 사용률만으로
#       판단하지 마십시오.
#     messages:
#       post: "{service}의 후처리가 실패했습니다"
#       queue: "{service}의 대기열이 가득 찼습니다"
#       worker: "{service}의 worker가 끝났고, 그 뒤로 준비되었다고 말하지 않았습니다"
#       job: "{file}에 따르면 {service}의 작업이 {status} 상태입니다. 진행되는지 알 수 없습니다"
#       partly: "읽은 {service}의 로그는 시작까지 거슬러 올라가지 않으며, 그에 대해 말하지 않습니다"
#       logless: "{service}의 로그를 읽지 못했습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.idle_while_running

import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.services

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(record.services) == 0
	count(strangers) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "log": symptoms.logs_of(r.service), "state": symptoms.state_of(r.service)}, extra),
	"evidence": evidence,
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": []} if not input.launch.manifest

pending := {"running", "processing", "in_progress", "queued", "pending"}

# strangers are saved answers about work that goes on, whose names tell no service
# of the manifest.
strangers := [[i, s] |
	some i, s in input.samples.answers
	lower(s.jobStatus) in pending
	not symptoms.attributed(s)
]

subjects contains symptoms.answer(s) if some [_, s] in strangers

unknown contains {
	"subject": symptoms.answer(s),
	"message": "job",
	"args": object.union(symptoms.nameless, {"file": s.file, "status": s.jobStatus}),
	"evidence": [sprintf("/samples/answers/%d", [i])],
} if {
	some [i, s] in strangers
}

fail contains say(r, message, {}, symptoms.places(found)) if {
	some r in record.services
	some name, message in {"postProcessFailed": "post", "queueFull": "queue"}
	found := symptoms.signals(r, name)
	count(found) > 0
}

fail contains say(r, "worker", {}, [l.at]) if {
	some r in record.services
	some l in symptoms.streams(r)
	symptoms.last(l.stream, {"workerExit"}) > symptoms.last(l.stream, {"serverReady"})
}

unknown contains say(r, "job", {"file": s.file, "status": s.jobStatus}, [sprintf("/samples/answers/%d", [i])]) if {
	some r in record.services
	some i, s in input.samples.answers
	s.service == r.service.name
	lower(s.jobStatus) in pending
}

unknown contains say(r, "partly", {}, [r.pointer]) if {
	some r in record.services
	count(symptoms.streams(r)) > 0
	not symptoms.whole(r)
}

unknown contains say(r, "logless", {}, [r.pointer]) if {
	some r in record.services
	count(symptoms.streams(r)) == 0
}
