package evaluator

import "time"

// BaselineState says how a failed or unknown verdict compares with a baseline.
type BaselineState string

// The states of a verdict. What the baseline held and this assessment does not
// stands in [BaselineReport], as absent or unsettled.
const (
	// StateNew was not in the baseline, or not with this verdict.
	StateNew BaselineState = "new"
	// StateUnchanged was in the baseline with the same verdict.
	StateUnchanged BaselineState = "unchanged"
)

// BaselineReport says what an assessment was compared with, and what came of it.
type BaselineReport struct {
	// File is the path as the user gave it; SHA256 is the digest of its text.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Host, AsOf, FactsSHA256 and PoliciesSHA256 are those of the baseline.
	Host           string    `json:"host"`
	AsOf           time.Time `json:"asOf"`
	FactsSHA256    string    `json:"factsSha256"`
	PoliciesSHA256 string    `json:"policiesSha256"`
	// Notices say what makes the comparison less than it seems: another host,
	// other policies, rules that were judged in one of the two only.
	Notices []string `json:"notices,omitempty"`
	// New and Unchanged count failed and unknown subjects of this assessment.
	New       int `json:"new"`
	Unchanged int `json:"unchanged"`
	// Absent are failed and unknown verdicts of the baseline that are proven
	// gone. Unsettled are those of which that cannot be told. One that turned
	// from unknown to fail, or back, stands in neither: it is new. So both are
	// empty for another host, of which nothing can be told.
	Absent    []BaselineEntry `json:"absent"`
	Unsettled []BaselineEntry `json:"unsettled"`
}

// BaselineEntry is a verdict of the baseline that this assessment does not have.
type BaselineEntry struct {
	Rule        string   `json:"rule"`
	Title       string   `json:"title"`
	Severity    Severity `json:"severity"`
	Subject     Subject  `json:"subject"`
	Fingerprint string   `json:"fingerprint"`
	// Verdict is that of the baseline.
	Verdict Verdict `json:"verdict"`
	// Messages are what the baseline said of it.
	Messages []string `json:"messages,omitempty"`
	// Now is what has become of it: "pass", "not-applicable", "gone" (there is
	// no such subject any more), "not-seen" (the rule cannot see whether there
	// is) or "not-judged" (the rule takes no part).
	Now string `json:"now" jsonschema:"enum=pass,enum=not-applicable,enum=gone,enum=not-seen,enum=not-judged"`
}
