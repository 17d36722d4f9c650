// Package waivers reads waivers.yaml, in which people accept a violation for a
// while: which rule, on what, why, who says so, and until when. `gpugate waive`
// adds to it.
//
// The file is read as strictly as launch.yaml: every fault is reported with its
// line and column, and a file with a fault waives nothing.
package waivers

// File is what waivers.yaml holds.
type File struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=gpugate/v1"`
	Kind       string `json:"kind" jsonschema:"enum=Waivers"`
	// Waivers are applied in this order: a verdict that several cover goes to
	// the first.
	Waivers []Entry `json:"waivers"`
}

// Entry is one waiver.
type Entry struct {
	// Rule is the id of a rule, such as OWN006. Patterns such as PRE* are
	// possible, and reported as too broad.
	Rule string `json:"rule" jsonschema:"minLength=1"`
	// Subject is a pattern for the names of what was judged: * stands for any
	// text, ? for one character. The kind may stand before it, as in
	// container/*glm*. "*" is everything the rule judges.
	Subject string `json:"subject" jsonschema:"minLength=1"`
	// Host is a pattern for the names of hosts; without it the waiver is for
	// any host.
	Host string `json:"host,omitempty" jsonschema:"minLength=1"`
	// Reason is why this may be as it is.
	Reason string `json:"reason" jsonschema:"minLength=1"`
	// Approver is the person or party that answers for it.
	Approver string `json:"approver" jsonschema:"minLength=1"`
	// Expires is the last day on which the waiver holds (UTC). It is compared
	// with the day the facts were collected, or with --as-of.
	Expires string `json:"expires" jsonschema:"format=date"`
	// Unknown lets the waiver cover missing evidence too. Without it, it covers
	// violations alone.
	Unknown bool `json:"unknown,omitempty"`
}
