package evaluator

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

func judged(t *testing.T, d *facts.Document, o Options) *Assessment {
	t.Helper()
	if o.Threshold.FailOn == "" {
		o.Threshold.FailOn = Error
	}
	a, err := demoSet(t, demo).Evaluate(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func denied(d *facts.Document, path string) *facts.Document {
	s := d.Source("nvml")
	s.AddGap(facts.Gap{Path: path, Reason: facts.ReasonDenied, Detail: "no permission"})
	d.SetSource(s)
	return d
}

func TestBaseline(t *testing.T) {
	bad, good, bare := gpu("GPU-a", "unreadable"), gpu("GPU-a", "ok"), facts.GPU{UUID: "GPU-a", State: "ok"}
	other := gpu("GPU-b", "ok")
	waive := func(t *testing.T) *WaiverSet {
		return &WaiverSet{File: "w", Waivers: []*Waiver{waiver(t, WaiverTerms{Subject: "GPU-a", Unknown: true})}}
	}
	type side struct {
		gpu    facts.GPU
		waived bool
		denied bool
		none   bool
	}
	for _, tc := range []struct {
		name     string
		old, now side
		state    BaselineState
		absent   string
		left     string
		exit     int
	}{
		{name: "known", old: side{gpu: bad}, now: side{gpu: bad}, state: StateUnchanged, exit: ExitPass},
		{name: "known unknown", old: side{gpu: bare}, now: side{gpu: bare}, state: StateUnchanged, exit: ExitPass},
		{name: "new", old: side{gpu: good}, now: side{gpu: bad}, state: StateNew, exit: ExitViolations},
		{name: "pass to unknown", old: side{gpu: good}, now: side{gpu: bare}, state: StateNew, exit: ExitUnknown},
		{name: "unknown to fail", old: side{gpu: bare}, now: side{gpu: bad}, state: StateNew, exit: ExitViolations},
		{name: "fail to unknown", old: side{gpu: bad}, now: side{gpu: bare}, state: StateNew, exit: ExitUnknown},
		{name: "settled", old: side{gpu: bad}, now: side{gpu: good}, absent: "pass", exit: ExitPass},
		{name: "gone", old: side{gpu: bad}, now: side{none: true}, absent: "gone", exit: ExitPass},
		{name: "cannot be seen", old: side{gpu: bad}, now: side{none: true, denied: true}, left: "not-seen", exit: ExitUnknown},
		{name: "waived then, open now", old: side{gpu: bad, waived: true}, now: side{gpu: bad}, state: StateNew, exit: ExitViolations},
		{name: "waived then and now", old: side{gpu: bad, waived: true}, now: side{gpu: bad, waived: true}, state: StateUnchanged, exit: ExitPass},
		{name: "open then, waived now", old: side{gpu: bad}, now: side{gpu: bad, waived: true}, state: StateUnchanged, exit: ExitPass},
		{name: "new and waived", old: side{gpu: good}, now: side{gpu: bad, waived: true}, state: StateNew, exit: ExitPass},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assess := func(s side, o Options) *Assessment {
				cards := []facts.GPU{other, s.gpu}
				if s.none {
					cards = cards[:1]
				}
				d := document(cards...)
				if s.denied {
					denied(d, "nvml.gpus")
				}
				if s.waived {
					o.Waivers = waive(t)
				}
				return judged(t, d, o)
			}
			old := assess(tc.old, Options{})
			a := assess(tc.now, Options{Baseline: &Baseline{File: "old.json", Assessment: old}, Threshold: Threshold{FailOn: Error, FailOnNew: true}})
			i := slices.IndexFunc(a.Rules[0].Subjects, func(s SubjectResult) bool { return s.Subject.ID == "GPU-a" })
			var state BaselineState
			if i >= 0 {
				state = a.Rules[0].Subjects[i].Baseline
			}
			if state != tc.state || a.Gate.ExitCode != tc.exit {
				t.Errorf("state %q, exit %d (%s); want %q, %d", state, a.Gate.ExitCode, a.Gate.Reason, tc.state, tc.exit)
			}
			now := func(list []BaselineEntry) string {
				var words []string
				for _, e := range list {
					words = append(words, e.Now)
				}
				return strings.Join(words, " ")
			}
			if now(a.Baseline.Absent) != tc.absent || now(a.Baseline.Unsettled) != tc.left {
				t.Errorf("absent %+v, unsettled %+v", a.Baseline.Absent, a.Baseline.Unsettled)
			}
		})
	}
}

