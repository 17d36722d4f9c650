package docker

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestCaptureGolden(t *testing.T) {
	dir, err := capture.Open("testdata/serving")
	if err != nil {
		t.Fatal(err)
	}
	section, report := collected(t, FromCapture(dir).Collect(context.Background()))
	text, err := json.MarshalIndent(map[string]any{"docker": section, "source": report}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := "testdata/serving.golden.json"
	if *update {
		if err := os.WriteFile(golden, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)+"\n"); diff != "" {
		t.Errorf("differs from %s (go test -update writes it anew): %s", golden, diff)
	}
	for _, secret := range []string{"secret", "hf_q"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q got into the document", secret)
		}
	}
}

const (
	goodInfo  = `{"ServerVersion":"26.1.4","DefaultRuntime":"runc","Runtimes":{"runc":{"path":"runc"}}}`
	oneRunner = `{"Id":"aaaa","Name":"/a","Image":"sha256:01","State":{"Status":"running"},"HostConfig":{"Runtime":"runc"},"Config":{}}`
	twoRunner = `{"Id":"bbbb","Name":"/b","Image":"sha256:01","State":{"Status":"running"},"HostConfig":{"Runtime":"runc"},"Config":{}}`
	oneImage  = `[{"Id":"sha256:01","RepoDigests":["r@sha256:02"]}]`
)

