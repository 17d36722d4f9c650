package logs

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// standIn is a program in the place of journalctl and systemctl.
func standIn(t *testing.T, script string) journal {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return journal{prefix: []string{file}}
}

func withUnits(units ...facts.Unit) *facts.Document {
	return &facts.Document{Systemd: facts.Systemd{Units: units}}
}

// from collects with a stand-in, without the kernel's log.
func from(t *testing.T, d *facts.Document, o Options) (facts.Source, []facts.LogStream) {
	t.Helper()
	s, ok := Live(d, o).(live)
	if !ok {
		t.Fatal("another type")
	}
	s.targets = s.targets[1:]
	report, after := collect(s)
	return report, after.Logs.Streams
}

const entry = `{"__REALTIME_TIMESTAMP":"%d","MESSAGE":%s,"_TRANSPORT":"stdout"}` + "\n"

var began = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func journalOf(t *testing.T, entries, output, suppressed string) journal {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"unit": entries, "show": output, "suppressed": suppressed} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return standIn(t, `cd `+dir+`
case "$*" in
"journalctl --no-pager --output=json --output-fields=MESSAGE,MESSAGE_ID,_TRANSPORT --lines=5000 --unit=glm.service") cat unit ;;
*MESSAGE_ID=*) cat suppressed ;;
"systemctl show --property=StandardOutput,StandardError -- glm.service") cat show ;;
*) echo "unexpected: $*" >&2; exit 1 ;;
esac`)
}

func TestUnit(t *testing.T) {
	start := fmt.Sprintf(`{"__REALTIME_TIMESTAMP":"%d","MESSAGE":"Started glm.service","MESSAGE_ID":"%s","_TRANSPORT":"journal"}`+"\n", began.UnixMicro()+100, messageStarted)
	earlier := fmt.Sprintf(entry, began.Add(-time.Hour).UnixMicro(), `"INFO:     Application startup complete."`)
	oom := fmt.Sprintf(entry, began.Add(time.Minute).UnixMicro(), `[67,85,68,65,32,111,117,116,32,111,102,32,109,101,109,111,114,121,27,91,109]`)
	several := fmt.Sprintf(entry, began.Add(2*time.Minute).UnixMicro(), `"one\nLoading safetensors checkpoint shards:  20% Completed\rLoading safetensors checkpoint shards:  60% Completed"`)
	lost := fmt.Sprintf(entry, began.Add(time.Minute).UnixMicro(), `null`)
	const toJournal = "StandardOutput=journal\nStandardError=inherit\n"
	for name, tt := range map[string]struct {
		entries, output, suppressed string
		whole                       bool
		signals                     []string
	}{
		"back to the start":            {start + oom + several, toJournal, "", true, []string{"cudaOutOfMemory", "loadProgress"}},
		"an earlier run":               {earlier + oom, toJournal, "", true, []string{"cudaOutOfMemory"}},
		"not back to the start":        {oom, toJournal, "", false, []string{"cudaOutOfMemory"}},
		"a line that is lost":          {start + oom + lost, toJournal, "", false, []string{"cudaOutOfMemory"}},
		"no JSON":                      {start + oom + "{\n", toJournal, "", false, []string{"cudaOutOfMemory"}},
		"nothing of its own":           {start, toJournal, "", false, nil},
		"output to a file":             {start + oom, "StandardOutput=append:/var/log/glm.log\nStandardError=inherit\n", "", false, []string{"cudaOutOfMemory"}},
		"where to is not known":        {start + oom, "", "", false, []string{"cudaOutOfMemory"}},
		"lines were dropped":           {start + oom, toJournal, fmt.Sprintf(entry, began.Add(time.Second).UnixMicro(), `"Suppressed 5 messages from glm.service"`), false, []string{"cudaOutOfMemory"}},
		"dropped in an earlier run":    {start + oom, toJournal, fmt.Sprintf(entry, began.Add(-time.Second).UnixMicro(), `"Suppressed 5 messages from glm.service"`), true, []string{"cudaOutOfMemory"}},
		"dropped of another":           {start + oom, toJournal, fmt.Sprintf(entry, began.Add(time.Second).UnixMicro(), `"Suppressed 5 messages from other.service"`), true, []string{"cudaOutOfMemory"}},
		"no entries":                   {"-- No entries --\n", toJournal, "", false, nil},
		"a start of an earlier second": {strings.ReplaceAll(start, fmt.Sprint(began.UnixMicro()+100), fmt.Sprint(began.UnixMicro()-2_000_000)) + oom, toJournal, "", true, []string{"cudaOutOfMemory"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := withUnits(facts.Unit{Name: "glm.service", Role: "model", ActiveState: "active", StartedAt: &began})
			report, streams := from(t, d, Options{journal: journalOf(t, tt.entries, tt.output, tt.suppressed)})
			if len(streams) != 1 || report.Status != facts.StatusComplete {
				t.Fatalf("%+v %+v", report, streams)
			}
			var found []string
			for _, s := range streams[0].Signals {
				found = append(found, s.Name)
				if s.Name == "loadProgress" && (s.Value == nil || *s.Value != 60 || s.Count != 1) {
					t.Errorf("%+v", s)
				}
			}
			if diff := cmp.Diff(tt.signals, found); diff != "" || streams[0].Whole != tt.whole {
				t.Errorf("whole=%v %s", streams[0].Whole, diff)
			}
		})
	}
}

