package systemd

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/fixtures/lab"
)

// inLab runs a command beside the lab's systemd.
func inLab(t *testing.T, command ...string) []byte {
	t.Helper()
	args := append([]string{"-t", strconv.Itoa(lab.SystemdPID(t)), "-m", "-p", "-u", "-i", "-C"}, command...)
	var stderr bytes.Buffer
	c := exec.Command("nsenter", args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, &stderr)
	}
	return out
}

func TestLabUnits(t *testing.T) {
	d := collect(t, Live(Options{Address: lab.Systemd(t), Named: []string{"triton", "never-heard-of"}}))
	if report := d.Source(facts.SourceSystemd); report.Status != facts.StatusComplete {
		t.Fatalf("%+v", report)
	}
	if d.Systemd.Version == "" {
		t.Error("no version")
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.Index(text, []byte("lab-secret")); i >= 0 {
		t.Errorf("a secret is in the document: %s", text[max(0, i-80):i+40])
	}
	found := map[string]facts.Unit{}
	for _, u := range d.Systemd.Units {
		found[strings.TrimSuffix(u.Name, ".service")] = u
	}
	index := func(value string) []facts.DeviceSelection {
		return []facts.DeviceSelection{{Via: "cudaVisibleDevices", Devices: []facts.DeviceReference{{Kind: "index", Value: value}}, Text: value}}
	}
	for name, want := range map[string]struct {
		state string
		gpus  []facts.DeviceSelection
		wraps string
	}{
		"deepseek-v4-flash": {"active", index("0"), ""},
		"vllm@1":            {"active", index("1"), ""},
		"wan22":             {"failed", index("1"), ""},
		"qwen3-coder":       {"activating", index("0"), ""},
		"triton":            {"active", []facts.DeviceSelection{{Via: "unrestricted", All: true, Devices: []facts.DeviceReference{}}}, ""},
		"minimax-h3": {"active", []facts.DeviceSelection{{Via: "deviceAllow", Devices: []facts.DeviceReference{{Kind: "minor", Value: "0"}},
			Text: "DevicePolicy=closed DeviceAllow=/dev/nvidia0 rw"}}, ""},
		"qwen3-vl":       {"", []facts.DeviceSelection{}, "qwen3-vl"},
		"never-heard-of": {"inactive", []facts.DeviceSelection{}, ""},
	} {
		u, ok := found[name]
		if !ok {
			t.Errorf("%s is not kept", name)
			continue
		}
		if want.state != "" && u.ActiveState != want.state || u.Role != roleModel {
			t.Errorf("%s is %s, a %s", name, u.ActiveState, u.Role)
		}
		if diff := cmp.Diff(want.gpus, u.GPUs); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if (u.Wraps != nil) != (want.wraps != "") || u.Wraps != nil && u.Wraps.Name != want.wraps {
			t.Errorf("%s wraps %+v", name, u.Wraps)
		}
	}
	if u := found["deepseek-v4-flash"]; len(u.DropInPaths) != 1 || u.MemlockLimitBytes == nil || *u.MemlockLimitBytes != -1 || u.StartedAt == nil || u.MainPID == 0 {
		t.Errorf("deepseek-v4-flash: %+v", u)
	}
	if u := found["minimax-h3"]; len(u.EnvironmentFiles) != 2 {
		t.Errorf("minimax-h3: %+v", u)
	}
	if u := found["wan22"]; u.Restarts == nil || *u.Restarts < 1 || u.Result != "exit-code" {
		t.Errorf("wan22: %+v", u)
	}
	if u := found["never-heard-of"]; u.LoadState != "not-found" {
		t.Errorf("never-heard-of: %+v", u)
	}
	if _, kept := found["dbus"]; kept {
		t.Error("dbus is kept")
	}
}

// The same systemd gives the same facts over its own socket, over the bus and
// through systemctl show, for whatever can be written into a unit.
func TestOneMapping(t *testing.T) {
	private, bus := lab.Systemd(t), lab.SystemdBus(t)
	const unit = "gpugate-test-mapping"
	start := []string{"systemd-run", "--unit=" + unit, "--collect", "-p", "DeviceAllow=/dev/nvidia3 rw", "-p", "DeviceAllow=/dev/nvidia1", "-p", "DevicePolicy=closed", "-p", "LimitMEMLOCK=16M"}
	for _, pair := range []string{"A=has space", `B=q"uote`, "C=it's", "D=dollar$x", `E=back\slash`, "F=new\nline", "G=한글", "H=tab\there", "I=", "CUDA_VISIBLE_DEVICES=0,1", "CUDA_VERSION=a \"b\" \\ c\nd"} {
		start = append(start, "--setenv="+pair)
	}
	inLab(t, append(start, "sh", "-c", "echo 'a;b' ; ignore_errors=no ; echo '{ path=x ; y }'\n\nPID=$$$$ exec sleep 300 # --api-key lab-secret-x")...)
	t.Cleanup(func() { inLab(t, "systemctl", "stop", unit) })
	var diff string
	for range 5 { // a unit may change its state in between
		d := collect(t, Live(Options{Address: private}))
		overBus := collect(t, Live(Options{Address: bus}))
		shown := collect(t, FromCapture(captured(t, map[string]string{"systemd/units": string(inLab(t, "systemctl", "show", "*.service", "--all"))}), nil))
		if gaps := shown.Source(facts.SourceSystemd).Gaps; len(gaps) > 0 {
			t.Fatalf("%+v", gaps)
		}
		if !strings.Contains(mustJSON(t, d.Systemd), unit) || strings.Contains(mustJSON(t, d.Systemd), "lab-secret") {
			t.Fatal("the unit is not there, or its secret is")
		}
		if diff = cmp.Diff(d.Systemd, overBus.Systemd); diff != "" {
			continue
		}
		if diff = cmp.Diff(d.Systemd.Units, shown.Systemd.Units); diff == "" {
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
	t.Error(diff)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A systemd that stops answering in the middle gives what it told until then,
// and a gap that covers all units.
func TestLabStopsAnswering(t *testing.T) {
	path := strings.TrimPrefix(lab.SystemdBus(t), "unix:path=")
	address := serve(t, func(c net.Conn) {
		s, err := net.Dial("unix", path)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = s.Close() }()
		go func() { _, _ = io.Copy(s, c) }()
		_, _ = io.CopyN(c, s, 150_000)
		_, _ = io.Copy(io.Discard, s)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	d := collectWithin(ctx, Live(Options{Address: address}))
	report := d.Source(facts.SourceSystemd)
	if report.Status != facts.StatusPartial || len(report.Gaps) != 1 || report.Gaps[0].Reason != facts.ReasonTimeout || report.Gaps[0].Item != "" {
		t.Errorf("%+v", report)
	}
	t.Logf("%d units before it stopped", len(d.Systemd.Units))
}