func TestCaptureOutcomes(t *testing.T) {
	const main = "docker/main/"
	// In gaps, DIR stands for the capture's folder.
	tests := []struct {
		name           string
		files          map[string]string
		wantStatus     facts.Status
		wantDaemon     facts.Status // of the first, "" for no daemon
		wantContainers string       // ids
		wantGaps       []string
	}{
		{"whole", map[string]string{main + "endpoint": "unix:///run/docker.sock", main + "info.json": goodInfo, main + "containers.json": "[" + oneRunner + "]", main + "images.json": oneImage},
			"complete", "complete", "aaaa", nil},
		{"no folder", nil, "skipped", "", "", []string{"skipped: the capture has no docker/"}},
		{"one object", map[string]string{main + "info.json": goodInfo, main + "containers.json": oneRunner, main + "images.json": oneImage},
			"complete", "complete", "aaaa", nil},
		{"one object a line", map[string]string{main + "info.json": goodInfo, main + "containers.json": oneRunner + "\n" + twoRunner + "\n", main + "images.json": oneImage},
			"complete", "complete", "aaaa bbbb", nil},
		{"several arrays", map[string]string{main + "info.json": goodInfo, main + "containers.json": "\ufeff[" + oneRunner + "]\n[" + twoRunner + "," + oneRunner + "]\n", main + "images.json": oneImage},
			"complete", "complete", "aaaa bbbb", nil},
		{"images missing", map[string]string{main + "info.json": goodInfo, main + "containers.json": oneRunner},
			"partial", "partial", "aaaa", nil},
		{"images malformed", map[string]string{main + "info.json": goodInfo, main + "containers.json": oneRunner, main + "images.json": "[{"},
			"partial", "partial", "aaaa", nil},
		{"info missing", map[string]string{main + "containers.json": oneRunner, main + "images.json": oneImage},
			"partial", "partial", "aaaa", nil},
		{"permission denied", map[string]string{main + "info.json.err": "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: dial unix /var/run/docker.sock: connect: permission denied"},
			"denied", "denied", "", []string{"denied: DIR/docker/main/info.json.err: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: dial unix /var/run/docker.sock: connect: permission denied"}},
		{"no daemon", map[string]string{main + "info.json.err": "Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?"},
			"absent", "absent", "", nil},
		{"no daemon, said in the file", map[string]string{main + "info.json": `{"ID":"","Containers":0,"ServerErrors":["Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?"]}`, main + "info.json.err": "errors pretty printing info"},
			"absent", "absent", "", nil},
		{"denied, said in the file", map[string]string{main + "info.json": `{"Containers":0,"ServerErrors":["permission denied while trying to connect"]}`, main + "containers.json.err": `"docker inspect" requires at least 1 argument.`},
			"denied", "denied", "", []string{`denied: DIR/docker/main/info.json: permission denied while trying to connect`}},
		{"no docker command", map[string]string{main + "info.json.err": "sh: 1: docker: not found"},
			"absent", "absent", "", []string{"absent: DIR/docker/main/info.json.err: sh: 1: docker: not found"}},
		{"socket refused", map[string]string{main + "info.json.err": "error during connect: dial unix /run/x.sock: connect: connection refused"},
			"absent", "absent", "", nil},
		{"timeout", map[string]string{main + "info.json.err": "Cannot connect to the Docker daemon: context deadline exceeded"},
			"timeout", "timeout", "", []string{"timeout: DIR/docker/main/info.json.err: Cannot connect to the Docker daemon: context deadline exceeded"}},
		{"no containers", map[string]string{main + "info.json": `{"ServerVersion":"26.1.4","Containers":0}`, main + "containers.json": "", main + "containers.json.err": `"docker inspect" requires at least 1 argument.`},
			"complete", "complete", "", nil},
		{"no containers, but that is not known", map[string]string{main + "info.json": goodInfo, main + "containers.json.err": `"docker inspect" requires at least 1 argument.`},
			"partial", "partial", "", []string{`failed: DIR/docker/main/containers.json.err: "docker inspect" requires at least 1 argument.`}},
		{"containers missing", map[string]string{main + "info.json": goodInfo},
			"partial", "partial", "", []string{"skipped: the capture has no docker/main/containers.json"}},
		{"containers empty", map[string]string{main + "info.json": goodInfo, main + "containers.json": " \n"},
			"partial", "partial", "", []string{"failed: DIR/docker/main/containers.json:1:1: the file is empty; expected a JSON array"}},
		{"fewer than there are", map[string]string{main + "info.json": `{"ServerVersion":"26.1.4","Containers":3}`, main + "containers.json": oneRunner, main + "images.json": oneImage},
			"partial", "partial", "aaaa", []string{"failed: DIR/docker/main/containers.json: docker info counts 3 containers, 1 are inspected here (docker inspect $(docker ps --all --quiet) gives all)"}},
		{"one ended meanwhile", map[string]string{main + "info.json": `{"ServerVersion":"26.1.4","Containers":2}`, main + "containers.json": "[" + oneRunner + "]", main + "containers.json.err": "Error: No such object: cccc\n", main + "images.json": oneImage},
			"complete", "complete", "aaaa", nil},
		{"cut off", map[string]string{main + "info.json": goodInfo, main + "containers.json": "[\n" + oneRunner + ",\n" + twoRunner[:40], main + "images.json": oneImage},
			"partial", "partial", "aaaa", []string{"failed: DIR/docker/main/containers.json:3:41: the file ends in the middle of the JSON value"}},
		{"one line garbled", map[string]string{main + "info.json": goodInfo, main + "containers.json": oneRunner + "\n{\"Id\": oops}\n" + twoRunner, main + "images.json": oneImage},
			"partial", "partial", "aaaa bbbb", []string{"failed: DIR/docker/main/containers.json:2:8: invalid character 'o' at start of value"}},
		{"one of the wrong type", map[string]string{main + "info.json": goodInfo, main + "containers.json": "[" + oneRunner + ",\n {\"Id\":\"cccc\",\"HostConfig\":{\"Privileged\":\"yes\"}},\n" + twoRunner + "]", main + "images.json": oneImage},
			"partial", "partial", "aaaa bbbb", []string{"failed cccc: DIR/docker/main/containers.json:2:42: /HostConfig/Privileged: a string cannot stand here"}},
		{"not an inspection", map[string]string{main + "info.json": goodInfo, main + "containers.json": `[{"Id":"net1","Name":"bridge","Driver":"bridge"}, 7]`},
			"partial", "partial", "", []string{
				"failed: DIR/docker/main/containers.json:1:51: expected an object here, not number",
				"failed net1: DIR/docker/main/containers.json:1:2: this is not an inspected container: it has neither State, Config nor HostConfig"}},
		{"no id", map[string]string{main + "info.json": goodInfo, main + "containers.json": `[{"Name":"/lost","HostConfig":{"Privileged":true}}]`},
			"partial", "partial", "lost", []string{"failed lost: DIR/docker/main/containers.json:1:2: the container has no Id"}},
		{"info of something else", map[string]string{main + "info.json": `{"hello":1}`, main + "containers.json": oneRunner, main + "images.json": oneImage},
			"partial", "partial", "aaaa", []string{"failed: DIR/docker/main/info.json: this is not what docker info prints: it has no ServerVersion"}},
		{"info of the wrong type", map[string]string{main + "info.json": "{\n\"ServerVersion\": 27}", main + "containers.json": oneRunner, main + "images.json": oneImage},
			"partial", "partial", "aaaa", []string{"failed: DIR/docker/main/info.json:2:18: /ServerVersion: a number cannot stand here"}},
		{"one daemon of two denied", map[string]string{"docker/a/info.json": goodInfo, "docker/a/containers.json": oneRunner, "docker/a/images.json": oneImage, "docker/b/info.json.err": "Got permission denied"},
			"partial", "complete", "aaaa", []string{"denied: DIR/docker/b/info.json.err: Got permission denied"}},
		{"Podman", map[string]string{main + "endpoint": "unix:///run/podman/podman.sock", main + "info.json": `{"host":{"cgroupManager":"systemd","cgroupVersion":"v2","ociRuntime":{"name":"crun"},"security":{"rootless":true}},"store":{"containerStore":{"number":0}},"version":{"APIVersion":"5.2.0","Version":"5.2.0"}}`},
			"complete", "complete", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeCapture(t, tt.files)
			section, report := collected(t, FromCapture(dir).Collect(context.Background()))
			if report.Status != tt.wantStatus {
				t.Errorf("status %s, want %s (%s)", report.Status, tt.wantStatus, asJSON(t, report))
			}
			var ids []string
			status := facts.Status("")
			if len(section.Daemons) > 0 {
				status = section.Daemons[0].Status
				for _, c := range section.Daemons[0].Containers {
					ids = append(ids, c.ID)
				}
			}
			if status != tt.wantDaemon {
				t.Errorf("daemon %q, want %q", status, tt.wantDaemon)
			}
			if got := strings.Join(ids, " "); got != tt.wantContainers {
				t.Errorf("containers %q, want %q", got, tt.wantContainers)
			}
			var gaps []string
			for _, g := range gapsOf(report) {
				gaps = append(gaps, strings.ReplaceAll(g, filepath.Dir(dir.Path("capture.json")), "DIR"))
			}
			if diff := cmp.Diff(tt.wantGaps, gaps); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAbsenceHasAProof(t *testing.T) {
	dir := writeCapture(t, map[string]string{"docker/main/info.json.err": "Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?"})
	_, report := collected(t, FromCapture(dir).Collect(context.Background()))
	if !strings.Contains(report.Detail, "Is the docker daemon running?") {
		t.Errorf("detail: %q", report.Detail)
	}
}

// Words of a failure that cannot be read are not taken for warnings.
func TestUnreadableWordsAreAFailure(t *testing.T) {
	dir := writeCapture(t, map[string]string{"docker/m/info.json": goodInfo, "docker/m/info.json.err/x": "", "docker/m/containers.json": oneRunner, "docker/m/images.json": oneImage})
	_, report := collected(t, FromCapture(dir).Collect(context.Background()))
	if report.Status != facts.StatusPartial || len(report.Gaps) != 1 || report.Gaps[0].Reason != facts.ReasonFailed {
		t.Errorf("%+v", report)
	}
}

// FuzzInspect feeds anything as the answers of a daemon: the outcome is facts
// that fit the schema, or gaps, never a fault of ours.
func FuzzInspect(f *testing.F) {
	text, err := os.ReadFile("testdata/serving/docker/main/containers.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(goodInfo, string(text), oneImage)
	f.Add(`{"ServerErrors":["permission denied"]}`, "[", "null")
	f.Add(`{"version":{"Version":"5"},"host":{}}`, "{\"Id\":\"a\",\"HostConfig\":{\"Binds\":[\"a:b\",\":\"]}}\n[]\n7", `{"Id":"sha256:","Config":{"Env":["="]}}`)
	f.Add(goodInfo, `[{"Id":"a","State":{"Pid":1e99},"NetworkSettings":{"Ports":{"x/y":[{}]}}}]`, "\x00")
	f.Fuzz(func(t *testing.T, info, containers, images string) {
		s := snapshot{endpoint: "unix:///run/docker.sock"}
		var i rawInfo
		if facts.UnmarshalJSON("info.json", []byte(info), &i) == nil && i.answered() {
			s.info = &i
		}
		found, faults := elements("containers.json", []byte(containers))
		if len(found) == 0 && len(faults) == 0 && strings.Trim(strings.TrimPrefix(containers, "\ufeff"), "[] \t\r\n") != "" {
			t.Errorf("nothing was read, and nothing said: %q", containers)
		}
		for i, e := range found {
			s.readContainer("containers.json", i, e)
		}
		found, _ = elements("images.json", []byte(images))
		for _, e := range found {
			var i rawImage
			if e.decode("images.json", &i) == nil {
				s.keepImage(i)
			}
		}
		section, report := collected(t, reading{snapshots: []snapshot{s}}.result())
		for _, c := range section.Daemons[0].Containers {
			if c.ID == "" || !c.ImageKnown && report.Status == facts.StatusComplete {
				t.Errorf("%s, with an unknown part: %+v", report.Status, c)
			}
		}
	})
}
