// Package attestation signs assessments and checks such signatures: an in-toto
// Statement about the assessment's bytes, in a DSSE envelope, with an ed25519
// key.
package attestation

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gpugate/gpugate/evaluator"
)

const (
	// StatementType says that a payload is a statement.
	StatementType = "https://in-toto.io/Statement/v1"
	// PredicateType says that the statement is about an assessment.
	PredicateType = "https://github.com/gpugate/gpugate/assessment/v1"
	// PayloadType is that of the envelope.
	PayloadType = "application/vnd.in-toto+json"
)

// Statement says of some bytes that they are an assessment, and of what. Its
// shape is that of in-toto's Statement v1; it is written here because the
// module that publishes the types writes JSON whose bytes are not the same each
// time, on purpose.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Predicate `json:"predicate"`
}

// Subject is the file the statement is about.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Predicate says what was judged, by what, and what came of it. The digests are
// SHA-256.
type Predicate struct {
	Tool     evaluator.Tool `json:"tool"`
	Host     string         `json:"host"`
	AsOf     time.Time      `json:"asOf"`
	Facts    string         `json:"factsSha256"`
	Policies string         `json:"policiesSha256"`
	Waivers  string         `json:"waiversSha256,omitempty"`
	Baseline string         `json:"baselineSha256,omitempty"`
	Gate     evaluator.Gate `json:"gate"`
}

// NewStatement makes the statement about an assessment whose JSON is text. Name
// is that of its file.
func NewStatement(name string, text []byte, a *evaluator.Assessment) *Statement {
	s := &Statement{
		Type: StatementType, PredicateType: PredicateType,
		Subject: []Subject{{Name: name, Digest: map[string]string{"sha256": digest(text)}}},
		Predicate: Predicate{
			Tool: a.Tool, Host: a.Host.Name, AsOf: a.AsOf,
			Facts: a.Facts.SHA256, Policies: a.Policies.SHA256, Gate: a.Gate,
		},
	}
	if a.Waivers != nil {
		s.Predicate.Waivers = a.Waivers.SHA256
	}
	if a.Baseline != nil {
		s.Predicate.Baseline = a.Baseline.SHA256
	}
	return s
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// readStatement reads a payload whose signature holds.
func readStatement(payload []byte) (*Statement, error) {
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	var s Statement
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("the signed statement cannot be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the signed statement goes on after its end")
	}
	if s.Type != StatementType {
		return nil, fmt.Errorf("what is signed is %q, not an in-toto statement (%s)", s.Type, StatementType)
	}
	if s.PredicateType != PredicateType {
		return nil, fmt.Errorf("the signed statement is about %q, not about an assessment (%s)", s.PredicateType, PredicateType)
	}
	return &s, nil
}

// names reports whether one of the subjects has the digest.
func (s *Statement) names(sum string) bool {
	for _, subject := range s.Subject {
		if subject.Digest["sha256"] == sum {
			return true
		}
	}
	return false
}
