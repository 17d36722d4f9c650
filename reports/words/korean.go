package words

// korean are the formats by their English ones.
var korean = map[string]string{ //nolint:gosec // sentences that speak of credentials, and no credential
	// The gate, and what was judged.
	"open": "열림", "closed": "닫힘", "Gate": "게이트", "Gate open": "게이트 열림", "Gate closed": "게이트 닫힘",
	"%s (exit %d)":                "%s (종료 코드 %d)",
	"facts of %s":                 "%s에 수집한 사실",
	", judged as of %s":           ", %s 기준으로 판정",
	"Facts of":                    "사실을 수집한 때:",
	"failed":                      "위반",
	"passed":                      "통과",
	"cannot be told":              "판단 불가",
	"not applicable":              "해당 없음",
	"judged on complete evidence": "완전한 증빙으로 판정",
	"%d of %s judged on complete evidence (%d %%)":                                     "%[2]s 가운데 %[1]d개를 완전한 증빙으로 판정했습니다(%[3]d %%)",
	"| failed | unknown | passed | not applicable |":                                   "| 위반 | 판단 불가 | 통과 | 해당 없음 |",
	"gpugate %s · facts of %s · as of %s · facts sha256 %.12s · policies sha256 %.12s": "gpugate %s · %s에 수집한 사실 · %s 기준 · 사실 sha256 %.12s · 정책 sha256 %.12s",

	// Who holds the GPUs.
	"Who holds the GPUs":          "GPU 점유자",
	"no GPU was seen":             "GPU가 보이지 않습니다",
	"No GPU was seen.":            "GPU가 보이지 않습니다.",
	"RUNS ON IT":                  "실행 중",
	"MAY TAKE IT":                 "할당 가능",
	"runs on it":                  "실행 중",
	"may take it":                 "할당 가능",
	"runs on it, and may take it": "실행 중이며 할당 가능",
	"may take it (configured, allocatable or registered)": "할당 가능(설정, allocatable 또는 등록)",
	"| GPU | runs on it | may take it | |":                "| GPU | 실행 중 | 할당 가능 | |",
	"nobody seen":                                         "보이지 않음",
	", and %d more":                                       " 외 %d개",
	"(unnamed)":                                           "(이름 없음)",
	"violates %s":                                         "위반: %s",
	"not settled: %s":                                     "확정되지 않음: %s",
	"at odds":                                             "충돌",
	"not settled":                                         "확정되지 않음",
	"settled":                                             "확정",
	"GPUs and who claims them":                            "GPU와 그 점유자",
	"no objection":                                        "문제 없음",
	"The table below says the same in words.": "아래 표가 같은 내용을 글로 보여 줍니다.",
	"nobody was seen on any of them":          "어느 GPU에도 점유자가 보이지 않습니다",
	"The same as a table":                     "같은 내용의 표",
	"Kind":                                    "종류", "Party": "주체", "Claimant": "점유자", "Note": "비고",

	// Verdicts and findings.
	"Violations":                     "위반",
	"at %s":                          "위치: %s",
	"at":                             "위치:",
	"to do: %s":                      "조치: %s",
	"What to do":                     "조치",
	"What to do:":                    "조치:",
	"Cannot be told: %s, for %s":     "판단 불가: %s, %s",
	"Why %s cannot be told":          "%s을(를) 판단할 수 없는 이유",
	"cannot be told: %s":             "판단 불가: %s",
	"evidence is missing":            "증빙이 없습니다",
	"%s cannot be judged for %s: %s": "%[1]s: %[2]s 규칙을 판단할 수 없습니다: %[3]s",
	"Taken at somebody's word":       "사람의 말로 받아들인 것",
	"Passed":                         "통과",
	"Not applicable":                 "해당 없음",
	"%s passed or not applicable":    "%s 통과 또는 해당 없음",
	"not applicable: there is nothing to judge here": "해당 없음: 여기에는 판정할 것이 없습니다",
	"| rule | title | verdict |":                     "| 규칙 | 제목 | 판정 |",
	"%s more; the other formats have them all.":      "%s가 더 있습니다. 다른 형식에는 모두 있습니다.",
	"Provide the evidence the message names. `gpugate doctor` says which sources can be read here. Missing evidence never counts as a pass.": "메시지가 말하는 증빙을 마련하십시오. 여기서 어떤 소스를 읽을 수 있는지는 `gpugate doctor`가 알려 줍니다. 없는 증빙은 결코 통과로 세지 않습니다.",

	// Waivers and baseline.
	"Waived: %s":                           "면제: %s",
	"%s %s on %s %s: %s":                   "%s %s, %s %s: %s",
	"- **%s** %s on %s: %s\n":              "- **%s** %s, %s: %s\n",
	"waived by %s until %s: %s":            "%[1]s 승인으로 %[2]s까지 면제: %[3]s",
	"waived by %s until %s: %s (%s:%d)":    "%[1]s 승인으로 %[2]s까지 면제: %[3]s (%[4]s:%[5]d)",
	" (waived)":                            " (면제)",
	"Waivers to look at":                   "살펴보아야 할 면제",
	"%s:%d:%d: the waiver for %s on %s %s": "%s:%d:%d: %s 규칙, 대상 %s의 면제: %s",
	"%s holds no waiver":                   "%s에 면제가 없습니다",
	"Since the baseline of %s: %d new, %d unchanged, %d gone": "%s의 기준선 이후: 새로 생긴 것 %d개, 그대로인 것 %d개, 사라진 것 %d개",
	"%s %s on %s %s%s":             "%s %s, %s %s%s",
	"%s was %s on %s %s; %s":       "%s: 이전에는 %s, %s %s. %s",
	"now it passes":                "이제 통과합니다",
	"now the rule does not apply":  "이제 규칙이 해당하지 않습니다",
	"now it is not there any more": "이제 그 대상이 없습니다",
	"now the rule is not judged":   "이제 규칙을 판정하지 않습니다",
	"now it cannot be told":        "이제 판단할 수 없습니다",

	// The HTML page.
	"Rules": "규칙", "Verdict": "판정", "Severity": "심각도", "Topic": "주제", "all": "전체", "Words": "단어",
	"rule, unit, container…":    "규칙, 유닛, 컨테이너…",
	"SHOWN of ALL rules shown":  "규칙 ALL개 가운데 SHOWN개 표시",
	"Judged from":               "판정에 쓴 사실:",
	"rows":                      "요구 사항",
	"Where the facts come from": "사실의 출처",
	"Source":                    "소스", "Status": "상태", "Read from": "읽은 곳", "Missing": "빠진 것", "nothing": "없음",
	"facts": "사실", "policies": "정책",

	// SARIF.
	"gpugate, a compliance scanner for GPU servers":                                                                                                              "gpugate, GPU 서버 규정 준수 검사기",
	"The root of the checkout that holds the launch manifest.":                                                                                                   "런치 매니페스트가 있는 체크아웃의 루트.",
	"The root of gpugate's own sources, which hold the built-in rules.":                                                                                          "내장 규칙이 있는 gpugate 소스의 루트.",
	"A part of the facts is missing":                                                                                                                             "사실의 일부가 없습니다",
	"A source could not be read, or not wholly. Rules that rest on it are unknown.":                                                                              "소스를 전혀 또는 전부 읽을 수 없었습니다. 이에 기대는 규칙은 판단 불가입니다.",
	"Give the scanner the right it lacks, or collect where the source can be read. `gpugate doctor` says what is missing.":                                       "검사기에 부족한 권한을 주거나, 소스를 읽을 수 있는 곳에서 수집하십시오. 무엇이 부족한지는 `gpugate doctor`가 알려 줍니다.",
	"Something is left out of this file":                                                                                                                         "이 파일에서 생략된 것이 있습니다",
	"A code-scanning view takes only so much of one file. What does not fit is left out, the lightest first, and said here.":                                     "코드 스캐닝 화면은 한 파일을 정해진 만큼만 받습니다. 넘치는 것은 가벼운 것부터 생략하고 여기에 밝힙니다.",
	"Read the whole list in another format (gpugate report ASSESSMENT -o html), or scan with --select in several runs, each with a --sarif-category of its own.": "전체 목록은 다른 형식으로 읽거나(gpugate report ASSESSMENT -o html), --select로 나누어 각각 다른 --sarif-category로 검사하십시오.",
	"A waiver needs somebody's attention":                                                                                                                        "면제를 살펴보아야 합니다",
	"A waiver has expired or soon will, finds nothing to cover, or covers more than one thing.":                                                                  "면제가 만료되었거나 곧 만료되거나, 덮을 것이 없거나, 둘 이상을 덮고 있습니다.",
	"Renew, narrow or remove the waiver.":                                                                                                                        "면제를 갱신하거나 좁히거나 제거하십시오.",
	"The comparison with the baseline is not whole":                                                                                                              "기준선과의 비교가 온전하지 않습니다",
	"Something that the baseline had cannot be compared. It is not known to be solved.":                                                                          "기준선에 있던 것 가운데 비교할 수 없는 것이 있습니다. 해결되었는지 알 수 없습니다.",
	"Make the baseline and this assessment with the same policies, of the same host, with the same rules selected.":                                              "같은 호스트에서, 같은 정책과 같은 규칙 선택으로 기준선과 이 판정을 만드십시오.",
	"excerpts of the files are left out: the file would be larger than %d bytes compressed":                                                                      "파일 발췌를 생략했습니다. 파일이 압축 후 %d바이트보다 커집니다",
	"related locations are left out: the file would be larger than %d bytes compressed":                                                                          "관련 위치를 생략했습니다. 파일이 압축 후 %d바이트보다 커집니다",
	"whether %s of the baseline is solved for %s cannot be told (%s)":                                                                                            "기준선의 %s이(가) %s에서 해결되었는지 판단할 수 없습니다(%s)",
	"%s of the baseline for %s is %s":                                                                                                                            "기준선의 %s, %s: 이제 %s",
	"there are %d results, and GitHub shows only the %d heaviest of them":                                                                                        "결과가 %d개이며 GitHub는 그 가운데 가장 무거운 %d개만 보여 줍니다",
	"%d of %d results are left out, the lightest ones":                                                                                                           "결과 %[2]d개 가운데 가장 가벼운 %[1]d개를 생략했습니다",
	"%d of %d related locations of a result of %s are left out: the limit is %d":                                                                                 "%[3]s 결과의 관련 위치 %[2]d개 가운데 %[1]d개를 생략했습니다. 한도는 %[4]d개입니다",
	"%d of %d rule descriptions are left out, those of rules without a result: the limit is %d":                                                                  "규칙 설명 %[2]d개 가운데 결과가 없는 규칙의 %[1]d개를 생략했습니다. 한도는 %[3]d개입니다",
	"%d of %d tags of rule %s are left out: the limit is %d; its property rows has all rows":                                                                     "규칙 %[3]s의 태그 %[2]d개 가운데 %[1]d개를 생략했습니다. 한도는 %[4]d개이며, 속성 rows에는 모두 있습니다",
	"Evidence: %s":                             "증빙: %s",
	"Evidence on %s %s: %s":                    "%s %s의 증빙: %s",
	"'{0}': '{1}' keeps the rule.":             "'{0}': '{1}'은(는) 규칙을 지킵니다.",
	"'{0}': the rule does not apply to '{1}'.": "'{0}': 규칙이 '{1}'에 해당하지 않습니다.",
	"'{0}': '{1}' no longer violates the rule, which the baseline said it did: '{2}'.": "'{0}': 기준선에서 규칙을 위반했던 '{1}'은(는) 더는 위반하지 않습니다: '{2}'.",
	"Not judged: %s": "판정하지 못함: %s",
	"Evidence for %s is missing, so it is not known whether the rule is kept: %s":                                        "%s의 증빙이 없어 규칙을 지키는지 알 수 없습니다: %s",
	"'{0}': '{1}' cannot be judged for '{2}': '{3}'.":                                                                    "'{0}': '{1}'에 대해 '{2}' 규칙을 판단할 수 없습니다: '{3}'.",
	"'{0}': '{1}' could not be judged when the baseline was made, and can be now: '{2}'.":                                "'{0}': 기준선을 만들 때 판단할 수 없었던 '{1}'을(를) 이제 판단할 수 있습니다: '{2}'.",
	"Results are left out of this file":                                                                                  "이 파일에서 생략된 결과가 있습니다",
	"There are more results than a code-scanning view takes. The lightest ones are left out; the message says how many.": "코드 스캐닝 화면이 받는 것보다 결과가 많습니다. 가장 가벼운 것들을 생략했으며, 메시지가 그 수를 밝힙니다.",
	"'{0}': '{1}' of '{2}' results are left out of this file, the lightest ones.":                                        "'{0}': 결과 '{2}'개 가운데 가장 가벼운 '{1}'개를 이 파일에서 생략했습니다.",

	// Symptoms.
	"suspected": "의심", "ruled out": "배제", "not here": "해당 없음", "cannot tell": "판단 불가",
	"An idle GPU proves nothing by itself. `gpugate triage F3` shows one symptom with all it was judged by.": "GPU가 한가하다는 것만으로는 아무것도 증명되지 않습니다. `gpugate triage F3`은 증상 하나를 판정에 쓴 모든 것과 함께 보여 줍니다.",

	// What changed between two assessments.
	"old": "이전", "new": "이후", "Worse": "나빠짐", "Better": "나아짐", "Different": "달라짐", "none": "없음",
	"%s: %s as of %s; %s": "%s: %s, %s 기준. %s",
	"Both rest on the same facts, policies, waivers and options.": "둘은 같은 사실, 정책, 면제, 옵션에 기댑니다.",
	"No verdict changed.":                "달라진 판정이 없습니다.",
	"%d worse, %d better, %d different.": "나빠짐 %d개, 나아짐 %d개, 달라짐 %d개.",
	"why: %s":                            "이유: %s",
	"not judged":                         "판정하지 않음",

	// Why a rule judges as it does.
	"%s on %s; written in %s:%d": "%s, %s. 작성된 곳: %s:%d",
	"What is missing, and leaves the rule unknown where no violation is proven": "빠진 것. 위반이 증명되지 않은 곳에서 규칙을 판단 불가로 남깁니다",
	"Does the rule not apply?":                                     "규칙이 해당하지 않는가?",
	"No way to fail holds, and nothing the rule reads is missing.": "위반이 되는 어떤 길도 성립하지 않으며, 규칙이 읽는 것 가운데 빠진 것이 없습니다.",
	"There is nothing to judge, and that is known.":                "판정할 것이 없으며, 그것이 확인되었습니다.",
	"not there": "없음",
	"Provide what is missing; `gpugate doctor` says which right, flag or file would help. If it proves a violation: %s": "빠진 것을 마련하십시오. 어떤 권한, 플래그, 파일이 도움이 되는지는 `gpugate doctor`가 알려 줍니다. 위반이 증명된다면: %s",
	"at %s:%d:%d":        "위치: %s:%d:%d",
	"read by %s from %s": "%s 소스가 %s에서 읽음",
	"a violation":        "위반", "unknown": "판단 불가",
	"%s if all of this holds (%s:%d)%s": "다음이 모두 성립하면 %s (%s:%d)%s",

	// Whether an assessment holds.
	"the signature of %s holds for %s": "%s의 서명이 %s에 대해 유효합니다",
	"the facts were not judged again (give --facts); whether the verdicts are right is not verified": "사실을 다시 판정하지 않았습니다(--facts를 주십시오). 판정이 맞는지는 검증하지 않았습니다",
	"judging the facts of %s again gives %s byte by byte":                                            "%s의 사실을 다시 판정하면 %s과(와) 바이트 단위로 같습니다",
	"judging again gives something else than %s":                                                     "다시 판정한 결과가 %s과(와) 다릅니다",
	"%s: recorded %s, now %s":                                                                        "%s: 기록은 %s, 지금은 %s",
	"%s %s: recorded %s, now %s":                                                                     "%s %s: 기록은 %s, 지금은 %s",
	"its gate says: %s":                                                                              "게이트의 말: %s",
}