func TestBaselineWithoutFailOnNewHidesNothing(t *testing.T) {
	d := document(gpu("GPU-a", "unreadable"))
	a := judged(t, d, Options{Baseline: &Baseline{Assessment: judged(t, d, Options{})}})
	if a.Gate.ExitCode != ExitViolations || a.Baseline.Unchanged != 1 || a.Baseline.New != 0 {
		t.Errorf("%+v %+v", a.Gate, a.Baseline)
	}
}

func TestBaselineOfAnotherHostHidesNothing(t *testing.T) {
	d := document(gpu("GPU-a", "unreadable"))
	old := judged(t, d, Options{})
	d.Host.Name = "cvd-2"
	a := judged(t, d, Options{Baseline: &Baseline{Assessment: old}, Threshold: Threshold{FailOn: Error, FailOnNew: true}})
	if a.Gate.ExitCode != ExitViolations || len(a.Baseline.Absent)+len(a.Baseline.Unsettled) > 0 || !strings.Contains(a.Baseline.Notices[0], "another host, cvd-1") {
		t.Errorf("%+v %+v", a.Gate, a.Baseline)
	}
}

func TestBaselineNotices(t *testing.T) {
	d := document(gpu("GPU-a", "unreadable"))
	old := judged(t, d, Options{})
	old.Policies.SHA256 = strings.Repeat("ab", 32)
	old.AsOf = old.AsOf.AddDate(0, 0, 3)
	old.Rules[0].ID = "TST009"
	a := judged(t, d, Options{Baseline: &Baseline{Assessment: old}})
	all := strings.Join(a.Baseline.Notices, "\n")
	for _, want := range []string{"other policies (abababababab", "later than this assessment", "all they find is new: TST001", "but not now: TST009"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said: %s", want, all)
		}
	}
	if len(a.Baseline.Unsettled) != 1 || a.Baseline.Unsettled[0].Now != "not-judged" {
		t.Errorf("%+v", a.Baseline.Unsettled)
	}
}

// A second process of the same lasting name is one more.
func TestBaselineCountsWhatSharesAFingerprint(t *testing.T) {
	lasting := strings.ReplaceAll(demo, `"name": gpu.uuid}`, `"name": gpu.uuid, "key": "same"}`)
	p := demoSet(t, lasting)
	judge := func(o Options, cards ...facts.GPU) *Assessment {
		o.Threshold = Threshold{FailOn: Error, FailOnNew: true}
		a, err := p.Evaluate(t.Context(), document(cards...), o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	one, two := gpu("GPU-a", "unreadable"), gpu("GPU-b", "unreadable")
	a := judge(Options{Baseline: &Baseline{Assessment: judge(Options{}, one)}}, one, two)
	if a.Baseline.New != 1 || a.Baseline.Unchanged != 1 || a.Gate.ExitCode != ExitViolations {
		t.Errorf("%+v %+v", a.Baseline, a.Gate)
	}
	// Only the lasting name counts: a new id is the same problem.
	b := judge(Options{Baseline: &Baseline{Assessment: judge(Options{}, one)}}, two)
	if b.Baseline.New != 0 || b.Baseline.Unchanged != 1 {
		t.Errorf("%+v", b.Baseline)
	}
}

func TestFingerprint(t *testing.T) {
	base := Subject{Kind: "process", ID: "1", Name: "PID 1", Key: "docker/glm/python"}
	same := Subject{Kind: "process", ID: "2", Name: "PID 2", Key: "docker/glm/python"}
	if Fingerprint("h", "R", base) != Fingerprint("h", "R", same) {
		t.Error("the PID changes the fingerprint")
	}
	for _, other := range []string{
		Fingerprint("h2", "R", base), Fingerprint("h", "R2", base),
		Fingerprint("h", "R", Subject{Kind: "unit", Key: base.Key}), Fingerprint("h", "R", Subject{Kind: "process", Key: "docker/glm/pytho"}),
		Fingerprint("hR", "", base),
	} {
		if other == Fingerprint("h", "R", base) {
			t.Error("two problems have one fingerprint")
		}
	}
}
