package evaluator

import (
	"strings"
	"testing"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// demo is a small rule with everything the contract has.
const demo = `# METADATA
# title: Cards are readable
# description: Every card answers.
# schemas:
#   - input: schema.facts
# custom:
#   id: TST001
#   severity: error
#   requires: [nvml.gpus, nvml.processes]
#   covers: [L2]
#   remediation: Look at {gpu}.
#   messages:
#     lost: "{gpu} does not answer"
#     busy: "{gpu} cannot be told"
package gpugate.rules.test.readable

subjects contains subject(gpu) if some gpu in input.nvml.gpus

subject(gpu) := {"kind": "gpu", "id": gpu.uuid, "name": gpu.uuid}

applicable := false if {
	count(input.nvml.gpus) == 0
	count(input.nvml.processes) == 0
}

fail contains {
	"subject": subject(gpu),
	"message": "lost",
	"args": {"gpu": gpu.uuid},
	"evidence": [sprintf("/nvml/gpus/%d", [i])],
} if {
	some i, gpu in input.nvml.gpus
	gpu.state == "unreadable"
}

unknown contains {
	"subject": subject(gpu),
	"message": "busy",
	"args": {"gpu": gpu.uuid},
} if {
	some gpu in input.nvml.gpus
	not gpu.memory
}

unknown contains {
	"subject": subject(gpu),
	"message": "busy",
	"args": {"gpu": gpu.uuid},
} if {
	some gpu in input.nvml.gpus
	some process in input.nvml.processes
	process.gpu == gpu.uuid
	not process.usedMemoryBytes
}
`

func demoSet(t *testing.T, texts ...string) *PolicySet {
	t.Helper()
	p, err := loadTexts(t, texts...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func loadTexts(t *testing.T, texts ...string) (*PolicySet, error) {
	t.Helper()
	var modules []module
	for i, text := range texts {
		modules = append(modules, module{File: "test" + string(rune('a'+i)) + ".rego", Text: text, Custom: true})
	}
	return load(t.Context(), modules, Selection{})
}

func document(gpus ...facts.GPU) *facts.Document {
	d := &facts.Document{
		SchemaVersion: facts.SchemaVersion,
		CollectedAt:   time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Collector:     facts.Collector{Name: "gpugate", Version: "test"},
	}
	d.Host.Name = "cvd-1"
	d.NVML.GPUs = gpus
	for _, name := range facts.SourceNames() {
		d.SetSource(facts.Complete(name, "test"))
	}
	return d
}

func gpu(id, state string) facts.GPU {
	return facts.GPU{UUID: id, State: state, Memory: &facts.GPUMemory{TotalBytes: 1}}
}

func TestVerdicts(t *testing.T) {
	good, lost, bare := gpu("GPU-a", "ok"), gpu("GPU-b", "unreadable"), facts.GPU{UUID: "GPU-c", State: "ok"}
	gap := func(path, item string) func(*facts.Document) {
		return func(d *facts.Document) {
			s := d.Source("nvml")
			s.AddGap(facts.Gap{Path: path, Item: item, Reason: facts.ReasonDenied, Detail: "no permission"})
			d.SetSource(s)
		}
	}
	nothing := func(*facts.Document) {}
	for _, tc := range []struct {
		name   string
		gpus   []facts.GPU
		change func(*facts.Document)
		want   map[string]Verdict
		rule   Verdict
		exit   int
	}{
		{"all good", []facts.GPU{good}, nothing, map[string]Verdict{"GPU-a": Pass}, Pass, ExitPass},
		{"one bad", []facts.GPU{good, lost}, nothing, map[string]Verdict{"GPU-a": Pass, "GPU-b": Fail}, Fail, ExitViolations},
		{"the rule cannot tell", []facts.GPU{good, bare}, nothing, map[string]Verdict{"GPU-a": Pass, "GPU-c": Unknown}, Unknown, ExitUnknown},
		{"gap in what is read", []facts.GPU{good}, gap("nvml.processes", ""), map[string]Verdict{"GPU-a": Unknown}, Unknown, ExitUnknown},
		{"gap above what is read", []facts.GPU{good}, gap("nvml", ""), map[string]Verdict{"GPU-a": Unknown}, Unknown, ExitUnknown},
		{"gap below what is read", []facts.GPU{good}, gap("nvml.gpus.memory", ""), map[string]Verdict{"GPU-a": Unknown}, Unknown, ExitUnknown},
		{"gap elsewhere", []facts.GPU{good}, gap("nvml.driverVersion", ""), map[string]Verdict{"GPU-a": Pass}, Pass, ExitPass},
		{"gap about one card", []facts.GPU{good, bare}, gap("nvml.gpus", "GPU-c"), map[string]Verdict{"GPU-a": Pass, "GPU-c": Unknown}, Unknown, ExitUnknown},
		{"gap about a thing the rule does not judge singly", []facts.GPU{good}, gap("nvml.processes", "container-1"), map[string]Verdict{"GPU-a": Unknown}, Unknown, ExitUnknown},
		{"a proven fault stays one despite gaps", []facts.GPU{lost}, gap("nvml", ""), map[string]Verdict{"GPU-b": Fail}, Fail, ExitViolations},
		{"nothing there, and known", nil, nothing, map[string]Verdict{"cvd-1": NotApplicable}, NotApplicable, ExitPass},
		{"nothing there, but not known", nil, gap("nvml", ""), map[string]Verdict{"cvd-1": Unknown}, Unknown, ExitUnknown},
		{"a source that was never asked", []facts.GPU{good}, func(d *facts.Document) { d.Sources = nil }, map[string]Verdict{"GPU-a": Unknown}, Unknown, ExitUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := document(tc.gpus...)
			tc.change(d)
			a, err := demoSet(t, demo).Evaluate(t.Context(), d, Options{Threshold: Threshold{FailOn: Error}})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]Verdict{}
			for _, s := range a.Rules[0].Subjects {
				got[s.Subject.ID] = s.Verdict
			}
			for id, want := range tc.want {
				if got[id] != want {
					t.Errorf("verdict on %s: got %q, want %q", id, got[id], want)
				}
			}
			if a.Rules[0].Verdict != tc.rule || a.Gate.ExitCode != tc.exit {
				t.Errorf("rule %q exit %d, want %q and %d (%s)", a.Rules[0].Verdict, a.Gate.ExitCode, tc.rule, tc.exit, a.Gate.Reason)
			}
		})
	}
}

// A policy that could judge wrongly in silence does not load.
func TestFaultyPoliciesDoNotLoad(t *testing.T) {
	change := func(old, replacement string) string {
		if !strings.Contains(demo, old) {
			t.Fatalf("the demo rule has no %q", old)
		}
		return strings.Replace(demo, old, replacement, 1)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"typo in a path", change("some gpu in input.nvml.gpus", "some gpu in input.nvml.gpuz"), "gpuz"},
		{"typo in an item", change(`gpu.state == "unreadable"`, `gpu.stat == "unreadable"`), "stat"},
		{"typo in a helper", change(`"id": gpu.uuid`, `"id": gpu.uid4`), "uid4"},
		{"typo in object.get", change(`gpu.state == "unreadable"`, `object.get(gpu, "stale", "") == "unreadable"`), "stale"},
		{"the clock", change(`gpu.state == "unreadable"`, `time.now_ns() > 0`), "time.now_ns"},
		{"the network", change(`gpu.state == "unreadable"`, `http.send({"method": "get", "url": "http://x"})`), "http.send"},
		{"reads more than it says", change("requires: [nvml.gpus, nvml.processes]", "requires: [nvml.gpus]"), "nvml.processes"},
		{"no schema", change("#   - input: schema.facts\n", "#   - input: {type: object}\n"), "schema.facts"},
		{"no fail", change("fail contains {", "other contains {"), "does not define fail"},
		{"no id", change("#   id: TST001\n", ""), "custom.id"},
		{"unknown severity", change("severity: error", "severity: grave"), "grave"},
		{"no remediation", change("#   remediation: Look at {gpu}.\n", ""), "remediation"},
		{"wrong package", change("package gpugate.rules.test.readable", "package gpugate.rules.readable"), "gpugate.rules.<topic>.<name>"},
		{"not a rule", "# METADATA\n# schemas:\n#   - input: schema.facts\npackage example.nothing\n\nx := 1\n", "hold no rule"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := loadTexts(t, tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v, want one that names %q", err, tc.want)
			}
		})
	}
}

