package evaluator

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Fingerprint identifies a rule's verdict on a subject from one scan to the
// next: by host, rule and the subject's lasting name. It holds nothing that
// changes by itself, such as a PID, a container id or a time. Two subjects that
// nothing lasting tells apart, such as two processes of one container, share it.
func Fingerprint(host, rule string, s Subject) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{"gpugate.fingerprint/v1", host, rule, s.Kind, s.Lasting()}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Waived reports whether a waiver covers the verdict.
func (s SubjectResult) Waived() bool { return s.Waiver != nil }

// Bad reports whether the verdict is one that somebody has to do something
// about: a violation, or missing evidence.
func (s SubjectResult) Bad() bool { return s.Verdict != Pass && s.Verdict != NotApplicable }

// Counts reports whether the gate counts the verdict, whatever the severity of
// its rule: it is bad, no waiver covers it, and the baseline does not let it
// through.
func (g Gate) Counts(s SubjectResult) bool {
	return s.Bad() && !s.Waived() && (!g.FailOnNew || s.Baseline != StateUnchanged)
}
