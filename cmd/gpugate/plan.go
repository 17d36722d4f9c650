package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/planning"
	"github.com/gpugate/gpugate/reports"
	"github.com/gpugate/gpugate/reports/words"
)

// planningFlags are the flags of plan.
type planningFlags struct {
	triaging
	as, asOf string
}

func (a *app) planCommand() *cobra.Command {
	var (
		x    planningFlags
		form textOrJSON
	)
	c := &cobra.Command{
		Use:   "plan --as PARTY",
		Short: "Judge as if registered with TKE or TI-ONE: what would conflict",
		Long: `Judge this host, or a capture, as if it were registered with a party already, and
tell what would conflict, in which order to free the GPUs, what to check before
it is registered, and what can be told only after. Commands are shown, not run;
nothing is changed.

Exit code: 0 when nothing that can be seen stands in the way, 1 when something
does, 2 on wrong usage, 3 when evidence is missing.`,
		Example: `  gpugate plan --as tke --launch launch.yaml
  gpugate plan --as ti-one --from capture/ --tione policy.json
  gpugate plan --as tke --facts host.json -o json`,
		Args: noArguments("the party is named with --as"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := form.check(); err != nil {
				return err
			}
			return a.plan(c, &x, &form)
		},
	}
	section(c, "What to plan", func(f *pflag.FlagSet) {
		f.StringVar(&x.as, "as", "", "`PARTY` to register with: tke or ti-one (required)")
	})
	section(c, "What to read", x.registerFacts)
	section(c, "How to judge", func(f *pflag.FlagSet) {
		f.StringVar(&x.asOf, "as-of", "", "judge what expires as on `DATE` (default: when the facts were collected)")
	})
	section(c, "What to write", form.register)
	complete(c, "as", completeWords([]string{string(planning.TKE), string(planning.TIONE)}, cobra.ShellCompDirectiveNoFileComp))
	form.complete(c)
	return c
}

func (a *app) plan(c *cobra.Command, x *planningFlags, form *textOrJSON) error {
	if x.as == "" {
		return usageError(c, "say whom to register with: --as tke or --as ti-one")
	}
	as, err := planning.Parse(x.as)
	if err != nil {
		return fmt.Errorf("--as: %w", err)
	}
	options := evaluator.Options{ToolVersion: version()}
	if options.AsOf, err = parseDay(x.asOf); err != nil {
		return fmt.Errorf("--as-of: %w", err)
	}
	d, err := a.triaged(c.Context(), &x.triaging, c)
	if err != nil {
		return err
	}
	p, err := planning.Make(c.Context(), d, as, options)
	if err != nil {
		return err
	}
	policies, err := a.wording(c.Context())
	if err != nil {
		return err
	}
	err = a.answer(form, p, func(w io.Writer, o reports.Options) error { return reports.WritePlan(w, a.told(policies, p), o) })
	if err == nil && p.ExitCode != evaluator.ExitPass {
		return &exitError{p.ExitCode}
	}
	return err
}

// told is a plan in the language that was chosen.
func (a *app) told(policies *evaluator.PolicySet, p *planning.Plan) *planning.Plan {
	if a.lang != words.Korean {
		return p
	}
	told := *p
	told.Conflicts = a.lang.Assessment(policies, &evaluator.Assessment{Rules: p.Conflicts}).Rules
	told.Before = a.lang.Assessment(policies, &evaluator.Assessment{Rules: p.Before}).Rules
	told.After = nil
	for _, r := range p.After {
		told.After = append(told.After, *a.lang.Rule(&r))
	}
	return &told
}
