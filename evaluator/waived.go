package evaluator

// WaiverReport says which waivers were given and what became of each.
type WaiverReport struct {
	// File is the path as the user gave it; SHA256 is the digest of its text.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Waivers stand in the order of the file.
	Waivers []WaiverUse `json:"waivers"`
}

// WaiverUse is one waiver and what became of it.
type WaiverUse struct {
	WaiverTerms
	State WaiverState `json:"state" jsonschema:"enum=active,enum=expired,enum=unmatched,enum=not-judged,enum=other-host"`
	// Covers are the verdicts it covers or, if it has expired, would cover.
	Covers []WaivedVerdict `json:"covers"`
	// Notices are what somebody should do about the waiver.
	Notices []WaiverNotice `json:"notices,omitempty"`
}

// WaiverTerms are what somebody wrote in waivers.yaml, and where.
type WaiverTerms struct {
	// Rule is an id, or a pattern with * and ?; so are Subject and Host.
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	// Host is empty where the waiver is for any host.
	Host     string `json:"host,omitempty"`
	Reason   string `json:"reason"`
	Approver string `json:"approver"`
	// Expires is the last day on which the waiver holds, such as 2026-12-31 (UTC).
	Expires string `json:"expires"`
	// Unknown lets the waiver cover missing evidence too, not only violations.
	Unknown bool   `json:"unknown,omitempty"`
	File    string `json:"file"`
	// Line and Column of the waiver in its file, both from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
}

// WaiverState is what became of a waiver.
type WaiverState string

// The states of a waiver.
const (
	// WaiverActive covers at least one verdict.
	WaiverActive WaiverState = "active"
	// WaiverExpired covers nothing any more.
	WaiverExpired WaiverState = "expired"
	// WaiverUnmatched found nothing to cover.
	WaiverUnmatched WaiverState = "unmatched"
	// WaiverNotJudged is for rules that were left out of this assessment.
	WaiverNotJudged WaiverState = "not-judged"
	// WaiverOtherHost is for another host.
	WaiverOtherHost WaiverState = "other-host"
)

// WaivedVerdict names one verdict that a waiver covers.
type WaivedVerdict struct {
	Rule        string  `json:"rule"`
	Subject     Subject `json:"subject"`
	Fingerprint string  `json:"fingerprint"`
	Verdict     Verdict `json:"verdict"`
}

// WaiverNotice is something somebody should do about a waiver.
type WaiverNotice struct {
	// Kind is expired, expiring, unmatched, broad or unknown-not-covered.
	Kind    string `json:"kind" jsonschema:"enum=expired,enum=expiring,enum=unmatched,enum=broad,enum=unknown-not-covered"`
	Message string `json:"message"`
}
