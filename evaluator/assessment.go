package evaluator

import (
	"cmp"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// AssessmentVersion names the shape of an assessment.
const AssessmentVersion = "gpugate.assessment/v1"

// Verdict is the answer of one rule on one subject.
type Verdict string

// The verdicts, from the worst. The zero value is none of them, so that a
// forgotten verdict is not a pass.
const (
	// Fail is proven, even on incomplete facts.
	Fail Verdict = "fail"
	// Unknown means that evidence is missing.
	Unknown Verdict = "unknown"
	// Pass means that everything needed was seen and is right.
	Pass Verdict = "pass"
	// NotApplicable means that there is nothing to judge, and that this is
	// known.
	NotApplicable Verdict = "not-applicable"
)

// rank orders verdicts, the worst first.
func (v Verdict) rank() int {
	return map[Verdict]int{Fail: 4, Unknown: 3, Pass: 2, NotApplicable: 1}[v]
}

// Assessment is what a document was judged to be. The same facts, policies and
// options give the same bytes.
type Assessment struct {
	SchemaVersion string `json:"schemaVersion" jsonschema:"enum=gpugate.assessment/v1"`
	Tool          Tool   `json:"tool"`
	// AsOf is the moment that expiry dates were compared with.
	AsOf     time.Time    `json:"asOf"`
	Host     HostIdentity `json:"host"`
	Facts    FactsDigest  `json:"facts"`
	Policies PolicyDigest `json:"policies"`
	// Options are what else the verdicts depend on.
	Options JudgedWith `json:"options"`
	// Waivers are those that were given, and what became of them; absent where
	// none were.
	Waivers *WaiverReport `json:"waivers,omitempty"`
	// Baseline is the earlier assessment this one was compared with; absent
	// where none was given.
	Baseline *BaselineReport `json:"baseline,omitempty"`
	Sources  []facts.Source  `json:"sources"`
	Gate     Gate            `json:"gate"`
	Summary  Summary         `json:"summary"`
	// Ownership has one entry a GPU: who runs on it and who may take it.
	Ownership []GPUOwnership `json:"ownership"`
	// Rules are all selected rules, sorted by id.
	Rules []RuleResult `json:"rules"`
}

// Tool names the program that judged.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// HostIdentity says which server was judged.
type HostIdentity struct {
	Name string `json:"name"`
	OS   string `json:"os,omitempty"`
}

// FactsDigest names the exact facts.
type FactsDigest struct {
	SHA256      string    `json:"sha256"`
	CollectedAt time.Time `json:"collectedAt"`
	Collector   string    `json:"collector"`
	// File is where the document is kept, if it is; positions point into it.
	File string `json:"file,omitempty"`
	// Files are those that people wrote and that the document holds, such as
	// launch.yaml.
	Files []FileDigest `json:"files,omitempty"`
}

// FileDigest names the exact content of a file that people wrote.
type FileDigest struct {
	// Pointer is the part of the facts document that came from the file.
	Pointer string `json:"pointer"`
	// File is the path as the user gave it.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// PolicyDigest names the exact policies.
type PolicyDigest struct {
	SHA256 string `json:"sha256"`
	// Rules is how many rules the set has, selected or not.
	Rules int `json:"rules"`
}

// JudgedWith are the options that decide which rules are judged and how old the
// facts may be. What the gate demands stands in [Gate].
type JudgedWith struct {
	// Select and Skip are rules and topics as the user named them.
	Select []string `json:"select,omitempty"`
	Skip   []string `json:"skip,omitempty"`
	// MaxAge is how old the facts were allowed to be, such as 24h0m0s. Judged
	// again with the same facts, it depends on the day.
	MaxAge string `json:"maxAge,omitempty"`
}

// Summary counts verdicts.
type Summary struct {
	// Rules by the verdict of the whole rule, Subjects one by one.
	Rules    VerdictCounts `json:"rules"`
	Subjects VerdictCounts `json:"subjects"`
	// Judged is how many of the selected rules could be judged on complete
	// evidence; CoveragePercent is the same as a share.
	Judged          int `json:"judged"`
	Selected        int `json:"selected"`
	CoveragePercent int `json:"coveragePercent"`
}

// VerdictCounts counts one kind of thing by verdict.
type VerdictCounts struct {
	Fail          int `json:"fail"`
	Unknown       int `json:"unknown"`
	Pass          int `json:"pass"`
	NotApplicable int `json:"notApplicable"`
	// Waived is how many of the failed and unknown ones a waiver covers; of
	// rules, those of which it covers every failed and unknown subject.
	Waived int `json:"waived"`
}

func (c *VerdictCounts) add(v Verdict) {
	switch v {
	case Fail:
		c.Fail++
	case Unknown:
		c.Unknown++
	case Pass:
		c.Pass++
	case NotApplicable:
		c.NotApplicable++
	}
}

// RuleResult is one rule with its verdicts.
type RuleResult struct {
	Rule
	// Verdict is the worst of the subjects' verdicts, waived or not.
	Verdict Verdict `json:"verdict"`
	// Waived is true when waivers cover every failed and every unknown subject,
	// and there is one.
	Waived bool `json:"waived,omitempty"`
	// Subjects are sorted: worst verdict first, then by kind and id.
	Subjects []SubjectResult `json:"subjects"`
	// Assumptions are what the rule took somebody's word for.
	Assumptions []Statement `json:"assumptions,omitempty"`
}

// Subject is what a rule judges: a GPU, a service, a file.
type Subject struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// Name is what a person calls it.
	Name string `json:"name"`
	// Key stays the same when the thing is started anew, where ID does not (a
	// PID, a container id). Empty means that ID is as lasting.
	Key string `json:"key,omitempty"`
}

// Lasting identifies the subject from one scan to the next.
func (s Subject) Lasting() string { return cmp.Or(s.Key, s.ID) }

// SubjectResult is the verdict on one subject.
type SubjectResult struct {
	Subject Subject `json:"subject"`
	// Fingerprint is the same in every assessment of this host, rule and
	// subject; it holds nothing that changes by itself.
	Fingerprint string  `json:"fingerprint"`
	Verdict     Verdict `json:"verdict"`
	// Waiver covers the verdict, which stays what it is: the gate does not count
	// it.
	Waiver *WaiverTerms `json:"waiver,omitempty"`
	// Baseline says whether a failed or unknown verdict is new; absent where no
	// baseline was given.
	Baseline BaselineState `json:"baseline,omitempty"`
	// Findings explain a fail; Causes explain an unknown.
	Findings []Finding `json:"findings,omitempty"`
	Causes   []Cause   `json:"causes,omitempty"`
}

// Statement is a message with what it rests on.
type Statement struct {
	// MessageID is the key of the rule's message template.
	MessageID string            `json:"messageId,omitempty"`
	Message   string            `json:"message"`
	Arguments map[string]string `json:"arguments,omitempty"`
	Evidence  []Evidence        `json:"evidence"`
}

// Finding is one proven violation.
type Finding struct {
	Statement
	// Remediation is what to do, with the names of the real objects.
	Remediation string `json:"remediation"`
}

// Evidence is one value of the facts document, with its place in a file.
type Evidence struct {
	// Pointer is a JSON pointer into the facts document.
	Pointer string `json:"pointer"`
	// File, Line and Column say where a person finds it: in launch.yaml or the
	// TI-ONE policy, else in the facts file. Empty when the document was not
	// kept in a file.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Object is the thing that the value belongs to, where it has a name.
	Object *Object `json:"object,omitempty"`
}

// Cause is why a verdict is unknown.
type Cause struct {
	// Kind is "gap" (a part of the facts is missing), "rule" (the rule says it
	// cannot tell) or "nothing" (the rule found nothing to judge and does not
	// say that there is nothing).
	Kind string `json:"kind" jsonschema:"enum=gap,enum=rule,enum=nothing"`
	// Message is the same for all verdicts with the same cause.
	Message string `json:"message"`
	// MessageID and Arguments are those of the rule's message template.
	MessageID string            `json:"messageId,omitempty"`
	Arguments map[string]string `json:"arguments,omitempty"`
	// Path and Reason come from the gap.
	Path   string       `json:"path,omitempty"`
	Reason facts.Reason `json:"reason,omitempty"`
	// Evidence is what a rule points at.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// GPUOwnership is who claims one GPU.
type GPUOwnership struct {
	GPU string `json:"gpu"`
	// Index is absent when it is not known, as that of a lost card.
	Index *int   `json:"index,omitempty"`
	Name  string `json:"name,omitempty"`
	// Claims are sorted by kind, manager and claimant.
	Claims []Claim `json:"claims"`
}

// Claim is one party's hold on a GPU.
type Claim struct {
	// Kind is running, configured, allocatable or registered.
	Kind string `json:"kind"`
	// Manager is the party; Claimant the service, container or pod.
	Manager  string `json:"manager"`
	Claimant string `json:"claimant"`
	// Note adds what matters to a person (shared, utility only, MIG).
	Note string `json:"note,omitempty"`
}
