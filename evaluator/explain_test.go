package evaluator

import (
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

// states are the conditions of the ways of one subject, one letter each.
func states(e *Explanation, subject string) string {
	var b strings.Builder
	for _, s := range e.Subjects {
		if s.Subject.ID != subject {
			continue
		}
		for _, w := range s.Ways {
			for _, c := range w.Conditions {
				b.WriteString(map[string]string{"holds": "h", "fails": "f", "not-reached": "-"}[c.State])
			}
			b.WriteString(" ")
		}
	}
	return strings.TrimSpace(b.String())
}

func explained(t *testing.T, d *facts.Document, subject string) *Explanation {
	t.Helper()
	e, err := demoSet(t, demo).Explain(t.Context(), d, Options{FactsFile: "facts.json"}, "tst001", subject)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestExplainEachSubject(t *testing.T) {
	d := document(gpu("GPU-a", "unreadable"), gpu("GPU-b", "ok"), facts.GPU{UUID: "GPU-c", State: "ok"}, gpu("GPU-d", "ok"))
	d.NVML.Processes = []facts.GPUProcess{{GPU: "GPU-d", PID: 7}}
	e := explained(t, d, "")
	for subject, want := range map[string]string{
		"GPU-a": "hh hf hhf-", "GPU-b": "hf hf hhf-", "GPU-c": "hf hh hhf-", "GPU-d": "hf hf hhhh",
	} {
		if got := states(e, subject); got != want {
			t.Errorf("%s: %s, want %s", subject, got, want)
		}
	}
	w := e.Subjects[0].Ways[0]
	if w.Set != "fail" || !w.Holds || w.Says != "{gpu} does not answer" || w.Conditions[1].Text != `gpu.state == "unreadable"` || w.Conditions[0].Text != "some i, gpu in input.nvml.gpus" {
		t.Errorf("%+v", w)
	}
	if v := w.Conditions[1].Values; len(v) != 1 || v[0] != (NamedValue{"gpu.state", `"unreadable"`}) {
		t.Errorf("%+v", v)
	}
	// The value that decides is this subject's own.
	for _, s := range e.Subjects {
		if s.Subject.ID == "GPU-b" && s.Ways[0].Conditions[1].Values[0].Value != `"ok"` {
			t.Errorf("%+v", s.Ways[0].Conditions[1])
		}
	}
	if f := e.Subjects[0].Facts[0]; f.Pointer != "/nvml/gpus/0" || f.File != "facts.json" || f.Line == 0 || f.Source != "nvml" || f.Via != "test" || f.Value == "" {
		t.Errorf("%+v", f)
	}
	if len(e.Applicable) != 1 || e.Applicable[0].Holds || e.Applicable[0].Conditions[0].State != "fails" {
		t.Errorf("%+v", e.Applicable)
	}
}

func TestExplainNamesTheGaps(t *testing.T) {
	e := explained(t, denied(document(gpu("GPU-a", "ok")), "nvml.processes"), "gpu/*")
	if len(e.Gaps) != 1 || e.Gaps[0].Detail != "no permission" || e.Subjects[0].Verdict != Unknown {
		t.Errorf("%+v", e)
	}
}

func TestExplainNotApplicable(t *testing.T) {
	e := explained(t, document(), "")
	if e.Verdict != NotApplicable || !e.Applicable[0].Holds {
		t.Errorf("%+v", e)
	}
}

func TestExplainWrongNames(t *testing.T) {
	p := demoSet(t, demo)
	d := document(gpu("GPU-a", "ok"))
	for _, tc := range []struct{ rule, subject, want string }{
		{"TST002", "", `unknown rule "TST002"`},
		{"TST001", "GPU-z", "it judged gpu/GPU-a"},
		{"TST001", "[", "is not a pattern"},
	} {
		if _, err := p.Explain(t.Context(), d, Options{}, tc.rule, tc.subject); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("want %q, got %v", tc.want, err)
		}
	}
}
