package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/attestation"
	"github.com/gpugate/gpugate/reports"
)

// verifying are the flags of verify.
type verifying struct {
	manifestFlags
	facts, waivers, baseline string
	policies                 []string
	key, envelope            string
	judgeTimeout             time.Duration
}

func (a *app) verifyCommand() *cobra.Command {
	var (
		v    verifying
		form textOrJSON
	)
	c := &cobra.Command{
		Use:   "verify ASSESSMENT",
		Short: "Judge again and compare byte by byte with an assessment",
		Long: `Judge the facts again with the options that the assessment names (written with
-o json=FILE), and compare byte by byte. Where they differ, the digests that
differ are told first, then the verdicts. What was given then has to be given
now: the facts and, if they were, launch manifest, TI-ONE exports, own policies,
waivers and baseline; the files may have moved.

With --key and --envelope, the signature of the envelope is checked first, and
that it is for exactly this assessment.

Exit code: 0 when all holds; 1 when something does not; 2 when something cannot
be read, or the facts cannot be judged again; 3 when the signature holds, but
without --facts nothing was judged again.`,
		Example: `  gpugate verify gpugate.json --facts host.json
  gpugate verify gpugate.json --facts host.json --launch launch.yaml \
    --waivers waivers.yaml --key audit.pub --envelope gpugate.dsse.json`,
		Args: oneArgument("the assessment"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := v.check(c, &form); err != nil {
				return err
			}
			result, err := a.verify(c.Context(), &v, args[0])
			if err != nil {
				return err
			}
			if err := a.answer(&form, result, func(w io.Writer, o reports.Options) error { return reports.WriteVerification(w, result, o) }); err != nil {
				return err
			}
			switch {
			case !result.Holds():
				return &exitError{evaluator.ExitViolations}
			case !result.Judged:
				return &exitError{evaluator.ExitUnknown}
			}
			return nil
		},
	}
	section(c, "What it was judged from", func(f *pflag.FlagSet) {
		f.StringVar(&v.facts, "facts", "", "facts document `FILE`")
	}, v.manifestFlags.register, func(f *pflag.FlagSet) {
		registerPolicies(f, &v.policies)
		registerJudgeTimeout(f, &v.judgeTimeout)
		f.StringVar(&v.waivers, "waivers", "", "waivers `FILE`")
		f.StringVar(&v.baseline, "baseline", "", "baseline `FILE`")
	})
	section(c, "Signature", func(f *pflag.FlagSet) {
		f.StringVar(&v.key, "key", "", "ed25519 public key `FILE` (PEM)")
		f.StringVar(&v.envelope, "envelope", "", "DSSE envelope `FILE`, as --envelope of scan and evaluate wrote it")
	})
	section(c, "What to write", form.register)
	form.complete(c)
	return c
}

func (v *verifying) check(c *cobra.Command, form *textOrJSON) error {
	switch {
	case (v.key == "") != (v.envelope == ""):
		return usageError(c, "--key and --envelope belong together")
	case v.facts == "" && v.envelope == "":
		return usageError(c, "the facts are missing: give --facts FILE; without judging again nothing is verified")
	}
	if err := checkJudgeTimeout(v.judgeTimeout); err != nil {
		return err
	}
	return form.check()
}

// verify checks the signature, then judges again.
func (a *app) verify(ctx context.Context, v *verifying, file string) (*evaluator.Verification, error) {
	recorded, text, err := readAssessment(file)
	if err != nil {
		return nil, err
	}
	result := evaluator.NewVerification(file, recorded)
	if v.envelope != "" {
		if err := v.signature(ctx, text, result); err != nil {
			return nil, err
		}
	}
	if v.facts == "" {
		return result, nil
	}
	again, err := v.judgeAgain(ctx, recorded)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := reports.WriteJSON(&b, again, reports.Options{}); err != nil {
		return nil, err
	}
	result.Compare(recorded, text, again, b.Bytes())
	return result, nil
}

// signature notes whether the envelope vouches for the text.
func (v *verifying) signature(ctx context.Context, text []byte, result *evaluator.Verification) error {
	keyText, err := readFile(v.key)
	if err != nil {
		return fmt.Errorf("--key: %w", err)
	}
	key, err := attestation.ReadPublicKey(v.key, keyText)
	if err != nil {
		return fmt.Errorf("--key: %w", err)
	}
	envelope, err := readFile(v.envelope)
	if err != nil {
		return fmt.Errorf("--envelope: %w", err)
	}
	_, err = attestation.Verify(ctx, key, v.envelope, envelope, text)
	switch {
	case errors.Is(err, attestation.ErrDoesNotHold):
		result.Signature = &evaluator.SignatureCheck{Envelope: v.envelope, Problem: err.Error()}
	case err != nil:
		return fmt.Errorf("--envelope: %w", err)
	default:
		result.Signature = &evaluator.SignatureCheck{Envelope: v.envelope, Holds: true}
	}
	return nil
}

// judgeAgain judges the facts as the assessment says that it was judged.
func (v *verifying) judgeAgain(ctx context.Context, recorded *evaluator.Assessment) (*evaluator.Assessment, error) {
	failOn, err := evaluator.ParseFailOn(string(recorded.Gate.FailOn))
	if err != nil {
		return nil, fmt.Errorf("the assessment's gate: %w", err)
	}
	o := evaluator.Options{
		Threshold:   evaluator.Threshold{FailOn: failOn, AllowUnknown: recorded.Gate.AllowUnknown, FailOnNew: recorded.Gate.FailOnNew},
		AsOf:        recorded.AsOf,
		ToolVersion: version(),
		Timeout:     v.judgeTimeout,
	}
	if recorded.Options.MaxAge != "" {
		if o.MaxAge, err = time.ParseDuration(recorded.Options.MaxAge); err != nil {
			return nil, fmt.Errorf("the assessment's options: maxAge: %w", err)
		}
	}
	x := accepting{waivers: v.waivers, baseline: v.baseline}
	if o.Waivers, o.Baseline, err = x.read(); err != nil {
		return nil, err
	}
	switch {
	case recorded.Waivers != nil && o.Waivers == nil:
		return nil, fmt.Errorf("it was judged with waivers: give --waivers FILE (%s then, sha256:%s)", recorded.Waivers.File, recorded.Waivers.SHA256)
	case recorded.Baseline != nil && o.Baseline == nil:
		return nil, fmt.Errorf("it was compared with a baseline: give --baseline FILE (%s then, sha256:%s)", recorded.Baseline.File, recorded.Baseline.SHA256)
	}
	p, err := evaluator.Load(ctx, v.policies, evaluator.Selection{Select: recorded.Options.Select, Skip: recorded.Options.Skip})
	if err != nil {
		return nil, fmt.Errorf("judging again: %w", err)
	}
	d, places, _, err := readFacts(v.facts, nil)
	if err != nil {
		return nil, err
	}
	if err := v.replace(ctx, d); err != nil {
		return nil, err
	}
	replayStale(d, recorded)
	renameAsRecorded(d, recorded, &o)
	if recorded.Facts.File != "" {
		o.FactsFile, o.FactsPlaces = recorded.Facts.File, places
	}
	again, err := p.Evaluate(ctx, d, o)
	if err != nil {
		return nil, fmt.Errorf("judging again: %w", err)
	}
	return again, nil
}
