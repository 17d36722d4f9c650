package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/waivers"
	"github.com/gpugate/gpugate/reports"
)

// explaining are the flags of explain.
type explaining struct {
	collecting
	facts, assessment, asOf, waivers string
	policies                         []string
	judgeTimeout                     time.Duration
}

func (a *app) explainCommand() *cobra.Command {
	var (
		x    explaining
		form textOrJSON
	)
	c := &cobra.Command{
		Use:   "explain RULE [SUBJECT]",
		Short: "Tell why a rule judges as it does, condition by condition",
		Long: `Judge one rule and tell, for each subject (or for those that are like SUBJECT), the
verdict, every way in which the rule could fail or be unknown with its conditions
in order and which of them hold (✓ holds, ✗ does not, · not reached), the values
of the facts with their sources and places, what is missing, and what to do.

The facts come from a capture (--from), from a facts document (--facts), or are
those of an assessment (--assessment with --facts): then the day and the waivers
are the assessment's, and facts it was not made from are refused.`,
		Example: `  gpugate explain OWN006 --from capture/
  gpugate explain PRE002 gpu/* --facts host.json --launch launch.yaml
  gpugate explain OWN001 --assessment gpugate.json --facts host.json`,
		Args:              ruleAndSubject,
		ValidArgsFunction: completeRules(false),
		RunE: func(c *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			subject := ""
			if len(args) > 1 {
				subject = args[1]
			}
			e, policies, err := a.explain(c, &x, args[0], subject)
			if err != nil {
				return err
			}
			return a.answer(&form, e, func(w io.Writer, o reports.Options) error {
				return reports.WriteExplanation(w, a.lang.Explanation(policies, e), o)
			})
		},
	}
	section(c, "What to read", func(f *pflag.FlagSet) {
		f.StringVar(&x.from, "from", "", "read the capture in `DIR`")
		f.StringVar(&x.facts, "facts", "", "facts document `FILE`, as gpugate collect writes it; - is standard input")
		f.StringVar(&x.assessment, "assessment", "", "explain the assessment `FILE` (written with -o json=FILE) that was made from these facts")
	}, x.manifestFlags.register)
	section(c, "How to judge", func(f *pflag.FlagSet) {
		registerPolicies(f, &x.policies)
		registerJudgeTimeout(f, &x.judgeTimeout)
		f.StringVar(&x.waivers, "waivers", "", "violations that people accept for a while: `FILE`")
		f.StringVar(&x.asOf, "as-of", "", "judge what expires as on `DATE` (default: when the facts were collected)")
	})
	section(c, "What to write", form.register)
	form.complete(c)
	return c
}

func (a *app) explain(c *cobra.Command, x *explaining, rule, subject string) (*evaluator.Explanation, *evaluator.PolicySet, error) {
	switch {
	case (x.from == "") == (x.facts == ""):
		return nil, nil, usageError(c, "say what to judge: --from DIR or --facts FILE")
	case x.assessment != "" && x.facts == "":
		return nil, nil, usageError(c, "--assessment: give the --facts it was made from; an assessment does not hold them")
	case x.assessment != "" && x.asOf != "":
		return nil, nil, usageError(c, "--as-of: the day is that of the assessment")
	}
	if err := checkJudgeTimeout(x.judgeTimeout); err != nil {
		return nil, nil, err
	}
	p, err := evaluator.Load(c.Context(), x.policies, evaluator.Selection{Everything: true})
	if err != nil {
		return nil, nil, err
	}
	if _, err := p.Rule(rule); err != nil {
		return nil, nil, err
	}
	o := evaluator.Options{ToolVersion: version(), Threshold: evaluator.Threshold{FailOn: evaluator.Error}, Timeout: x.judgeTimeout}
	if o.AsOf, err = parseDay(x.asOf); err != nil {
		return nil, nil, fmt.Errorf("--as-of: %w", err)
	}
	if x.waivers != "" {
		if o.Waivers, err = waivers.Read(x.waivers); err != nil {
			return nil, nil, fmt.Errorf("--waivers: %w", err)
		}
	}
	d, err := a.explained(c.Context(), x, c.InOrStdin(), &o)
	if err != nil {
		return nil, nil, err
	}
	if x.assessment != "" {
		if err := x.matches(d, p, &o); err != nil {
			return nil, nil, err
		}
	}
	e, err := p.Explain(c.Context(), d, o, rule, subject)
	return e, p, err
}

// explained reads the facts.
func (a *app) explained(ctx context.Context, x *explaining, stdin io.Reader, o *evaluator.Options) (*facts.Document, error) {
	if x.from != "" {
		x.timeout, x.quiet = defaultTimeout, true
		return a.collect(ctx, &x.collecting)
	}
	d, places, _, err := readFacts(x.facts, stdin)
	if err != nil {
		return nil, err
	}
	if places != nil && x.facts != "-" {
		o.FactsFile, o.FactsPlaces = x.facts, places
	}
	return d, x.replace(ctx, d)
}

// matches refuses facts or policies that the assessment was not made from: the
// explanation would be of another one.
func (x *explaining) matches(d *facts.Document, p *evaluator.PolicySet, o *evaluator.Options) error {
	recorded, _, err := readAssessment(x.assessment)
	if err != nil {
		return fmt.Errorf("--assessment: %w", err)
	}
	replayStale(d, recorded)
	sum, err := evaluator.FactsSHA256(d)
	if err != nil {
		return err
	}
	if sum != recorded.Facts.SHA256 {
		return fmt.Errorf("%s was not made from these facts (it names %.12s, they are %.12s)%s", x.assessment, recorded.Facts.SHA256, sum, missingFiles(d, recorded))
	}
	if p.SHA256 != recorded.Policies.SHA256 {
		return fmt.Errorf("%s was judged by other policies (it names %.12s, these are %.12s)", x.assessment, recorded.Policies.SHA256, p.SHA256)
	}
	if recorded.Waivers != nil && o.Waivers == nil {
		return errors.New("the assessment was judged with waivers; give them with --waivers " + recorded.Waivers.File)
	}
	o.AsOf = recorded.AsOf
	return nil
}
