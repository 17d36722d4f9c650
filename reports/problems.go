package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// problem is one thing that a code-scanning view lists: a finding, or a verdict
// that could not be reached. Formats that know nothing but rules and results are
// made from it.
type problem struct {
	rule    *evaluator.RuleResult
	subject *evaluator.SubjectResult
	// id is the rule's, or that of "evidence for it is missing".
	id       string
	severity evaluator.Severity
	// messageID and arguments fill a template of the rule; see messageStrings.
	messageID string
	arguments []string
	// message says what is wrong, or why it is not known; remediation what to do.
	message, remediation string
	evidence             []evaluator.Evidence
	fingerprint          string
}

// problems lists what failed and what is unknown, in the order of the
// assessment, as far as they are wanted.
func problems(l words.Language, a *evaluator.Assessment, p *placer, wanted func(*evaluator.SubjectResult) bool) []problem {
	var all []problem
	prints := fingerprints{host: a.Host.Name}
	for i := range a.Rules {
		r := &a.Rules[i]
		for j := range r.Subjects {
			s := &r.Subjects[j]
			if !s.Bad() || !wanted(s) {
				continue
			}
			for _, found := range ofSubject(l, r, s, p) {
				found.fingerprint = prints.of(found.id, s.Subject, found.messageID)
				all = append(all, found)
			}
		}
	}
	return all
}

func ofSubject(l words.Language, r *evaluator.RuleResult, s *evaluator.SubjectResult, p *placer) []problem {
	if s.Verdict == evaluator.Fail {
		var found []problem
		for _, f := range s.Findings {
			found = append(found, problem{
				rule: r, subject: s, id: r.ID, severity: r.Severity, messageID: f.MessageID,
				arguments: arguments(r.Messages[f.MessageID], r.Remediation, f.Arguments),
				message:   f.Message, remediation: f.Remediation, evidence: f.Evidence,
			})
		}
		return found
	}
	// Whatever is neither of pass, not applicable and fail is unknown.
	var evidence []evaluator.Evidence
	var why []string
	for _, c := range s.Causes {
		if !slices.Contains(why, c.Message) {
			why = append(why, c.Message)
		}
		evidence = append(evidence, c.Evidence...)
		evidence = append(evidence, p.gapEvidence(c)...)
	}
	message := l.Say("%s cannot be judged for %s: %s", s.Subject.Name, r.ID, strings.Join(why, "; "))
	return []problem{{
		rule: r, subject: s, id: r.UnknownID(), severity: unknownSeverity(r.Severity), messageID: unknownMessage,
		arguments: []string{s.Subject.Name, r.ID, strings.Join(why, "; ")},
		message:   message, remediation: l.Say(unknownRemediation), evidence: evidence,
	}}
}

const (
	unknownMessage     = "unknown"
	unknownRemediation = "Provide the evidence the message names. `gpugate doctor` says which sources can be read here. Missing evidence never counts as a pass."
)

// unknownSeverity is how much missing evidence weighs: less than a violation of
// the same rule, and never nothing.
func unknownSeverity(s evaluator.Severity) evaluator.Severity {
	if s == evaluator.Error {
		return evaluator.Warning
	}
	return evaluator.Note
}

// fingerprints identify problems across scans: by the host, the rule, what it
// says, and the lasting name of the subject. Nothing in them changes by itself:
// no PID, no container id, no time, no line, no word of the message.
type fingerprints struct {
	host string
	// seen counts problems that nothing lasting tells apart.
	seen map[string]int
}

func (f *fingerprints) of(id string, subject evaluator.Subject, messageID string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.host, id, subject.Kind, subject.Lasting(), messageID}, "\x00")))
	hash := hex.EncodeToString(sum[:8])
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	f.seen[hash]++
	return hash + ":" + strconv.Itoa(f.seen[hash])
}

func itoa(i int) string { return strconv.Itoa(i) }
