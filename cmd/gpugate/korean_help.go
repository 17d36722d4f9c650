package main

// koreanLong are the long help texts in Korean, by command. Of is the beginning
// of the SHA-256 of the English text that was translated: a test fails when that
// changes.
var koreanLong = map[string]struct{ of, text string }{
	"gpugate": {"4228757d", `gpugate는 한 가지 질문에 증거로 답합니다. 이 GPU 서버를 클러스터 스케줄러에
등록해도 되는가, 그 모델 서비스를 사용자에게 열어도 되는가?

NVML, Docker, systemd, Kubernetes, TI-ONE 내보내기 자료, 런치 매니페스트에서
사실을 모아 Rego 정책으로 판정하고 보고합니다. 읽기만 합니다.

종료 코드:
  0    --fail-on 이상의 모든 규칙을 판정할 수 있었고 위반이 없음
  1    --fail-on 이상의 규칙을 위반함(policy test: 테스트 실패, diff: 나빠진
       것이 있음, verify: 판정이 유효하지 않음)
  2    잘못된 사용법, 읽을 수 없는 입력, 쓸 수 없는 출력
  3    위반은 증명되지 않았으나 --fail-on 이상의 규칙에 증빙이 없음
       (--allow-unknown이 통과시키며 보고서가 그 사실을 밝힘)
  130  보고할 것이 생기기 전에 중단됨(143: 종료됨). 파일을 쓰지 않음`},
	"gpugate capture": {"76fe1f7e", `캡처를 씁니다. 캡처는 읽기 전용의 일반 명령들이 출력하는 것을 담은 폴더이며,
다른 곳에서 scan --from이나 collect --from으로 읽습니다. 비밀은 제거됩니다.

--script를 주면 같은 폴더를 명령만으로 쓰는 POSIX 셸 스크립트를 출력합니다.
새 프로그램을 실행할 수 없는 서버를 위한 것입니다.`},
	"gpugate collect": {"3a8ef34d", `이 호스트나 캡처의 사실을 모아 하나의 JSON 문서로 씁니다. 문서에는 비밀이
없습니다. gpugate evaluate로 어디서든 판정할 수 있습니다.`},
	"gpugate completion": {"43838bca", `셸이 gpugate의 명령, 플래그, 규칙, 형식을 자동 완성하게 하는 스크립트를
출력합니다.`},
	"gpugate diff": {"01836bd3", `두 판정(-o json=FILE로 쓴 것)을 판정 하나하나 비교하고 사실, 정책, 면제, 옵션,
기준일 가운데 무엇이 다른지 알려 줍니다. 각각의 사실을 함께 주면 변화 뒤에 있는
값도 보여 줍니다.

나빠짐이란 이전에 없던 위반이나 증빙 부족, 면제가 더는 덮지 않는 것, 더는
판정하지 않는 규칙을 뜻합니다. 종료 코드: 나빠진 것이 없으면 0, 있으면 1, 읽을
수 없는 것이 있으면 2.`},
	"gpugate doctor": {"5beef2fa", `현재 사용자로 모든 소스를 읽고, 각각 어디까지 읽었는지, 무엇이 왜 빠졌는지,
어떤 권한이나 플래그가 도움이 되는지, 그것 없이 어떤 규칙이 판단 불가로 남는지
알려 줍니다. 종료 코드: 증빙이 없어 판단 불가인 규칙이 없으면 0, 있으면 3.
다른 명령과 마찬가지로 읽기만 합니다.`},
	"gpugate evaluate": {"66288ca0", `서버에서 직접 또는 캡처에서 미리 수집한 사실 문서를 판정합니다. CI에서는
저장소에 있는 런치 매니페스트와 TI-ONE 정책이 문서의 해당 부분을 대신합니다.
그러면 지적 사항이 그 파일들의 줄을 가리킵니다.`},
	"gpugate explain": {"f58e7ea9", `규칙 하나를 판정하고 대상마다(또는 SUBJECT에 맞는 대상에 대해) 판정, 규칙이
위반이나 판단 불가가 될 수 있는 모든 길과 그 조건들을 순서대로, 어느 것이
성립하는지(✓ 성립, ✗ 불성립, · 도달하지 않음), 사실의 값과 그 출처와 위치,
빠진 것, 할 일을 알려 줍니다.

사실은 캡처(--from), 사실 문서(--facts) 또는 판정(--assessment와 --facts)의
것입니다. 판정을 주면 기준일과 면제가 그 판정의 것이 되며, 그 판정이 기대지
않은 사실은 거부합니다.`},
	"gpugate init": {"99d6d683", `이 호스트나 캡처에서 보이는 것으로 첫 launch.yaml을 씁니다. 시스템, GPU, GPU를
점유한 서비스와 그 이미지 다이제스트와 인자(비밀 제외)가 들어갑니다.

사람이 정해야 할 것은 "decide:"로 표시한 주석으로 남깁니다. 보이지 않은 것은
적지 않으며 아무것도 추측하지 않습니다. 이미 있는 파일은 그대로 둡니다.`},
	"gpugate plan": {"7db7c3b1", `이 호스트나 캡처를 이미 등록된 것처럼 판정하고, 무엇이 충돌하는지, GPU를 어떤
순서로 비울지, 등록 전에 무엇을 확인할지, 등록 후에야 알 수 있는 것은 무엇인지 알려
줍니다. 명령은 보여 줄 뿐 실행하지 않으며 아무것도 바꾸지 않습니다.

종료 코드: 보이는 것 가운데 막는 것이 없으면 0, 있으면 1, 사용법이 잘못되면 2,
증빙이 없으면 3.`},
	"gpugate policy docs": {"15905ce6", `규칙마다 Markdown 한 쪽을 DIR/rules에, 그 색인을, 그리고 운영 가이드의 모든
요구 사항이 무엇으로 다루어지는지 보여 주는 DIR/coverage.md를 씁니다. 각 쪽은
규칙이 무엇을 왜 요구하는지, 어떤 조건과 사실로 판정하는지, 무엇을 말할 수
있는지(예와 함께), 무엇을 해야 하는지 알려 줍니다.`},
	"gpugate policy list": {"bd80c69a", `규칙을 나열합니다: id, 주제, 심각도, 제목, 그리고 각 규칙이 답하는 운영 가이드의
요구 사항. --select와 --skip에는 id와 주제를 줍니다.`},
	"gpugate policy show": {"e66ed524", `규칙 하나를 보여 줍니다: 무엇을 왜 요구하는지, 어떤 사실로 판정하는지, 무엇을
말할 수 있는지, 무엇을 해야 하는지. id는 소문자로 적어도 됩니다.`},
	"gpugate policy test": {"cbd73865", `내장 정책의 Rego 테스트를, --policy를 주면 사용자 정책의 테스트를 실행합니다(내장
라이브러리를 쓸 수 있습니다). 테스트가 하나도 없으면 오류입니다. 종료 코드: 모두
통과하면 0, 하나라도 실패하면 1.`},
	"gpugate report": {"a69b9eca", `저장된 판정(-o json으로 쓴 것)을 다른 형식으로 씁니다. 다시 판정하지 않습니다.
판정과 게이트는 저장된 그대로입니다. -는 표준 입력에서 읽습니다.

종료 코드는 보고서를 썼는지를 말할 뿐 그 내용을 말하지 않습니다: 0 또는 2.
게이트의 종료 코드는 판정한 명령의 것이었습니다.`},
	"gpugate scan": {"c3ee09a2", `이 호스트나 캡처의 사실을 모아 판정하고 보고합니다.

호스트, 데몬, 클러스터의 어떤 것도 바뀌지 않습니다. 읽지 못한 것은 그에 기대는
판정을 판단 불가로 만들 뿐, 결코 통과로 만들지 않습니다.`},
	"gpugate triage": {"2c767b44", `운영 가이드의 증상(F1~F13)을 하나씩 짚어, 각각 의심되는지, 배제되는지, 여기서
판단할 수 없는지, 어떤 사실 때문인지, 다음에 무엇을 살펴볼지 실제 서비스의 이름과
함께 알려 줍니다. SYMPTOM(예: F3)을 주면 그 증상을 판정에 쓴 모든 조건과 사실과
함께 보여 줍니다.

로그에서 신호를 읽고(--logs=false로 뺄 수 있음) 저장된 응답(--sample)을 읽습니다.
살펴보지 않은 것은 결코 배제하지 않습니다. 아무것도 바꾸거나 다시 시작하지 않으며,
명령은 보여 줄 뿐 실행하지 않습니다. 종료 코드: 무엇이 의심되든 0, 사실을 읽을 수
없으면 2.`},
	"gpugate verify": {"ed1a1d44", `판정(-o json=FILE로 쓴 것)이 적은 옵션으로 사실을 다시 판정하고 바이트 단위로
비교합니다. 다르면 먼저 서로 다른 다이제스트를, 다음으로 판정들을 알려 줍니다.
그때 준 것을 지금도 주어야 합니다: 사실, 그리고 주었다면 런치 매니페스트, TI-ONE
내보내기 자료, 사용자 정책, 면제, 기준선. 파일의 위치는 달라도 됩니다.

--key와 --envelope를 주면 먼저 봉투의 서명과, 그것이 바로 이 판정에 대한
것인지를 확인합니다.

종료 코드: 모두 유효하면 0, 유효하지 않은 것이 있으면 1, 읽을 수 없거나 사실을
다시 판정할 수 없으면 2, 서명은 유효하지만 --facts가 없어 다시 판정하지 않았으면
3.`},
	"gpugate version": {"6596266e", `버전, 빌드한 커밋, 플랫폼을 출력합니다.`},
	"gpugate waive": {"b69fcc3c", `waivers.yaml에 면제를 더합니다. 파일이 없으면 만들고, 파일의 나머지는 그대로
둡니다. SUBJECT는 규칙이 판정한 대상의 이름에 대한 패턴이며 종류를 붙일 수
있습니다(container/*glm*). 없으면 모든 대상을 면제합니다. --assessment를 주면 그
판정에서 무엇을 덮게 되는지 알려 줍니다.

면제된 위반은 표시와 함께 모든 전체 보고서에 남습니다. --waivers로 파일을 주면
게이트가 이를 세지 않습니다. 없는 증빙은 --unknown을 주어야 면제됩니다.`},
}

