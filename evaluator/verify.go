package evaluator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/gpugate/gpugate/collector/facts"
)

// VerificationVersion names the shape of a verification.
const VerificationVersion = "gpugate.verification/v1"

// Verification says whether an assessment is what judging its inputs gives.
type Verification struct {
	SchemaVersion string `json:"schemaVersion"`
	Assessment    string `json:"assessment"`
	Host          string `json:"host"`
	// Outcome is what the assessment's gate says.
	Outcome string `json:"outcome"`
	// Signature is absent where none was to be checked.
	Signature *SignatureCheck `json:"signature,omitempty"`
	// Judged is true when the facts were judged again.
	Judged bool `json:"judged"`
	// Identical is true when that gave the same bytes.
	Identical bool `json:"identical"`
	// Differences tell the inputs that differ, first of all, then the rest.
	Differences []Difference `json:"differences"`
	// Changes are the verdicts that differ: old is what the assessment says,
	// new is what judging again gives.
	Changes []Change `json:"changes"`
	// Notices say by what choices it was judged, and what was not verified.
	Notices []string `json:"notices"`
}

// SignatureCheck is what became of the signature.
type SignatureCheck struct {
	Envelope string `json:"envelope"`
	Holds    bool   `json:"holds"`
	Problem  string `json:"problem,omitempty"`
}

// Difference is one thing that is not the same.
type Difference struct {
	What     string `json:"what"`
	Recorded string `json:"recorded"`
	Again    string `json:"again"`
}

// NewVerification begins a verification in which nothing is verified yet.
func NewVerification(file string, recorded *Assessment) *Verification {
	v := &Verification{
		SchemaVersion: VerificationVersion, Assessment: file, Host: recorded.Host.Name, Outcome: recorded.Gate.Reason,
		Differences: []Difference{}, Changes: []Change{}, Notices: []string{},
	}
	// Whoever wrote the assessment chose these; they are right to the byte and may
	// still not be what the reader expects.
	if chosen := recorded.Options.String(); chosen != "" {
		v.Notices = append(v.Notices, "it was judged with "+chosen)
	}
	if chosen := recorded.Gate.flags(); chosen != "" {
		v.Notices = append(v.Notices, "its gate was "+chosen)
	}
	if w := recorded.Waivers; w != nil {
		v.Notices = append(v.Notices, fmt.Sprintf("waivers of %s cover %s", w.File, count(recorded.Summary.Subjects.Waived, "verdict")))
	}
	if recorded.Options.MaxAge != "" {
		v.Notices = append(v.Notices, fmt.Sprintf("the facts were to be no older than %s; whether they were, on the day they were judged, is not verified", recorded.Options.MaxAge))
	}
	return v
}

// Holds reports whether nothing speaks against the assessment. It is not
// verified unless it was judged again.
func (v *Verification) Holds() bool {
	return (v.Signature == nil || v.Signature.Holds) && (!v.Judged || v.Identical)
}

// Compare notes how the assessment differs from what judging again gave.
func (v *Verification) Compare(recorded *Assessment, text []byte, again *Assessment, againText []byte) {
	v.Judged, v.Identical = true, bytes.Equal(text, againText)
	if v.Identical {
		return
	}
	add := func(what, before, after string) {
		if before != after {
			v.Differences = append(v.Differences, Difference{what, before, after})
		}
	}
	add("facts", recorded.Facts.SHA256, again.Facts.SHA256)
	for _, f := range recorded.Facts.Files {
		add("facts: "+f.File, f.SHA256, digestAt(again.Facts.Files, f.Pointer))
	}
	for _, f := range again.Facts.Files {
		if digestAt(recorded.Facts.Files, f.Pointer) == "" {
			add("facts: "+f.File, "", f.SHA256)
		}
	}
	add("policies", recorded.Policies.SHA256, again.Policies.SHA256)
	add("waivers", recorded.waiversDigest(), again.waiversDigest())
	add("baseline", recorded.baselineDigest(), again.baselineDigest())
	add("version of gpugate", recorded.Tool.Version, again.Tool.Version)
	add("host", recorded.Host.Name, again.Host.Name)
	v.Changes = Compare(v.Assessment, recorded, "judged again", again).Changes
	if len(v.Differences) == 0 {
		for i := range v.Changes {
			v.Changes[i].Why = "the inputs are the same, so the assessment was changed after it was written"
		}
	}
	v.Differences = append(v.Differences, firstDifference(text, againText)...)
}

func digestAt(files []FileDigest, pointer string) string {
	for _, f := range files {
		if f.Pointer == pointer {
			return f.SHA256
		}
	}
	return ""
}

func (a *Assessment) baselineDigest() string {
	if a.Baseline == nil {
		return ""
	}
	return a.Baseline.SHA256
}

// firstDifference finds the first value, in the order of names, that differs.
func firstDifference(text, again []byte) []Difference {
	var a, b any
	if json.Unmarshal(text, &a) != nil || json.Unmarshal(again, &b) != nil {
		return nil
	}
	pointer, before, after, differs := walkDifference("", a, b)
	if !differs {
		return []Difference{{"the file's form", "the same values, written in another way", "as -o json writes them"}}
	}
	return []Difference{{pointer, before, after}}
}

func walkDifference(pointer string, a, b any) (string, string, string, bool) {
	if reflect.DeepEqual(a, b) {
		return "", "", "", false
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Compact(slices.Sorted(keysOf(x, y))) {
			vx, inX := x[key]
			vy, inY := y[key]
			child := pointer + pointerTo([]string{key})
			if inX != inY {
				return child, presence(vx, inX), presence(vy, inY), true
			}
			if p, before, after, differs := walkDifference(child, vx, vy); differs {
				return p, before, after, true
			}
		}
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			if p, before, after, differs := walkDifference(fmt.Sprintf("%s/%d", pointer, i), x[i], y[i]); differs {
				return p, before, after, true
			}
		}
	}
	return pointer, shortJSON(a), shortJSON(b), true
}

// keysOf yields the keys of both.
func keysOf(x, y map[string]any) func(func(string) bool) {
	all := maps.Clone(x)
	maps.Copy(all, y)
	return maps.Keys(all)
}

func presence(v any, there bool) string {
	if !there {
		return ""
	}
	return shortJSON(v)
}

// FactsSHA256 is the digest by which an assessment names its facts.
func FactsSHA256(d *facts.Document) (string, error) {
	text, err := d.Marshal()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
