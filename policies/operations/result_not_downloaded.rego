# METADATA
# title: "The result can be downloaded"
# description: >-
#   A result (MP4) cannot be downloaded: the job is not completed, its result has expired, or the link redirects
#   and the client does not follow.
# schemas:
#   - input: schema.facts
# custom:
#   id: OPS013
#   severity: warning
#   onRequest: true
#   requires: [samples.answers]
#   covers: [F13]
#   remediation: >-
#     Ask whether the job of {file} is completed; follow redirects (curl -L -o result.mp4 URL); where it has
#     expired, look for a local copy, else generate it again.
#   messages:
#     unfinished: "{file}: the job is {status}, not completed"
#     expired: "{file}: the result expired on {on}"
#     redirect: "{file}: the answer redirects to {to}; a client that does not follow gets no file"
#     untold: "{file}: the answer does not tell the {what}"
#     none: "no saved answer about a job was given (--sample FILE)"
#   ko:
#     title: "결과를 내려받을 수 있다"
#     description: >-
#       결과(MP4)를 내려받을 수 없는 증상입니다. 작업이 완료되지 않았거나, 결과가 만료되었거나, 링크가
#       리다이렉트되는데 클라이언트가 따라가지 않습니다.
#     remediation: >-
#       {file}의 작업이 완료되었는지 확인하고 리다이렉트를 따라가십시오(curl -L -o result.mp4 URL). 만료되었다면
#       로컬 사본을 찾고, 없으면 다시 생성하십시오.
#     messages:
#       unfinished: "{file}: 작업이 완료가 아니라 {status} 상태입니다"
#       expired: "{file}: 결과가 {on}에 만료되었습니다"
#       redirect: "{file}: 응답이 {to}(으)로 리다이렉트됩니다. 따라가지 않는 클라이언트는 파일을 받지 못합니다"
#       untold: "{file}: 응답이 말하지 않는 것: {what}"
#       none: "작업에 관한 저장된 응답이 주어지지 않았습니다(--sample FILE)"
package gpugate.rules.operations.result_not_downloaded

# about is the answer as a subject.
about(s) := {"kind": "sample", "id": s.file, "name": s.file}

all_answers := {"kind": "sample", "id": "samples", "name": "saved answers"}

say(i, s, message, extra) := {
	"subject": about(s), "message": message, "args": object.union({"file": s.file}, extra), "evidence": [sprintf("/samples/answers/%d", [i])],
}

jobs := [[i, s] | some i, s in input.samples.answers; s.kind == "job"]

subjects contains about(s) if some [_, s] in jobs

subjects contains all_answers if count(jobs) == 0

done := {"completed", "complete", "succeeded", "success", "finished", "done"}

fail contains say(i, s, "unfinished", {"status": s.jobStatus}) if {
	some [i, s] in jobs
	not lower(s.jobStatus) in done
}

fail contains say(i, s, "expired", {"on": s.expiresAt}) if {
	some [i, s] in jobs
	time.parse_rfc3339_ns(s.expiresAt) < time.parse_rfc3339_ns(input.collectedAt)
}

fail contains say(i, s, "redirect", {"to": s.redirectsTo}) if some [i, s] in jobs

unknown contains say(i, s, "untold", {"what": "status of the job"}) if {
	some [i, s] in jobs
	not s.jobStatus
}

unknown contains say(i, s, "untold", {"what": "time until which the result is kept"}) if {
	some [i, s] in jobs
	not s.expiresAt
}

unknown contains {"subject": all_answers, "message": "none", "args": {"file": "it"}, "evidence": []} if count(jobs) == 0
