package tione

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

func collect(s collector.Source) (facts.Source, *facts.Document) {
	r := s.Collect(context.Background())
	d := &facts.Document{}
	r.Attach(d)
	return r.Report, d
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func openCapture(t *testing.T, files map[string]string) *capture.Dir {
	t.Helper()
	root := t.TempDir()
	write(t, root, map[string]string{"capture.json": `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-05-06T07:08:09Z","hostname":"cvd-b"}`})
	write(t, root, files)
	dir, err := capture.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// summary is what a report says, a line a gap.
func summary(r facts.Source) []string {
	lines := []string{string(r.Status)}
	for _, g := range r.Gaps {
		lines = append(lines, string(g.Reason)+" "+g.Path)
	}
	return lines
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"p.json": sound, "broken.json": "{", "g.json": `{"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"10.31.4.9"}]}`})
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, c := range map[string]struct {
		o    Options
		want []string
	}{
		"both":        {Options{PolicyFile: in("p.json"), GroupFile: in("g.json"), Host: here}, []string{"complete"}},
		"none":        {Options{}, []string{"skipped", "skipped tione.policy", "skipped tione.resourceGroup"}},
		"policy only": {Options{PolicyFile: in("p.json")}, []string{"partial", "skipped tione.resourceGroup"}},
		"not there":   {Options{PolicyFile: in("x.json"), GroupFile: in("y.json")}, []string{"absent", "absent tione.policy", "absent tione.resourceGroup"}},
		"a folder":    {Options{PolicyFile: dir}, []string{"failed", "failed tione.policy", "skipped tione.resourceGroup"}},
		"no service":  {Options{PolicyFile: in("p.json"), GroupFile: in("g.json"), ServiceFile: in("x.json"), Host: here}, []string{"partial", "absent tione.resourceGroup"}},
		"broken": {Options{PolicyFile: in("broken.json"), GroupFile: in("g.json"), Host: here}, []string{
			"partial", "failed tione.policy.version", "failed tione.policy.defaultPriority", "failed tione.policy.defaultQueue",
			"failed tione.policy.preempted", "failed tione.policy.taskRules", "failed tione.policy.crossGroupScheduling",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := collect(New(c.o))
			if d := cmp.Diff(c.want, summary(report)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestReasonOfFileErrors(t *testing.T) {
	denied := explain("p.json", &fs.PathError{Op: "open", Path: "p.json", Err: syscall.EACCES})
	if got := reasonOf(denied); got != facts.ReasonDenied || denied.Error() != "p.json: permission denied" {
		t.Errorf("%s: %v", got, denied)
	}
}

func TestCapture(t *testing.T) {
	dir := openCapture(t, map[string]string{
		"tione/policy.json":         sound,
		"tione/resource-group.json": `{"Response":{"TotalCount":1,"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"10.31.4.9"}]}}`,
		"host/addresses":            "127.0.0.1 10.31.4.9 \n",
	})
	report, d := collect(FromCapture(dir))
	if diff := cmp.Diff([]string{"complete"}, summary(report)); diff != "" {
		t.Error(diff, report.Gaps)
	}
	if !d.TIONE.ResourceGroup.Instances[0].ThisHost || d.TIONE.Policy.File != dir.Path("tione/policy.json") || len(d.Origins) != 2 {
		t.Errorf("%+v, origins %v", d.TIONE, d.Origins)
	}
}

func TestCaptureGaps(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"nothing": {nil, []string{"skipped", "skipped tione.policy", "skipped tione.resourceGroup"}},
		"no key": {map[string]string{"tione/resource-group.json.err": "[TencentCloudSDKException] code:AuthFailure.SecretIdNotFound message:no requestId:x"},
			[]string{"denied", "skipped tione.policy", "denied tione.resourceGroup"}},
		"no tccli": {map[string]string{"tione/resource-group.json.err": "sh: tccli: command not found"},
			[]string{"absent", "skipped tione.policy", "absent tione.resourceGroup"}},
		"garbage": {map[string]string{"tione/policy.json": "\x00\x01", "tione/resource-group.json": strings.Repeat("[", 100000)},
			[]string{"partial", "failed tione.policy.version", "failed tione.policy.defaultPriority", "failed tione.policy.defaultQueue",
				"failed tione.policy.preempted", "failed tione.policy.taskRules", "failed tione.policy.crossGroupScheduling", "failed tione.resourceGroup"}},
		"half": {map[string]string{"tione/policy.json": sound, "tione/policy.json.err": "curl: (28) Operation timed out"},
			[]string{"partial", "timeout tione.policy", "skipped tione.resourceGroup"}},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := collect(FromCapture(openCapture(t, c.files)))
			if d := cmp.Diff(c.want, summary(report)); d != "" {
				t.Error(d, report.Gaps)
			}
		})
	}
}
