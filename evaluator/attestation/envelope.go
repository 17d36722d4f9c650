package attestation

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// Sign writes the envelope for an assessment whose JSON is text, kept in a file
// of that name.
func Sign(ctx context.Context, private ed25519.PrivateKey, name string, text []byte, a *evaluator.Assessment) ([]byte, error) {
	payload, err := json.Marshal(NewStatement(name, text, a))
	if err != nil {
		return nil, fmt.Errorf("signing the assessment: %w", err)
	}
	public, ok := private.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("signing the assessment: the key has no public half")
	}
	signer, err := dsse.NewEnvelopeSigner(key{private: private, public: public})
	if err != nil {
		return nil, fmt.Errorf("signing the assessment: %w", err)
	}
	envelope, err := signer.SignPayload(ctx, PayloadType, payload)
	if err != nil {
		return nil, fmt.Errorf("signing the assessment: %w", err)
	}
	b, err := json.MarshalIndent(envelope, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("signing the assessment: %w", err)
	}
	return append(b, '\n'), nil
}

// ErrDoesNotHold is what [Verify] wraps where everything could be read, but the
// envelope does not vouch for the assessment.
var ErrDoesNotHold = errors.New("the signature does not hold")

// Verify checks that an envelope, in a file of that name, was signed with the
// key and speaks of exactly this assessment. It returns the statement.
func Verify(ctx context.Context, public ed25519.PublicKey, file string, envelope, assessment []byte) (*Statement, error) {
	var e dsse.Envelope
	if err := facts.UnmarshalJSON(file, envelope, &e); err != nil {
		return nil, err
	}
	if e.Payload == "" || len(e.Signatures) == 0 {
		return nil, fmt.Errorf("%s is no DSSE envelope: it has no payload or no signatures", file)
	}
	if e.PayloadType != PayloadType {
		return nil, fmt.Errorf("%s: %w: it is about %q, not about an in-toto statement (%s)", file, ErrDoesNotHold, e.PayloadType, PayloadType)
	}
	k := key{public: public}
	verifier, err := dsse.NewEnvelopeVerifier(k)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	_, payload, err := verifier.VerifyAndDecode(ctx, &e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", file, ErrDoesNotHold, refusal(&e, k))
	}
	s, err := readStatement(payload)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file, ErrDoesNotHold, err)
	}
	if sum := digest(assessment); !s.names(sum) {
		return nil, fmt.Errorf("%s: %w: it is for %s, and the assessment is sha256:%s", file, ErrDoesNotHold, subjects(s), sum)
	}
	return s, nil
}

// refusal says whether the key is another one or the content was changed.
func refusal(e *dsse.Envelope, k key) string {
	id, err := k.KeyID()
	if err != nil {
		return "the key cannot be used"
	}
	var others []string
	for _, s := range e.Signatures {
		if s.KeyID == id || s.KeyID == "" {
			return "the envelope was changed after it was signed, or the signature is not of this key (" + id + ")"
		}
		others = append(others, s.KeyID)
	}
	return fmt.Sprintf("it was signed with another key (%s), not with %s", strings.Join(others, ", "), id)
}

func subjects(s *Statement) string {
	var b bytes.Buffer
	for i, subject := range s.Subject {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (sha256:%s)", subject.Name, subject.Digest["sha256"])
	}
	return b.String()
}