// That a journal may not be read is not that nothing was said.
func TestJournalMissing(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		reason facts.Reason
	}{
		"denied":      {"echo 'No journal files were opened due to insufficient permissions. seeded' >&2; exit 1", facts.ReasonDenied},
		"in part":     {"echo 'Hint: You are currently not seeing messages from other users and the system.' >&2", facts.ReasonDenied},
		"no journal":  {"echo 'No journal files were found.' >&2; echo '-- No entries --'", facts.ReasonAbsent},
		"it fails":    {"echo seeded >&2; exit 3", facts.ReasonFailed},
		"too much":    {"yes | head -c 40000000", facts.ReasonFailed},
		"its own end": {"kill -9 $$", facts.ReasonFailed},
	} {
		report, streams := from(t, withUnits(facts.Unit{Name: "glm.service", Role: "model", ActiveState: "active"}), Options{journal: standIn(t, tt.script)})
		if len(streams) > 0 || len(report.Gaps) != 1 || report.Gaps[0].Reason != tt.reason || report.Gaps[0].Item != "glm.service" || report.Status != tt.reason.Status() {
			t.Errorf("%s: %+v %+v", name, report, streams)
		}
		if strings.Contains(fmt.Sprint(report), "seeded") {
			t.Errorf("%s: words of the journal are kept", name)
		}
	}
	report, _ := from(t, withUnits(facts.Unit{Name: "glm.service", Role: "model", ActiveState: "active"}), Options{journal: journal{prefix: []string{"/nowhere/nsenter"}}})
	if len(report.Gaps) != 1 {
		t.Errorf("%+v", report)
	}
	report, _ = from(t, withUnits(facts.Unit{Name: "glm*.service", Role: "model", ActiveState: "active"}), Options{journal: standIn(t, "exit 1")})
	if len(report.Gaps) != 1 || report.Gaps[0].Reason != facts.ReasonFailed || !strings.Contains(report.Gaps[0].Detail, "name") {
		t.Errorf("%+v", report)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s := Live(withUnits(facts.Unit{Name: "glm.service", Role: "model", ActiveState: "active"}), Options{journal: standIn(t, "exec sleep 30")})
	begin := time.Now()
	r := s.Collect(ctx)
	if took := time.Since(begin); took > 5*time.Second || len(r.Report.Gaps) != 2 || r.Report.Gaps[1].Reason != facts.ReasonTimeout {
		t.Errorf("after %s: %+v", took, r.Report)
	}
}

