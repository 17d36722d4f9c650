package launch

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// head is the least a manifest says.
const head = "apiVersion: gpugate/v1\nkind: Launch\nmetadata: {name: t}\n"

func TestProblems(t *testing.T) {
	service := head + "services:\n  - name: a\n    runtime: {systemd: {unit: a.service}}\n"
	tests := map[string]struct {
		text string
		want []string
	}{
		"an unknown key with a near one":   {head + "mertics: 1\nowner: docker\n", []string{`4:1: mertics: unknown key "mertics"; known here: apiVersion, attestations, host, kind, metadata, owner, scope, services, tione, tke, training`}},
		"a misspelt key":                   {service + "    mesured: {}\n", []string{`7:5: services[0].mesured: unknown key "mesured": did you mean "measured"?`}},
		"a key in another case":            {service + "    limits: {max_model_len: 5}\n", []string{`7:14: services[0].limits.max_model_len: unknown key "max_model_len": did you mean "maxModelLen"?`}},
		"a version without quotes":         {head + "host:\n  os:\n    id: ubuntu\n    versionId: 22.04\n", []string{`7:5: host.os.versionId: 22.04 is a number to YAML: write it in quotes, "22.04"`}},
		"a number among arguments":         {service + "    args: [--tp, 2]\n", []string{`7:18: services[0].args[1]: 2 is a number to YAML: write it in quotes, "2"`}},
		"a truth value among arguments":    {service + "    args: [true]\n", []string{`7:12: services[0].args[0]: true is a truth value (true or false) to YAML: write it in quotes, "true"`}},
		"a list instead of a mapping":      {head + "host: [1]\n", []string{`4:1: host: must be a mapping, not a list`}},
		"a text instead of a number":       {head + "host: {gpus: {count: two}}\n", []string{`4:15: host.gpus.count: must be a whole number, not a text`}},
		"a fraction instead of a number":   {head + "host: {gpus: {count: 1.5}}\n", []string{`4:15: host.gpus.count: must be a whole number, not a number`}},
		"nothing where something belongs":  {head + "host:\n", []string{`4:1: host: is empty; give it a value, or leave the key out`}},
		"required keys":                    {"kind: Launch\nmetadata: {}\n", []string{`1:1: apiVersion: "apiVersion" is missing`, `2:1: metadata.name: "name" is missing`}},
		"an empty required text":           {strings.Replace(head, "name: t", `name: ""`, 1), []string{`3:12: metadata.name: is empty; give it a value`}},
		"a misspelt owner":                 {head + "owner: dokcer\n", []string{`4:1: owner: "dokcer" is not one of systemd, docker, tke, ti-one: did you mean "docker"?`}},
		"another version":                  {strings.Replace(head, "gpugate/v1", "gpugate/v2", 1), []string{`1:1: apiVersion: "gpugate/v2" is not "gpugate/v1"`}},
		"a date in another form":           {head + "attestations: [{control: L5, statement: s, on: 21.11.2026}]\n", []string{`4:44: attestations[0].on: "21.11.2026" is not a date: write it as 2026-11-30`}},
		"a day that does not exist":        {head + "attestations: [{control: L5, statement: s, on: 2026-02-30}]\n", []string{`4:44: attestations[0].on: "2026-02-30" is not a date: write it as 2026-11-30`}},
		"a short digest":                   {head + "tke: {script: {file: f, sha256: abc}}\n", []string{`4:25: tke.script.sha256: a digest is 64 hexadecimal digits, as sha256sum prints them`}},
		"a short digest after a path":      {head + "tione: {policy: p.json@sha256:abc}\n", []string{`4:9: tione.policy: the digest after @sha256: is 64 hexadecimal digits, as sha256sum prints them`}},
		"an empty digest after a path":     {head + "tione: {policy: 'p.json@sha256:'}\n", []string{`4:9: tione.policy: the digest after @sha256: is 64 hexadecimal digits, as sha256sum prints them`}},
		"evidence of another scheme":       {head + "tione: {policy: 'ftp://example.com/x'}\n", []string{`4:9: tione.policy: evidence is a path beside this file or an http(s) URL, not ftp`}},
		"a URL without a host":             {head + "tione: {policy: 'https:///x'}\n", []string{`4:9: tione.policy: the URL names no host`}},
		"one address as a range":           {service + "    endpoint: {port: 80, allowedCidrs: [10.1.2.3, 10.0.0.0/33, nowhere]}\n", []string{`7:41: services[0].endpoint.allowedCidrs[0]: 10.1.2.3 is one address: write 10.1.2.3/32`, `7:51: services[0].endpoint.allowedCidrs[1]: "10.0.0.0/33" is not an address range: write it as 10.0.0.0/8`, `7:64: services[0].endpoint.allowedCidrs[2]: "nowhere" is not an address range: write it as 10.0.0.0/8`}},
		"ports out of range":               {service + "    endpoint: {port: 0}\nhost: {ssh: {port: 65536}}\n", []string{`7:16: services[0].endpoint.port: must be at least 1`, `8:14: host.ssh.port: must be at most 65535`}},
		"a key twice":                      {head + "owner: docker\nowner: tke\n", []string{`5:1: owner: duplicate key "owner": it stands in line 4 already`}},
		"a service name twice":             {service + "  - name: a\n    runtime: {docker: {container: b}}\n", []string{`7:5: services[1].name: a second service "a": services[0] in line 5 has that name`}},
		"two runtimes":                     {head + "services:\n  - name: a\n    runtime: {systemd: {unit: a}, docker: {container: b}}\n", []string{`6:5: services[0].runtime: a service has exactly one runtime: docker, systemd or kubernetes`}},
		"no runtime":                       {head + "services:\n  - name: a\n    runtime: {}\n", []string{`6:5: services[0].runtime: a service has exactly one runtime: docker, systemd or kubernetes`}},
		"sharing with a misspelt service":  {service + "    sharedWith: [bb]\n  - name: b\n    runtime: {systemd: {unit: b}}\n", []string{`7:18: services[0].sharedWith[0]: no service is named "bb": did you mean "b"?`}},
		"sharing with itself":              {service + "    sharedWith: [a]\n", []string{`7:18: services[0].sharedWith[0]: a service does not share with itself; name the other one`}},
		"a GPU below zero":                 {service + "    gpus: [-1]\n", []string{`7:12: services[0].gpus[0]: must be at least 0`}},
		"a GPU by another name":            {service + "    gpus: [all]\n", []string{`7:12: services[0].gpus[0]: a GPU is its index in nvidia-smi's order, such as 0, or a UUID, such as GPU-… or MIG-…`}},
		"a GPU twice":                      {service + "    gpus: [1, 1]\n", []string{`7:5: services[0].gpus: the same GPU stands here twice (items 1 and 2)`}},
		"a GPU twice, as number and text":  {service + "    gpus: [1, \"01\"]\n", []string{`7:15: services[0].gpus[1]: GPU 1 stands in this list already`}},
		"a second training of that name":   {head + "training:\n  - {name: a, kind: lora}\n  - {name: a, kind: full}\n", []string{`6:6: training[1].name: a second training "a": training[0] in line 5 has that name`}},
		"a training of no service":         {service + "training: [{name: t, kind: lora, service: b}]\n", []string{`7:34: training[0].service: no service is named "b": did you mean "a"?`}},
		"a kind of training that is none":  {head + "training: [{name: t, kind: lora2}]\n", []string{`4:22: training[0].kind: "lora2" is not one of lora, qlora, full, scratch: did you mean "lora"?`}},
		"a step twice":                     {head + "training: [{name: t, kind: lora, steps: [{step: rights}, {step: rights}]}]\n", []string{`4:59: training[0].steps[1].step: step rights stands in steps[0] already`}},
		"a GPU of a training twice":        {head + "training: [{name: t, kind: lora, gpus: [1, '01']}]\n", []string{`4:44: training[0].gpus[1]: GPU 1 stands in this list already`}},
		"a preparation that leads nowhere": {head + "training: [{name: t, kind: lora, preparation: {data: 'ftp://x/y'}}]\n", []string{`4:48: training[0].preparation.data: evidence is a path beside this file or an http(s) URL, not ftp`}},
		"a hexadecimal number":             {head + "host: {gpus: {count: 0x10}}\n", []string{`4:15: host.gpus.count: 0x10: write a number in plain decimal digits, or a text in quotes`}},
		"a number beyond all bounds":       {head + "host: {gpus: {count: 99999999999999999999}}\n", []string{`4:15: host.gpus.count: must be a whole number, not a text`}},
		"all problems at once":             {"apiVersion: v1\nkind: Lunch\nmetadata: {nam: t}\n", []string{`1:1: apiVersion: "v1" is not "gpugate/v1"`, `2:1: kind: "Lunch" is not "Launch"`, `3:1: metadata.name: "name" is missing`, `3:12: metadata.nam: unknown key "nam": did you mean "name"?`}},
		"an alias to nothing":              {head + "host: *nope\n", []string{`4:1: host: nothing before it is marked &nope`}},
		"an alias within itself":           {head + "host: &x\n  os: *x\n", []string{`5:3: host.os: *x stands within itself`}},
		"a tag of its own":                 {head + "host: !mine {}\n", []string{`4:1: host: the tag !mine has no place here`}},
		"two documents":                    {head + "---\n" + head, []string{`5:1: a second document begins here; a file holds one manifest`}},
		"a tab":                            {head + "host:\n\tos: {}\n", []string{`5:1: YAML does not indent with tabs; use spaces`}},
		"an open list":                     {head + "services: [\n", []string{`4:11: sequence end token ']' not found`}},
		"nothing":                          {"", []string{`1:1: the file is empty; docs/launch.md holds a manifest to start from`}},
		"only a comment":                   {"# to do\n", []string{`1:1: the file is empty; docs/launch.md holds a manifest to start from`}},
		"only a word":                      {"launch\n", []string{`1:1: must be a mapping, not a text`}},
		"only null":                        {"~\n", []string{`1:1: is empty; give it a value, or leave the key out`}},
		"UTF-16":                           {"\xff\xfea\x00", []string{`1:1: the file is in UTF-16; save it as UTF-8`}},
		"Latin-1":                          {"kind: Launch\nmetadata: {name: caf\xe9}\n", []string{`2:21: the file is not in UTF-8`}},
		"NUL":                              {"kind: \x00\n", []string{`1:7: the file holds a NUL byte; it is not a text`}},
		"huge":                             {strings.Repeat("# filler\n", 40_000), []string{`1:1: the file has more than 262144 bytes; a manifest is far smaller`}},
		"many words":                       {strings.Repeat("- a\n", 50_000), []string{`1:1: the file has more than 50000 words and signs; a manifest is far smaller`}},
		"a deep flow":                      {"a: " + strings.Repeat("[", 10_000), []string{`1:36: nested more than 32 deep`}},
		"deep lists":                       {strings.Repeat("- ", 10_000), []string{`1:65: nested more than 32 deep`}},
		"a list as key":                    {head + "? [a]\n: b\n", []string{`5:1: found an invalid key for this map`}},
		"a merge of what is not a mapping": {head + "<<: [a]\n", []string{`4:6: only a mapping can be merged by <<`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := decode("launch.yaml", []byte(tt.text))
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("got %v, want problems", err)
			}
			got := strings.Split(strings.ReplaceAll(problems.Error(), "launch.yaml:", ""), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAccepted(t *testing.T) {
	tests := map[string]string{
		"byte-order mark":   "\xef\xbb\xbf" + head,
		"CRLF":              strings.ReplaceAll(head, "\n", "\r\n"),
		"document marks":    "%YAML 1.2\n---\n" + head + "...\n",
		"header only":       "---\n" + head + "---\n",
		"JSON":              `{"apiVersion": "gpugate/v1", "kind": "Launch", "metadata": {"name": "t"}}`,
		"anchor and alias":  head + "services:\n  - {name: a, runtime: &r {systemd: {unit: a}}}\n  - {name: b, runtime: *r}\n",
		"merge":             head + "services:\n  - &a {name: a, runtime: {systemd: {unit: a}}}\n  - <<: *a\n    name: b\n",
		"a text by its tag": head + "host: {os: {id: ubuntu, versionId: !!str 22.04}}\n",
		"an upper digest":   head + "tke: {script: {file: f, sha256: " + strings.Repeat("AB", 32) + "}}\n",
		"MIG":               head + "services:\n  - {name: a, runtime: {systemd: {unit: a}}, gpus: [MIG-b2c1f0aa-1f5e-5b7e-8c4d-0a9b3c2d1e0f, 0]}\n",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			if _, _, err := decode("launch.yaml", []byte(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMergeKeepsOwnKeys(t *testing.T) {
	m, _, err := decode("launch.yaml", []byte(head+"services:\n  - &a {name: a, runtime: {systemd: {unit: a}}, gpus: [0]}\n  - <<: *a\n    name: b\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Services[1]; s.Name != "b" || s.Runtime.Systemd.Unit != "a" || s.GPUs[0] != "0" {
		t.Errorf("got %+v", s)
	}
}

// A billion laughs must cost little and end in a problem.
func TestAliasesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		before := "*a" + string(rune('0'+i-1))
		name := string(rune('0' + i))
		b.WriteString("a" + name + ": &a" + name + " [" + strings.Repeat(before+", ", 9) + before + "]\n")
	}
	began := time.Now()
	_, _, err := decode("launch.yaml", []byte(b.String()))
	if err == nil || !strings.Contains(err.Error(), "more than 20000 values") {
		t.Errorf("got %.300v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

// The example of the reference is a manifest, and uses every key.
func TestReferenceExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/launch.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("docs/launch.md has no yaml example")
	}
	if _, _, err := decode("docs/launch.md", []byte(example)); err != nil {
		t.Error(err)
	}
	f, err := loadFormat()
	if err != nil {
		t.Fatal(err)
	}
	for object, keys := range f.Keys() {
		for _, key := range keys {
			if !regexp.MustCompile(`[.\x60]` + key + `[.\x60\[]`).MatchString(string(page)) {
				t.Errorf("docs/launch.md does not explain %s of %s", key, object)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	page, err := os.ReadFile("../../docs/launch.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(page)
	for _, s := range []string{head, head + "host: &x {os: *x}\n", "a: !!binary x\n", "? - a\n: b\n", "- - - {", "a: |\n x\n\ty\n", "<<: <<: *a\n", "*a : b", "\"\\x", "a: &a\n<<: *a\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, tree, err := decode("launch.yaml", text)
		if (m == nil) == (err == nil) {
			t.Fatalf("a manifest or an error, not %v and %v", m, err)
		}
		if problems, ok := errors.AsType[Problems](err); ok {
			for _, p := range problems {
				if p.Line < 1 || p.Column < 1 || p.Message == "" {
					t.Errorf("a problem without place or words: %+v", p)
				}
			}
		} else if err != nil {
			t.Errorf("an error without a place: %v", err)
		} else if tree == nil {
			t.Error("no places")
		}
	})
}