// koreanCounts are the nouns that things are counted by.
var koreanCounts = map[string]string{
	"rule":           "규칙 %d개",
	"reason":         "이유 %d가지",
	"verdict":        "판정 %d개",
	"waived verdict": "면제된 판정 %d개",
	"violation":      "위반 %d개",
	"assumption":     "받아들인 말 %d개",
	"GPU":            "GPU %d개",
}

// koreanNames are the fixed words of the data.
var koreanNames = map[string]string{
	// Verdicts.
	"fail": "위반", "unknown": "판단 불가", "pass": "통과", "not-applicable": "해당 없음",
	// Severities.
	"error": "오류", "warning": "경고", "note": "참고",
	// Topics.
	"owner": "GPU 점유", "os": "운영체제", "registration": "노드 등록", "tione": "TI-ONE", "scope": "추론과 학습", "prelaunch": "출시 전 점검", "operations": "운영",
	// How far a source got, and why a part of the facts is missing.
	"complete": "완전", "partial": "일부", "absent": "없음", "denied": "거부됨", "timeout": "시간 초과", "failed": "실패", "skipped": "건너뜀", "stale": "오래됨",
	// Kinds of claims.
	"running": "실행 중", "configured": "설정됨", "allocatable": "할당 가능", "registered": "등록됨",
	// Against a baseline.
	"new": "새로 생김", "unchanged": "그대로", "gone": "사라짐", "not-judged": "판정하지 않음",
	// What an assessment rests on.
	"host": "호스트", "tool": "gpugate 버전", "facts": "사실", "policies": "정책", "waivers": "면제", "baseline": "기준선", "options": "옵션", "asOf": "판정 기준일", "version of gpugate": "gpugate 버전",
}
