package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// judging are the flags of every command that judges.
type judging struct {
	outputs
	failOn       string
	allowUnknown bool
	selection    evaluator.Selection
	policies     []string
	asOf         string
	timeout      time.Duration
	accepted     accepting
}

func (j *judging) sections(c *cobra.Command) {
	section(c, "How to judge", j.register)
	section(c, "What to write", j.outputs.register)
	completeSARIF(c)
	complete(c, "fail-on", completeWords([]string{"error", "warning", "note", "never"}, cobra.ShellCompDirectiveNoFileComp))
	complete(c, "output", completeWords(outputFormats(), cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
	complete(c, "select", completeRules(true))
	complete(c, "skip", completeRules(true))
}

func (j *judging) register(f *pflag.FlagSet) {
	f.StringVar(&j.failOn, "fail-on", string(evaluator.Error), "lightest `SEVERITY` that closes the gate: error, warning, note or never")
	f.BoolVar(&j.allowUnknown, "allow-unknown", false, "let missing evidence through the gate (the report says so)")
	f.StringSliceVar(&j.selection.Select, "select", nil, "judge only these `RULES` or topics, such as OWN001,scope; repeatable")
	f.StringSliceVar(&j.selection.Skip, "skip", nil, "leave out these `RULES` or topics; repeatable")
	registerPolicies(f, &j.policies)
	registerJudgeTimeout(f, &j.timeout)
	j.accepted.register(f)
	f.StringVar(&j.asOf, "as-of", "", "judge what expires as on `DATE`, such as 2026-12-31 (default: when the facts were collected)")
}

// registerPolicies adds the flag that brings the user's own policies.
func registerPolicies(f *pflag.FlagSet, custom *[]string) {
	f.StringArrayVar(custom, "policy", nil, "add your own policies: `PATH` of a folder or an OPA bundle (.tar.gz); repeatable")
}

// registerJudgeTimeout adds the flag that bounds policies which never end.
func registerJudgeTimeout(f *pflag.FlagSet, limit *time.Duration) {
	f.DurationVar(limit, "judge-timeout", 2*time.Minute, "`TIME` that the policies may take; if they need longer nothing is judged")
}

// checkJudgeTimeout refuses a limit within which nothing could be judged.
func checkJudgeTimeout(limit time.Duration) error {
	if limit <= 0 {
		return fmt.Errorf("--judge-timeout %s: want more than nothing, such as 2m", limit)
	}
	return nil
}

// judge is the flags, checked and made ready before anything is collected, so
// that a typo does not cost a scan.
type judge struct {
	policies *evaluator.PolicySet
	options  evaluator.Options
	outputs  *outputs
}

func (j *judging) prepare(ctx context.Context, inputs ...string) (*judge, error) {
	if err := j.outputs.parse(append(inputs, j.accepted.inputs()...)); err != nil {
		return nil, err
	}
	failOn, err := evaluator.ParseFailOn(j.failOn)
	if err != nil {
		return nil, fmt.Errorf("--fail-on: %w", err)
	}
	asOf, err := parseDay(j.asOf)
	if err != nil {
		return nil, fmt.Errorf("--as-of: %w", err)
	}
	if j.asOf != "" && asOf.IsZero() {
		return nil, fmt.Errorf("--as-of %s: no facts are as old as that", j.asOf)
	}
	if err := checkJudgeTimeout(j.timeout); err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(j.selection.Select, j.selection.Skip) {
		if strings.TrimSpace(name) == "" {
			return nil, errors.New("--select and --skip: the name of a rule or topic is empty")
		}
	}
	waived, baseline, err := j.accepted.read()
	if err != nil {
		return nil, err
	}
	p, err := evaluator.Load(ctx, j.policies, j.selection)
	if err != nil {
		return nil, err
	}
	return &judge{policies: p, outputs: &j.outputs, options: evaluator.Options{
		Threshold:   evaluator.Threshold{FailOn: failOn, AllowUnknown: j.allowUnknown, FailOnNew: j.accepted.failOnNew},
		Timeout:     j.timeout,
		AsOf:        asOf,
		Waivers:     waived,
		Baseline:    baseline,
		ToolVersion: version(),
	}}, nil
}

// finish judges a document, writes the reports and turns the gate into the
// exit code.
func (a *app) finish(ctx context.Context, j *judge, d *facts.Document) error {
	assessment, err := j.policies.Evaluate(ctx, d, j.options)
	if err != nil {
		return err
	}
	if err := a.write(ctx, j.outputs, d, assessment, j.policies); err != nil {
		return err
	}
	if assessment.Gate.ExitCode != evaluator.ExitPass {
		return &exitError{assessment.Gate.ExitCode}
	}
	return nil
}

// parseDay reads a date, or a moment in RFC 3339; empty is the zero time.
func parseDay(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a date such as 2026-12-31 nor a moment such as 2026-12-31T08:00:00Z", s)
}
