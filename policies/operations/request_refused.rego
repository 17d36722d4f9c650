# METADATA
# title: "Requests are not refused"
# description: >-
#   400 or 409. The code in the body (error.code) tells whether the input is wrong or the model is not in the
#   wanted mode, or not ready; the log counts such answers.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS011
#   severity: warning
#   onRequest: true
#   requires: [launch.manifest, samples.answers, logs.streams]
#   covers: [F11]
#   remediation: >-
#     Read error.code in the body of the answer: correct a wrong input; where {service} is loading or in another
#     mode, wait until it is ready ({log}).
#   messages:
#     input: "{file} is an answer {status} of {service}, with the code {code}: the input is wrong"
#     waiting: "{file} is an answer {status} of {service}, with the code {code}: it is not ready, or in another mode"
#     logged: "{service} has answered {name} {count} times in the part of its log that was read"
#     partly: "the log of {service} that was read does not reach back to its start, and does not say"
#     logless: "no log of {service} was read"
#     manifestless: "there is no launch manifest that could name the services"
#   ko:
#     title: "요청이 거부되지 않는다"
#     description: >-
#       400 또는 409가 발생하는 증상입니다. 본문의 코드(error.code)가 입력이 잘못되었는지, 모델이 원하는 모드가
#       아니거나 준비되지 않았는지 말해 주며, 로그는 그런 응답의 수를 알려 줍니다.
#     remediation: >-
#       응답 본문의 error.code를 읽으십시오. 잘못된 입력은 고치고, {service}이(가) 로드 중이거나 다른 모드라면
#       준비될 때까지 기다리십시오({log}).
#     messages:
#       input: "{file}은(는) {service}의 {status} 응답이며 코드는 {code}입니다. 입력이 잘못되었습니다"
#       waiting: "{file}은(는) {service}의 {status} 응답이며 코드는 {code}입니다. 준비되지 않았거나 다른 모드입니다"
#       logged: "{service}의 읽은 로그에 {name} 응답이 {count}번 있습니다"
#       partly: "읽은 {service}의 로그는 시작까지 거슬러 올라가지 않으며, 그에 대해 말하지 않습니다"
#       logless: "{service}의 로그를 읽지 못했습니다"
#       manifestless: "서비스를 적어 둔 런치 매니페스트가 없습니다"
package gpugate.rules.operations.request_refused

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

# strangers are saved errors whose names tell no service of the manifest.
strangers := [[i, s] |
	some i, s in input.samples.answers
	s.kind == "error"
	not symptoms.attributed(s)
]

subjects contains symptoms.answer(s) if some [_, s] in strangers

fail contains {
	"subject": symptoms.answer(s),
	"message": message(s),
	"args": object.union(symptoms.nameless, {"file": s.file, "status": status(s), "code": code(s)}),
	"evidence": [sprintf("/samples/answers/%d", [i])],
} if {
	some [i, s] in strangers
}

# answered are the saved errors of a service.
answered(r) := [[i, s] |
	some i, s in input.samples.answers
	s.kind == "error"
	s.service == r.service.name
]

status(s) := sprintf("%d", [s.httpStatus]) if {
	s.httpStatus > 0
} else := "of untold status"

code(s) := object.get(s, "errorCode", object.get(s, "errorType", "untold"))

waits(s) if s.httpStatus in {409, 425, 429, 503}

waits(s) if regex.match(`(?i)(not_?ready|loading|unavailable|busy|conflict|mode)`, code(s))

waits(s) if code(s) in {"409", "429", "503"}

fail contains say(r, message(s), {"file": s.file, "status": status(s), "code": code(s)}, [sprintf("/samples/answers/%d", [i])]) if {
	some r in record.services
	some [i, s] in answered(r)
}

message(s) := "waiting" if {
	waits(s)
} else := "input"

fail contains say(r, "logged", {"name": name, "count": sum([g.signal.count | some g in found])}, symptoms.places(found)) if {
	some r in record.services
	some name in ["http400", "http409"]
	found := symptoms.signals(r, name)
	count(found) > 0
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