func TestKernel(t *testing.T) {
	ring := filepath.Join(t.TempDir(), "kmsg")
	if err := os.WriteFile(ring, []byte("6,0,0,-;NVRM: Xid (PCI:0000:0c:00): 79, pid=1\n SUBSYSTEM=pci\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	version := fmt.Sprintf(entry, began.UnixMicro(), `"Linux version 6.1.0"`)
	xid := fmt.Sprintf(entry, began.UnixMicro(), `"NVRM: Xid (PCI:0000:0c:00): 31, pid=1"`)
	for name, tt := range map[string]struct {
		script, ring string
		value        int64
		whole        bool
		reason       facts.Reason
	}{
		"the journal since boot":   {"cat <<'X'\n" + version + xid + "X", ring, 31, true, ""},
		"the journal, not all":     {"cat <<'X'\n" + xid + "X", ring, 31, false, ""},
		"no journal":               {"exit 1", ring, 79, true, ""},
		"an empty journal":         {"exit 0", ring, 79, true, ""},
		"neither":                  {"exit 1", "/nowhere/kmsg", 0, false, facts.ReasonAbsent},
		"no permission for either": {"echo insufficient permissions >&2; exit 1", "/proc/1/nothing", 0, false, facts.ReasonAbsent},
	} {
		s := live{options: Options{journal: standIn(t, tt.script), ring: tt.ring}, targets: targets(&facts.Document{})}
		report, d := collect(s)
		if tt.reason != "" {
			if len(report.Gaps) != 1 || report.Gaps[0].Reason != tt.reason || report.Gaps[0].Item != KindKernel {
				t.Errorf("%s: %+v", name, report)
			}
			continue
		}
		if len(d.Logs.Streams) != 1 || len(d.Logs.Streams[0].Signals) != 1 {
			t.Fatalf("%s: %+v %+v", name, report, d.Logs)
		}
		stream := d.Logs.Streams[0]
		if v := stream.Signals[0].Value; v == nil || *v != tt.value || stream.Whole != tt.whole {
			t.Errorf("%s: %+v", name, stream)
		}
	}
}

func TestTargets(t *testing.T) {
	gpu := []facts.DeviceSelection{{All: true}}
	manifest := &facts.Manifest{Services: []facts.Service{
		{Runtime: facts.Runtime{Systemd: &facts.SystemdRuntime{Unit: "declared"}}},
		{Runtime: facts.Runtime{Docker: &facts.DockerRuntime{Container: "declared", Host: "unix:///a"}}},
		{Runtime: facts.Runtime{Kubernetes: &facts.KubernetesRuntime{Namespace: "ai", Workload: "declared", Container: "main"}}},
	}}
	d := &facts.Document{
		Launch: facts.Launch{Manifest: manifest},
		NVML:   facts.NVML{Processes: []facts.GPUProcess{{PID: 7}, {PID: 8}, {PID: 9}}},
		Host: facts.Host{Processes: []facts.Process{
			{PID: 7, Owner: facts.Owner{Manager: "systemd", Unit: "holder.service"}}, {PID: 8, Owner: facts.Owner{Manager: "docker", ContainerID: "c-holder"}},
			{PID: 9, Owner: facts.Owner{Manager: "tke", ContainerID: "p-holder", PodUID: "u3"}}, {PID: 10, Owner: facts.Owner{Manager: "systemd", Unit: "other.service"}},
		}},
		Systemd: facts.Systemd{Units: []facts.Unit{
			{Name: "declared.service", ActiveState: "inactive"}, {Name: "holder.service", Role: "other"}, {Name: "other.service", Role: "other"}, {Name: "gone.service", Role: "model", LoadState: "not-found"},
			{Name: "model.service", Role: "model", ActiveState: "failed"}, {Name: "idle.service", Role: "model", ActiveState: "inactive"}, {Name: "wrapper.service", Role: "model", ActiveState: "active", Wraps: &facts.WrappedContainer{}},
		}},
		Docker: facts.Docker{Daemons: []facts.Daemon{
			{Endpoint: "unix:///a", Containers: []facts.Container{
				{ID: "c1", Name: "declared"}, {ID: "c2", Name: "gpu", GPUs: gpu}, {ID: "c3", Name: "created", State: "created", GPUs: gpu}, {ID: "c-holder", Name: "holder"},
				{ID: "c4", Name: "web"}, {ID: "c5", Name: "pod", PodUID: "u", GPUs: gpu}, {ID: "c6", Name: "kind", ClusterNode: true, GPUs: gpu},
			}},
			{Endpoint: "unix:///b", Containers: []facts.Container{{ID: "c7", Name: "declared"}}},
		}},
		Kubernetes: facts.Kubernetes{
			Kubelet: facts.Kubelet{Assigned: []facts.AssignedDevices{{PodUID: "u2", Container: "x"}}},
			Pods: []facts.Pod{
				{UID: "u1", Namespace: "ai", Name: "declared-1", OwnerName: "declared", Containers: []facts.PodContainer{{Name: "main"}, {Name: "side"}}},
				{UID: "u2", Namespace: "ai", Name: "assigned", Containers: []facts.PodContainer{{Name: "x"}, {Name: "y"}}},
				{UID: "u3", Namespace: "ai", Name: "holder", Containers: []facts.PodContainer{{Name: "x", ContainerID: "p-holder"}}},
				{UID: "u4", Namespace: "ai", Name: "gpu", Containers: []facts.PodContainer{{Name: "x", GPUs: gpu}}},
			},
		},
	}
	var got []string
	for _, x := range targets(d) {
		got = append(got, strings.TrimSpace(x.kind+" "+x.name+" "+x.endpoint))
	}
	want := []string{
		"kernel kernel", "unit declared.service", "unit holder.service", "unit model.service",
		"container declared unix:///a", "container gpu unix:///a", "container holder unix:///a",
		"pod ai/declared-1/main", "pod ai/assigned/x", "pod ai/holder/x", "pod ai/gpu/x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPods(t *testing.T) {
	d := &facts.Document{Kubernetes: facts.Kubernetes{Pods: []facts.Pod{{Namespace: "ai", Name: "glm", Containers: []facts.PodContainer{
		{Name: "a", GPUs: []facts.DeviceSelection{{All: true}}}, {Name: "b", GPUs: []facts.DeviceSelection{{All: true}}},
	}}}}}
	read := func(_ context.Context, namespace, pod, container string, lines int, to io.Writer) *facts.Gap {
		if container == "b" {
			return &facts.Gap{Reason: facts.ReasonDenied, Detail: "pods/log is forbidden"}
		}
		fmt.Fprintf(to, "2026-11-30T12:00:00Z %s %s %d No space left on device", namespace, pod, lines)
		return nil
	}
	report, streams := from(t, d, Options{Pod: read})
	if len(streams) != 1 || streams[0].Name != "ai/glm/a" || streams[0].Whole || len(streams[0].Signals) != 1 || streams[0].First == nil {
		t.Errorf("%+v", streams)
	}
	if report.Status != facts.StatusPartial || len(report.Gaps) != 1 || report.Gaps[0].Item != "ai/glm/b" || report.Gaps[0].Reason != facts.ReasonDenied {
		t.Errorf("%+v", report)
	}
	if report, _ := from(t, d, Options{}); len(report.Gaps) != 2 || report.Status != facts.StatusSkipped {
		t.Errorf("%+v", report)
	}
}

func TestMostStreams(t *testing.T) {
	d := &facts.Document{}
	for i := range maxStreams + 1 {
		d.Systemd.Units = append(d.Systemd.Units, facts.Unit{Name: fmt.Sprintf("u%d.service", i), Role: "model"})
	}
	report, _ := from(t, d, Options{journal: standIn(t, "exit 0")})
	if len(report.Gaps) != 1 || report.Gaps[0].Item != "" || report.Gaps[0].Reason != facts.ReasonSkipped {
		t.Errorf("%+v", report)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(`{"__REALTIME_TIMESTAMP":"1","MESSAGE":[1,2,300],"_TRANSPORT":"stdout"}`)
	f.Add(`{"MESSAGE":null}`)
	f.Fuzz(func(t *testing.T, line string) {
		m := newMatcher(KindUnit, "x", &began)
		m.message(parseRecord(line))
		m.ringRecord(line)
		m.result()
	})
}

var _ collector.Source = live{}
