# METADATA
# title: "The service became ready after its start"
# description: >-
#   A service stays preparing. Its log tells whether it loads or compiles, how far it is, and what ended it: a
#   worker, a port that is taken, a full disk, missing files. Ruled out is the symptom where the log says that
#   it is ready, and nothing after that speaks of loading. Answering 200 is no proof of it.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS004
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, logs.streams]
#   covers: [F4]
#   remediation: >-
#     While progress goes on, wait; where it stands still, look at the speed of the disk (iostat -x 1), at
#     memory (free -h) and at what ended a worker: {log}. Free a port that is taken (ss -ltnp).
#   messages:
#     loading: "{service} is loading or compiling ({percent}), and has not said since that it is ready"
#     worker: "a worker of {service} ended, and the service has not said since that it is ready"
#     port: "{service} found its port taken"
#     disk: "{service} found the disk full"
#     files: "{service} did not find files of its model"
#     silent: "the log of {service} does not say that it is ready"
#     logless: "no log of {service} was read"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "서비스가 시작 후 준비되었다"
#     description: >-
#       서비스가 계속 "준비 중"인 증상입니다. 로그는 로드 중인지 컴파일 중인지, 어디까지 왔는지, 무엇이
#       끝냈는지(worker 종료, 포트 충돌, 가득 찬 디스크, 없는 파일)를 말합니다. 로그가 준비되었다고 말하고 그
#       뒤에 로드를 말하는 것이 없으면 배제됩니다. 200 응답은 그 증거가 아닙니다.
#     remediation: >-
#       진행되고 있으면 기다리고, 멈춰 있으면 디스크 속도(iostat -x 1), 메모리(free -h), worker가 끝난 원인을
#       살펴보십시오: {log}. 이미 쓰이는 포트는 비우십시오(ss -ltnp).
#     messages:
#       loading: "{service}이(가) 로드 또는 컴파일 중이며({percent}), 그 뒤로 준비되었다고 말하지 않았습니다"
#       worker: "{service}의 worker가 끝났고, 그 뒤로 준비되었다고 말하지 않았습니다"
#       port: "{service}의 포트가 이미 쓰이고 있었습니다"
#       disk: "{service}이(가) 디스크가 가득 찬 것을 알렸습니다"
#       files: "{service}이(가) 모델 파일을 찾지 못했습니다"
#       silent: "{service}의 로그가 준비되었다고 말하지 않습니다"
#       logless: "{service}의 로그를 읽지 못했습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.stays_preparing

import data.gpugate.lib.record
import data.gpugate.lib.subject
import data.gpugate.lib.symptoms

all_services := subject.manifest("services")

subjects contains subject.service(r.service) if some r in record.services

subjects contains all_services if not input.launch.manifest

applicable := false if {
	input.launch.manifest
	count(record.services) == 0
}

say(r, message, extra, evidence) := {
	"subject": subject.service(r.service),
	"message": message,
	"args": object.union({"service": r.service.name, "log": symptoms.logs_of(r.service), "state": symptoms.state_of(r.service)}, extra),
	"evidence": evidence,
}

unknown contains {"subject": all_services, "message": "manifestless", "args": {}, "evidence": []} if not input.launch.manifest

# pending are logs that do not say, after their last word on loading, that the
# service is ready.
pending(r, names) := [l |
	some l in symptoms.streams(r)
	symptoms.last(l.stream, names) > symptoms.last(l.stream, {"serverReady"})
]

progress := {"loadProgress", "compileProgress"}

fail contains say(r, "loading", {"percent": percent(l.stream)}, [l.at]) if {
	some r in record.services
	some l in pending(r, progress)
	symptoms.last(l.stream, {"workerExit"}) < symptoms.last(l.stream, progress)
}

percent(s) := concat(", ", [sprintf("%s %d %%", [g.name, g.value]) | some g in s.signals; g.name in progress; g.value >= 0]) if {
	some g in s.signals
	g.name in progress
	g.value >= 0
} else := "no percentage told"

troubles := {"workerExit": "worker", "portInUse": "port", "diskFull": "disk", "filesMissing": "files"}

fail contains say(r, message, {}, [l.at]) if {
	some r in record.services
	some name, message in troubles
	some l in pending(r, {name})
}

unknown contains say(r, "silent", {}, [l.at]) if {
	some r in record.services
	some l in symptoms.streams(r)
	symptoms.last(l.stream, {"serverReady"}) == 0
}

unknown contains say(r, "logless", {}, [r.pointer]) if {
	some r in record.services
	count(symptoms.streams(r)) == 0
}