func TestRulesCannotBeReplaced(t *testing.T) {
	if _, err := loadTexts(t, demo, demo); err == nil || !strings.Contains(err.Error(), "already defined") {
		t.Errorf("the same rule twice: got %v", err)
	}
	other := strings.ReplaceAll(demo, "readable\n\nsubjects", "other\n\nsubjects")
	if _, err := loadTexts(t, demo, other); err == nil || !strings.Contains(err.Error(), "rule TST001") {
		t.Errorf("the same id in another package: got %v", err)
	}
}

// A finding that cannot be shown is an error, not a silence.
func TestFaultyFindingsAreErrors(t *testing.T) {
	for _, tc := range []struct{ name, old, replacement, want string }{
		{"unknown message", `"message": "lost"`, `"message": concat("", ["lo", "ts"])`, `"lots"`},
		{"missing argument", `"args": {"gpu": gpu.uuid},
	"evidence"`, `"args": {},
	"evidence"`, "{gpu}"},
		{"subject without id", `"subject": subject(gpu),
	"message": "lost"`, `"subject": {"kind": "gpu"},
	"message": "lost"`, "lacks kind or id"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := demoSet(t, strings.Replace(demo, tc.old, tc.replacement, 1))
			_, err := p.Evaluate(t.Context(), document(gpu("GPU-b", "unreadable")), Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v, want one that names %s", err, tc.want)
			}
		})
	}
}

