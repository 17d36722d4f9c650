package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
)

func (a *app) diffCommand() *cobra.Command {
	var (
		form               textOrJSON
		oldFacts, newFacts string
	)
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell what changed between two assessments, and why",
		Long: `Compare two assessments (written with -o json=FILE) verdict by verdict, and tell
whether the facts, the policies, the waivers, the options or the day differ. With
the facts of each at hand, the values behind a change are shown too.

Worse is a violation or a lack of evidence that was not there before, also one
that a waiver no longer covers, and a rule that is no longer judged. Exit code:
0 when nothing is worse, 1 when something is, 2 when one cannot be read.`,
		Example: `  gpugate diff last-week.json today.json
  gpugate diff old.json new.json --old-facts old-facts.json --new-facts facts.json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError(c, "%s takes two assessments, OLD and NEW", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			old, _, errOld := readAssessment(args[0])
			current, _, errNew := readAssessment(args[1])
			if err := errors.Join(errOld, errNew); err != nil {
				return err
			}
			if form.format == "text" {
				policies, err := a.wording(c.Context())
				if err != nil {
					return err
				}
				old, current = a.lang.Assessment(policies, old), a.lang.Assessment(policies, current)
			}
			d := evaluator.Compare(args[0], old, args[1], current)
			if err := addValues(d, oldFacts, newFacts); err != nil {
				return err
			}
			err := a.answer(&form, d, func(w io.Writer, o reports.Options) error { return reports.WriteDiff(w, d, o) })
			if err == nil && d.Worse > 0 {
				return &exitError{evaluator.ExitViolations}
			}
			return err
		},
	}
	section(c, "What to read", func(f *pflag.FlagSet) {
		f.StringVar(&oldFacts, "old-facts", "", "facts document `FILE` that OLD was judged from")
		f.StringVar(&newFacts, "new-facts", "", "facts document `FILE` that NEW was judged from")
	})
	section(c, "What to write", form.register)
	form.complete(c)
	return c
}

// addValues looks up the values that the evidence of changes points at.
func addValues(d *evaluator.Diff, oldFile, newFile string) error {
	var old, current *facts.Document
	for _, in := range []struct {
		file string
		into **facts.Document
	}{{oldFile, &old}, {newFile, &current}} {
		if in.file == "" {
			continue
		}
		document, _, _, err := readFacts(in.file, nil)
		if err != nil {
			return err
		}
		*in.into = document
	}
	for _, c := range d.Changes {
		if err := errors.Join(addValuesOf(c.Old, old), addValuesOf(c.New, current)); err != nil {
			return err
		}
	}
	return nil
}

func addValuesOf(v *evaluator.DiffVerdict, d *facts.Document) error {
	if v == nil || d == nil {
		return nil
	}
	for i := range v.Evidence {
		value, ok, err := evaluator.ValueAt(d, v.Evidence[i].Pointer)
		if err != nil {
			return err
		}
		if ok {
			v.Evidence[i].Value = value
		}
	}
	return nil
}
