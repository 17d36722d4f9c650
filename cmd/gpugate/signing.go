package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/attestation"
)

// signing are the flags that sign an assessment.
type signing struct {
	keyFile, envelope string
	key               ed25519.PrivateKey
}

func (s *signing) register(f *pflag.FlagSet) {
	f.StringVar(&s.keyFile, "sign-key", "", "sign what -o json writes with the ed25519 key in `FILE` (PEM, PKCS #8)")
	f.StringVar(&s.envelope, "envelope", "", "write the signature to `FILE` (in-toto statement in a DSSE envelope)")
}

func (s *signing) inputs() []string { return []string{s.keyFile} }

// check reads the key before any work is done.
func (s *signing) check(o *outputs, inputs []string) error {
	if s.keyFile == "" && s.envelope == "" {
		return nil
	}
	json := slices.IndexFunc(o.list, func(out output) bool { return out.format == "json" })
	switch {
	case s.keyFile == "" || s.envelope == "":
		return errors.New("--sign-key and --envelope belong together")
	case isStdout(s.envelope):
		return errors.New("--envelope: the signature goes to a file of its own")
	case json < 0:
		return errors.New("--sign-key signs what -o json=FILE writes; give that too")
	case slices.ContainsFunc(o.list, func(out output) bool { return out.file != "" && sameFile(out.file, s.envelope) }):
		return fmt.Errorf("--envelope %s: another output goes to the same file", s.envelope)
	}
	if err := checkFile(s.envelope, inputs); err != nil {
		return fmt.Errorf("--envelope %s: %w", s.envelope, err)
	}
	if err := checkReadable(s.keyFile); err != nil {
		return fmt.Errorf("--sign-key: %w", err)
	}
	text, err := readFile(s.keyFile)
	if err != nil {
		return fmt.Errorf("--sign-key: %w", err)
	}
	if s.key, err = attestation.ReadPrivateKey(s.keyFile, text); err != nil {
		return fmt.Errorf("--sign-key: %w", err)
	}
	return nil
}

// sign adds the envelope for the assessment among the outputs.
func (s *signing) sign(ctx context.Context, o *outputs, all []content, a *evaluator.Assessment) ([]content, error) {
	if s.key == nil {
		return all, nil
	}
	i := slices.IndexFunc(o.list, func(out output) bool { return out.format == "json" })
	name := "assessment.json"
	if file := o.list[i].file; file != "" {
		name = filepath.Base(file)
	}
	envelope, err := attestation.Sign(ctx, s.key, name, all[i].text, a)
	if err != nil {
		return nil, err
	}
	return append(all, content{s.envelope, envelope}), nil
}