func TestRuleThatFindsNothingIsUnknown(t *testing.T) {
	text := strings.Replace(demo, "applicable := false if {", "applicable := false if {\n\tinput.host.name == \"never\"", 1)
	text = strings.Replace(text, "requires: [nvml.gpus", "requires: [host.name, nvml.gpus", 1)
	a, err := demoSet(t, text).Evaluate(t.Context(), document(), Options{Threshold: Threshold{FailOn: Error}})
	if err != nil {
		t.Fatal(err)
	}
	if s := a.Rules[0].Subjects[0]; s.Verdict != Unknown || s.Causes[0].Kind != "nothing" {
		t.Errorf("got %+v, want unknown because nothing was found to judge", s)
	}
}

// waivable is the demo rule, not applicable where the launch manifest's word says
// so.
const waivable = `
applicable := false if input.launch.manifest.tione.registered == false
`

func TestWordsDoNotOutweighFacts(t *testing.T) {
	text := strings.Replace(demo, `applicable := false if {
	count(input.nvml.gpus) == 0
	count(input.nvml.processes) == 0
}
`, waivable, 1)
	text = strings.Replace(text, "requires: [nvml.gpus", "requires: [launch.manifest.tione.registered, nvml.gpus", 1)
	p := demoSet(t, text)
	for _, tc := range []struct {
		name string
		gpu  facts.GPU
		word bool
		want Verdict
	}{
		{"the word settles it", gpu("GPU-a", "ok"), true, NotApplicable},
		{"a violation is seen nevertheless", gpu("GPU-b", "unreadable"), true, Fail},
		{"without the word the facts decide", gpu("GPU-a", "ok"), false, Pass},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := document(tc.gpu)
			if no := false; tc.word {
				d.Launch.Manifest = &facts.Manifest{TIONE: &facts.TIONERegistration{Registered: &no}}
			} else {
				d.SetSource(facts.Missing(facts.SourceLaunch, "", facts.ReasonSkipped, "no manifest"))
			}
			a, err := p.Evaluate(t.Context(), d, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Rules[0].Verdict; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		name string
		s    Selection
		want string
	}{
		{"unknown name", Selection{Select: []string{"TST002"}}, `did you mean "TST001"`},
		{"unknown name to skip", Selection{Skip: []string{"nonsense"}}, "unknown rule or topic"},
		{"nothing left", Selection{Skip: []string{"test"}}, "no rule to judge by"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := load(t.Context(), []module{{File: "a.rego", Text: demo, Custom: true}}, tc.s)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestGate(t *testing.T) {
	rules := func(v Verdict, s Severity) []RuleResult {
		return []RuleResult{{Rule: Rule{Severity: s}, Verdict: v}}
	}
	for _, tc := range []struct {
		name  string
		t     Threshold
		rules []RuleResult
		want  int
	}{
		{"violation at the threshold", Threshold{FailOn: Error}, rules(Fail, Error), ExitViolations},
		{"violation below it", Threshold{FailOn: Error}, rules(Fail, Warning), ExitPass},
		{"violation above it", Threshold{FailOn: Note}, rules(Fail, Warning), ExitViolations},
		{"missing evidence", Threshold{FailOn: Error}, rules(Unknown, Error), ExitUnknown},
		{"missing evidence below it", Threshold{FailOn: Error}, rules(Unknown, Warning), ExitPass},
		{"missing evidence allowed", Threshold{FailOn: Error, AllowUnknown: true}, rules(Unknown, Error), ExitPass},
		{"a violation is not allowed with it", Threshold{FailOn: Error, AllowUnknown: true}, append(rules(Unknown, Error), rules(Fail, Error)...), ExitViolations},
		{"never", Threshold{FailOn: Never}, rules(Fail, Error), ExitPass},
		{"a forgotten verdict is not a pass", Threshold{FailOn: Error}, rules("", Error), ExitUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if g := tc.t.decide(tc.rules); g.ExitCode != tc.want {
				t.Errorf("exit %d (%s), want %d", g.ExitCode, g.Reason, tc.want)
			}
		})
	}
}
