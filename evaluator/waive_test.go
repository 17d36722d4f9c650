package evaluator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

func waiver(t *testing.T, terms WaiverTerms) *Waiver {
	t.Helper()
	for _, d := range []struct{ field, value *string }{
		{&terms.Rule, new("TST001")}, {&terms.Subject, new("*")}, {&terms.Reason, new("why")},
		{&terms.Approver, new("who")}, {&terms.Expires, new("2027-06-30")},
	} {
		if *d.field == "" {
			*d.field = *d.value
		}
	}
	w, err := NewWaiver(terms)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// waivedBy judges two lost cards, a good one and one that cannot be told.
func waivedBy(t *testing.T, o Options, terms ...WaiverTerms) *Assessment {
	t.Helper()
	o.Waivers = &WaiverSet{File: "waivers.yaml", SHA256: "x"}
	for _, w := range terms {
		o.Waivers.Waivers = append(o.Waivers.Waivers, waiver(t, w))
	}
	o.Threshold.FailOn = Error
	d := document(gpu("GPU-a", "unreadable"), gpu("GPU-b", "unreadable"), gpu("GPU-c", "ok"), facts.GPU{UUID: "GPU-d", State: "ok"})
	a, err := demoSet(t, demo).Evaluate(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func kinds(u WaiverUse) []string {
	var all []string
	for _, n := range u.Notices {
		all = append(all, n.Kind)
	}
	return all
}

func TestWaivers(t *testing.T) {
	for _, tc := range []struct {
		name    string
		terms   []WaiverTerms
		asOf    string
		waived  []string // ids of the covered subjects
		state   WaiverState
		notices []string
		exit    int
		all     bool // the whole rule is waived
	}{
		{name: "one subject", terms: []WaiverTerms{{Subject: "GPU-a"}}, waived: []string{"GPU-a"}, state: WaiverActive, exit: ExitViolations},
		{name: "with its kind", terms: []WaiverTerms{{Subject: "gpu/GPU-a"}}, waived: []string{"GPU-a"}, state: WaiverActive, exit: ExitViolations},
		{name: "another kind", terms: []WaiverTerms{{Subject: "container/GPU-a"}}, state: WaiverUnmatched, notices: []string{"unmatched"}, exit: ExitViolations},
		{name: "a part is not the whole", terms: []WaiverTerms{{Subject: "GPU"}}, state: WaiverUnmatched, notices: []string{"unmatched"}, exit: ExitViolations},
		{name: "all violations leave the unknown", terms: []WaiverTerms{{Subject: "GPU-*"}}, waived: []string{"GPU-a", "GPU-b"}, state: WaiverActive, notices: []string{"unknown-not-covered"}, exit: ExitUnknown},
		{name: "and the unknown, said so", terms: []WaiverTerms{{Subject: "GPU-?", Unknown: true}}, waived: []string{"GPU-a", "GPU-b", "GPU-d"}, state: WaiverActive, exit: ExitPass, all: true},
		{name: "an unknown alone, not said so", terms: []WaiverTerms{{Subject: "GPU-d"}}, state: WaiverUnmatched, notices: []string{"unknown-not-covered"}, exit: ExitViolations},
		{name: "what passes is not covered", terms: []WaiverTerms{{Subject: "GPU-c"}}, state: WaiverUnmatched, notices: []string{"unmatched"}, exit: ExitViolations},
		{name: "everything is broad", terms: []WaiverTerms{{Subject: "*"}}, waived: []string{"GPU-a", "GPU-b"}, state: WaiverActive, notices: []string{"unknown-not-covered", "broad"}, exit: ExitUnknown},
		{name: "every rule is broad", terms: []WaiverTerms{{Rule: "TST*", Subject: "GPU-a"}}, waived: []string{"GPU-a"}, state: WaiverActive, notices: []string{"broad"}, exit: ExitViolations},
		{name: "small letters", terms: []WaiverTerms{{Rule: "tst001", Subject: "GPU-a"}}, waived: []string{"GPU-a"}, state: WaiverActive, exit: ExitViolations},
		{name: "no such rule", terms: []WaiverTerms{{Rule: "TST002", Subject: "GPU-a"}}, state: WaiverUnmatched, notices: []string{"unmatched"}, exit: ExitViolations},
		{name: "this host", terms: []WaiverTerms{{Subject: "GPU-a", Host: "cvd-*"}}, waived: []string{"GPU-a"}, state: WaiverActive, exit: ExitViolations},
		{name: "another host", terms: []WaiverTerms{{Subject: "GPU-a", Host: "cvd-2"}}, state: WaiverOtherHost, exit: ExitViolations},
		{name: "the last day", terms: []WaiverTerms{{Subject: "GPU-a", Expires: "2026-11-30"}}, waived: []string{"GPU-a"}, state: WaiverActive, notices: []string{"expiring"}, exit: ExitViolations},
		{name: "the day after", terms: []WaiverTerms{{Subject: "GPU-a", Expires: "2026-11-29"}}, state: WaiverExpired, notices: []string{"expired"}, exit: ExitViolations},
		{name: "fourteen days left", terms: []WaiverTerms{{Subject: "GPU-a", Expires: "2026-12-14"}}, waived: []string{"GPU-a"}, state: WaiverActive, notices: []string{"expiring"}, exit: ExitViolations},
		{name: "fifteen days left", terms: []WaiverTerms{{Subject: "GPU-a", Expires: "2026-12-15"}}, waived: []string{"GPU-a"}, state: WaiverActive, exit: ExitViolations},
		{name: "as of a later day", terms: []WaiverTerms{{Subject: "GPU-a", Expires: "2026-12-31"}}, asOf: "2027-01-01", state: WaiverExpired, notices: []string{"expired"}, exit: ExitViolations},
		{name: "the first of two", terms: []WaiverTerms{{Subject: "GPU-a", Reason: "first"}, {Subject: "GPU-*", Reason: "second"}}, waived: []string{"GPU-a", "GPU-b"}, state: WaiverActive, exit: ExitUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var o Options
			if tc.asOf != "" {
				var err error
				if o.AsOf, err = time.Parse(time.DateOnly, tc.asOf); err != nil {
					t.Fatal(err)
				}
			}
			a := waivedBy(t, o, tc.terms...)
			var got []string
			for _, s := range a.Rules[0].Subjects {
				if s.Waived() {
					got = append(got, s.Subject.ID)
				}
				if s.Subject.ID == "GPU-a" && s.Verdict != Fail {
					t.Errorf("a waiver turned the verdict into %q", s.Verdict)
				}
			}
			if !slices.Equal(got, tc.waived) {
				t.Errorf("waived %v, want %v", got, tc.waived)
			}
			u := a.Waivers.Waivers[0]
			if u.State != tc.state || !slices.Equal(kinds(u), tc.notices) {
				t.Errorf("state %q, notices %+v; want %q and %v", u.State, u.Notices, tc.state, tc.notices)
			}
			if a.Gate.ExitCode != tc.exit || a.Rules[0].Waived != tc.all || a.Rules[0].Verdict != Fail {
				t.Errorf("exit %d (%s), all waived %t, verdict %s", a.Gate.ExitCode, a.Gate.Reason, a.Rules[0].Waived, a.Rules[0].Verdict)
			}
			if a.Summary.Subjects.Waived != len(tc.waived) || a.Summary.Subjects.Fail != 2 || a.Summary.Subjects.Unknown != 1 {
				t.Errorf("summary %+v", a.Summary.Subjects)
			}
			if len(tc.waived) > 0 && (a.Gate.Waived != 1 || !strings.Contains(a.Gate.Reason, "waivers cover")) {
				t.Errorf("the gate does not say that something is waived: %+v", a.Gate)
			}
		})
	}
}

func TestExpiredWaiverNamesWhatFailsAgain(t *testing.T) {
	a := waivedBy(t, Options{}, WaiverTerms{Subject: "GPU-a", Expires: "2026-01-01"})
	u := a.Waivers.Waivers[0]
	if len(u.Covers) != 1 || !strings.Contains(u.Notices[0].Message, "TST001 on GPU-a") {
		t.Errorf("%+v", u)
	}
}

func TestWaiverOfARuleThatIsNotSelected(t *testing.T) {
	other := strings.NewReplacer("TST001", "TST002", "test.readable", "test.other").Replace(demo)
	modules := []module{{File: "a.rego", Text: demo}, {File: "b.rego", Text: other}}
	p, err := load(t.Context(), modules, Selection{Select: []string{"TST002"}})
	if err != nil {
		t.Fatal(err)
	}
	set := &WaiverSet{File: "w", Waivers: []*Waiver{waiver(t, WaiverTerms{Subject: "GPU-a"})}}
	a, err := p.Evaluate(t.Context(), document(gpu("GPU-a", "unreadable")), Options{Threshold: Threshold{FailOn: Error}, Waivers: set})
	if err != nil {
		t.Fatal(err)
	}
	if u := a.Waivers.Waivers[0]; u.State != WaiverNotJudged || len(u.Notices) > 0 {
		t.Errorf("%+v", u)
	}
}

// The number of a process is another one's tomorrow.
func TestProcessesAreWaivedByTheirLastingName(t *testing.T) {
	s := Subject{Kind: "process", ID: "4711", Name: "PID 4711", Key: "docker/glm/python3"}
	for pattern, want := range map[string]bool{"PID 4711": false, "4711": false, "process/PID*": false, "docker/glm/python3": true, "process/docker/*": true} {
		if got := waiver(t, WaiverTerms{Subject: pattern}).forSubject(s); got != want {
			t.Errorf("%s: %t, want %t", pattern, got, want)
		}
	}
	odd := Subject{Kind: "unit", ID: "vllm@[a]*{b}.service", Name: "x"}
	exact := waiver(t, WaiverTerms{Subject: SubjectPattern(odd)})
	if !exact.forSubject(odd) || exact.forSubject(Subject{Kind: "unit", ID: "vllm@a.service", Name: "y"}) || wild(SubjectPattern(odd)) {
		t.Errorf("%s", SubjectPattern(odd))
	}
}

func TestWaiverTermsAreChecked(t *testing.T) {
	good := WaiverTerms{Rule: "TST001", Subject: "*", Reason: "r", Approver: "a", Expires: "2027-01-31"}
	for want, change := range map[string]func(*WaiverTerms){
		"reason is empty":            func(w *WaiverTerms) { w.Reason = " \t" },
		"approver is empty":          func(w *WaiverTerms) { w.Approver = "" },
		"subject is empty":           func(w *WaiverTerms) { w.Subject = " " },
		"is not a date":              func(w *WaiverTerms) { w.Expires = "2027-02-30" },
		`subject "[a" is not a patt`: func(w *WaiverTerms) { w.Subject = "[a" },
		`host "{" is not a pattern`:  func(w *WaiverTerms) { w.Host = "{" },
	} {
		terms := good
		change(&terms)
		if _, err := NewWaiver(terms); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestWouldWaiveChangesNothing(t *testing.T) {
	a := waivedBy(t, Options{})
	if u := a.WouldWaive(waiver(t, WaiverTerms{Subject: "GPU-a"})); len(u.Covers) != 1 {
		t.Errorf("%+v", u)
	}
	for _, s := range a.Rules[0].Subjects {
		if s.Waived() {
			t.Error("a question changed the assessment")
		}
	}
}