// koreanHelp are the short help texts, the headings and the flags.
var koreanHelp = [][2]string{
	{"Compliance scanner for GPU servers", "GPU 서버 규정 준수 검사기"},
	{"Write a capture of this host, or the shell script that writes one", "이 호스트의 캡처 또는 캡처를 쓰는 셸 스크립트를 쓰기"},
	{"Write the facts document, without judging it", "판정하지 않고 사실 문서 쓰기"},
	{"Print the completion script for bash, zsh or fish", "bash, zsh, fish의 자동 완성 스크립트 출력"},
	{"Tell what changed between two assessments, and why", "두 판정 사이에 무엇이 왜 바뀌었는지 알려 주기"},
	{"Tell what can be read here, and what would help where it cannot", "여기서 읽을 수 있는 것과, 읽을 수 없을 때 도움이 되는 것"},
	{"Judge a facts document that was collected earlier", "미리 수집한 사실 문서 판정"},
	{"Tell why a rule judges as it does, condition by condition", "규칙이 왜 그렇게 판정하는지 조건별로 설명"},
	{"Tell how a command is used", "명령의 사용법"},
	{"Write a first launch manifest from what is seen", "보이는 것으로 첫 런치 매니페스트 쓰기"},
	{"List, show, test and document the rules", "규칙의 나열, 표시, 테스트, 문서화"},
	{"Write one page a rule, and which requirements the rules cover", "규칙마다 한 쪽의 문서와 요구 사항 대응표 쓰기"},
	{"List the rules", "규칙 나열"},
	{"Show one rule: what, why, from which facts, and what to do", "규칙 하나 보기: 무엇을, 왜, 어떤 사실로, 할 일"},
	{"Run the tests of the policies, with coverage", "정책 테스트와 커버리지 실행"},
	{"Write a stored assessment in another format", "저장된 판정을 다른 형식으로 쓰기"},
	{"Collect, judge and report", "수집, 판정, 보고"},
	{"Judge again and compare byte by byte with an assessment", "다시 판정해 저장된 판정과 바이트 단위로 비교"},
	{"Print the version", "버전 출력"},
	{"read the logs of GPU services and of the kernel too, for signals alone: no line is kept (not with --script)", "GPU 서비스와 커널의 로그에서도 신호만 읽기: 줄은 남기지 않음 (--script와 함께 쓸 수 없음)"},
	{"read the logs of GPU services and of the kernel too, for signals alone: no line is kept (those of a capture are always read)", "GPU 서비스와 커널의 로그에서도 신호만 읽기: 줄은 남기지 않음 (캡처의 로그는 항상 읽음)"},
	{"an answer of a service's API, saved in `FILE` with or without its head (curl -i), or a folder of them; no text of it is kept; repeatable", "`FILE`에 저장한 서비스 API의 응답(curl -i의 헤더가 있어도 됨) 또는 그 폴더; 글은 남기지 않음; 반복 가능"},
	{"Judge as if registered with TKE or TI-ONE: what would conflict", "TKE나 TI-ONE에 등록된 것처럼 판정: 무엇이 충돌하는가"},
	{"What to plan", "계획할 것"},
	{"`PARTY` to register with: tke or ti-one (required)", "등록할 `PARTY`: tke 또는 ti-one (필수)"},
	{"The symptom table, against the facts of this host", "이 호스트의 사실에 비추어 본 증상 표"},
	{"Accept a violation for a while: add a waiver to waivers.yaml", "위반을 한동안 받아들이기: waivers.yaml에 면제 추가"},

	{"Usage:", "사용법:"},
	{"Examples:", "예:"},
	{"Commands:", "명령:"},
	{"Flags", "플래그"},
	{"Run '%s COMMAND --help' for more on a command.", "명령의 자세한 사용법: '%s COMMAND --help'"},
	{"%s (default %s)", "%s (기본값 %s)"},
	{"What to capture", "캡처할 것"},
	{"How", "방법"},
	{"What to read", "읽을 것"},
	{"What to write", "쓸 것"},
	{"How to judge", "판정 방법"},
	{"What it was judged from", "판정의 근거"},
	{"Signature", "서명"},
	{"The waiver", "면제"},
	{"Files", "파일"},

	{"`LANGUAGE` of reports and of help: en or ko (default: that of the locale)", "보고서와 도움말의 `LANGUAGE`: en 또는 ko (기본값: 로캘의 언어)"},
	{"launch manifest `FILE`, such as launch.yaml (gpugate init writes a first one)", "런치 매니페스트 `FILE`, 예: launch.yaml (첫 파일은 gpugate init이 씀)"},
	{"TI-ONE scheduling policy `FILE` (JSON)", "TI-ONE 스케줄링 정책 `FILE` (JSON)"},
	{"TI-ONE resource group `FILE`: the answer of DescribeBillingResourceGroup (JSON)", "TI-ONE 자원 그룹 `FILE`: DescribeBillingResourceGroup의 응답 (JSON)"},
	{"ask the Docker daemon at `URL` beside those that are found; repeatable", "찾은 것 외에 `URL`의 Docker 데몬에도 묻기; 반복 가능"},
	{"only the pods of the Kubernetes node `NAME` (default: all pods)", "Kubernetes 노드 `NAME`의 Pod만 (기본값: 모든 Pod)"},
	{"`TIME` that each command may take", "명령마다 걸려도 되는 `TIME`"},
	{"print the shell script instead", "대신 셸 스크립트를 출력"},
	{"say nothing but what is wrong", "잘못된 것만 말하기"},
	{"read the capture in `DIR` instead of this host", "이 호스트 대신 `DIR`의 캡처 읽기"},
	{"ask the Docker daemon at `URL`, such as unix:///run/docker-sglang.sock; repeatable (default: all that are found)", "`URL`의 Docker 데몬에 묻기, 예: unix:///run/docker-sglang.sock; 반복 가능 (기본값: 찾은 모든 데몬)"},
	{"kubeconfig `FILE` of an account that may list nodes, pods and daemonsets (default: as kubectl)", "노드, Pod, DaemonSet을 나열할 수 있는 계정의 kubeconfig `FILE` (기본값: kubectl과 같음)"},
	{"use the context `NAME` of the kubeconfig", "kubeconfig의 컨텍스트 `NAME` 사용"},
	{"`NAME` of this host's Kubernetes node (default: found by name or address)", "이 호스트의 Kubernetes 노드 `NAME` (기본값: 이름이나 주소로 찾음)"},
	{"`TIME` that each source may take", "소스마다 걸려도 되는 `TIME`"},
	{"show no progress (none is shown where nobody watches)", "진행 상황을 보이지 않기 (보는 사람이 없으면 원래 보이지 않음)"},
	{"write the document to `FILE` (default: standard output)", "문서를 `FILE`에 쓰기 (기본값: 표준 출력)"},
	{"facts document `FILE` that OLD was judged from", "OLD의 근거인 사실 문서 `FILE`"},
	{"facts document `FILE` that NEW was judged from", "NEW의 근거인 사실 문서 `FILE`"},
	{"`FORMAT` of the answer: text or json", "응답의 `FORMAT`: text 또는 json"},
	{"add your own policies: `PATH` of a folder or an OPA bundle (.tar.gz); repeatable", "사용자 정책 추가: 폴더나 OPA 번들(.tar.gz)의 `PATH`; 반복 가능"},
	{"facts document `FILE`, as gpugate collect writes it; - is standard input", "gpugate collect가 쓴 사실 문서 `FILE`; -는 표준 입력"},
	{"facts older than `TIME`, such as 24h, no longer count as evidence (default: any age)", "`TIME`(예: 24h)보다 오래된 사실은 증빙으로 세지 않음 (기본값: 제한 없음)"},
	{"lightest `SEVERITY` that closes the gate: error, warning, note or never", "게이트를 닫는 가장 가벼운 `SEVERITY`: error, warning, note 또는 never"},
	{"let missing evidence through the gate (the report says so)", "없는 증빙을 게이트에서 통과시킴 (보고서가 밝힘)"},
	{"judge only these `RULES` or topics, such as OWN001,scope; repeatable", "이 `RULES`나 주제만 판정, 예: OWN001,scope; 반복 가능"},
	{"leave out these `RULES` or topics; repeatable", "이 `RULES`나 주제는 제외; 반복 가능"},
	{"`TIME` that the policies may take; if they need longer nothing is judged", "정책에 걸려도 되는 `TIME`; 더 걸리면 아무것도 판정하지 않음"},
	{"violations that people accept for a while: `FILE`, such as waivers.yaml (gpugate waive adds to it; docs/waivers.md)", "사람이 한동안 받아들인 위반: `FILE`, 예: waivers.yaml (gpugate waive가 더함; docs/waivers.md)"},
	{"mark what is new since the assessment in `FILE` (written with -o json=FILE)", "`FILE`의 판정(-o json=FILE로 쓴 것) 이후 새로 생긴 것을 표시"},
	{"let through the gate what the baseline holds already", "기준선에 이미 있는 것은 게이트에서 통과시킴"},
	{"judge what expires as on `DATE`, such as 2026-12-31 (default: when the facts were collected)", "만료되는 것을 `DATE`(예: 2026-12-31) 기준으로 판정 (기본값: 사실을 수집한 때)"},
	{"write in a format, to a file or else to standard output: `FORMAT[=FILE]`, where FORMAT is one of %s; repeatable (default: text)", "형식을 정해 파일이나 표준 출력에 쓰기: `FORMAT[=FILE]`, FORMAT은 다음 가운데 하나: %s; 반복 가능 (기본값: text)"},
	{"whom the SARIF is for: `PROFILE` github (open violations and unknowns), azdo (waived ones too, marked) or full (everything, passes too)", "SARIF를 받을 곳: `PROFILE` github(열린 위반과 판단 불가), azdo(면제된 것도 표시와 함께) 또는 full(통과까지 모두)"},
	{"`NAME` of the category that the SARIF replaces the results of; none leaves it to whoever uploads the file (default gpugate/HOST/)", "SARIF가 결과를 대신할 카테고리의 `NAME`; none이면 파일을 올리는 쪽이 정함 (기본값 gpugate/HOST/)"},
	{"`FILE` of the checkout, such as a list of hosts, that findings point at which stand in no file there; also for codequality", "체크아웃의 어떤 파일에도 있지 않은 지적 사항이 가리킬 `FILE`, 예: 호스트 목록; codequality에도 적용"},
	{"sign what -o json writes with the ed25519 key in `FILE` (PEM, PKCS #8)", "-o json이 쓰는 것을 `FILE`의 ed25519 키로 서명 (PEM, PKCS #8)"},
	{"write the signature to `FILE` (in-toto statement in a DSSE envelope)", "서명을 `FILE`에 쓰기 (DSSE 봉투에 담은 in-toto 진술)"},
	{"read the capture in `DIR`", "`DIR`의 캡처 읽기"},
	{"explain the assessment `FILE` (written with -o json=FILE) that was made from these facts", "이 사실로 만든 판정 `FILE`(-o json=FILE로 쓴 것)을 설명"},
	{"violations that people accept for a while: `FILE`", "사람이 한동안 받아들인 위반: `FILE`"},
	{"judge what expires as on `DATE` (default: when the facts were collected)", "만료되는 것을 `DATE` 기준으로 판정 (기본값: 사실을 수집한 때)"},
	{"write to `FILE`; - is standard output", "`FILE`에 쓰기; -는 표준 출력"},
	{"write over an existing file", "이미 있는 파일을 덮어쓰기"},
	{"name every test, and every line that no test reaches", "모든 테스트와, 테스트가 닿지 않는 모든 줄을 보이기"},
	{"facts document `FILE`", "사실 문서 `FILE`"},
	{"waivers `FILE`", "면제 `FILE`"},
	{"baseline `FILE`", "기준선 `FILE`"},
	{"ed25519 public key `FILE` (PEM)", "ed25519 공개 키 `FILE` (PEM)"},
	{"DSSE envelope `FILE`, as --envelope of scan and evaluate wrote it", "scan과 evaluate의 --envelope가 쓴 DSSE 봉투 `FILE`"},
	{"`WHY` this may be as it is (required)", "이대로 두어도 되는 까닭 `WHY` (필수)"},
	{"`WHO` answers for it (required)", "책임지는 사람 `WHO` (필수)"},
	{"last `DATE` on which it holds, such as 2027-01-31 (required)", "유효한 마지막 `DATE`, 예: 2027-01-31 (필수)"},
	{"only on hosts whose name is like `PATTERN` (default: on any)", "이름이 `PATTERN`에 맞는 호스트에서만 (기본값: 모든 호스트)"},
	{"cover missing evidence too", "없는 증빙도 덮기"},
	{"add to `FILE`", "`FILE`에 더하기"},
	{"tell what the waiver covers in the assessment `FILE` (written with -o json=FILE)", "판정 `FILE`(-o json=FILE로 쓴 것)에서 면제가 무엇을 덮는지 알려 주기"},
}
