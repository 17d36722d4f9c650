package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
	"github.com/gpugate/gpugate/reports/words"
)

// symptomTopic is the topic of the rules on symptoms, which are judged on request
// only.
const symptomTopic = "operations"

// triaging are the flags of triage.
type triaging struct {
	collecting
	facts string
}

// registerFacts adds the ways to read the facts: from this host, from a capture, or
// from a document.
func (x *triaging) registerFacts(f *pflag.FlagSet) {
	x.register(f)
	f.StringVar(&x.facts, "facts", "", "facts document `FILE`, as gpugate collect writes it; - is standard input")
}

func (a *app) triageCommand() *cobra.Command {
	var (
		x    triaging
		form textOrJSON
	)
	c := &cobra.Command{
		Use:   "triage [SYMPTOM]",
		Short: "The symptom table, against the facts of this host",
		Long: `Go through the symptoms of the operations guide (F1 to F13) and tell of each
whether it is suspected, ruled out or cannot be told here, by which facts, and
what to look at next, with the names of the real services. With SYMPTOM, such as
F3, show that one with every condition and fact it was judged by.

Logs are read for signals (--logs=false leaves them out), and answers that were
saved (--sample). What was not looked at is never ruled out. Nothing is changed or restarted; the
commands are shown, not run. Exit code: 0 whatever is suspected, 2 when the facts
cannot be read.`,
		Example: `  gpugate triage --launch launch.yaml
  gpugate triage F4 --launch launch.yaml
  gpugate triage F6 --sample answer.json
  gpugate triage --from capture/ --lang ko`,
		Args:              oneSymptom,
		ValidArgsFunction: completeSymptoms,
		RunE: func(c *cobra.Command, args []string) error {
			if err := form.check(); err != nil {
				return err
			}
			if !c.Flags().Changed("logs") {
				x.logs = true // half of the symptoms are told by logs alone
			}
			return a.triage(c, &x, &form, args)
		},
	}
	section(c, "What to read", x.registerFacts)
	section(c, "What to write", form.register)
	form.complete(c)
	return c
}

// symptoms are the rows of the symptom table.
func symptoms() ([]row, error) {
	all, err := rows()
	return slices.DeleteFunc(all, func(r row) bool { return !strings.HasPrefix(r.ID, "F") }), err
}

func oneSymptom(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError(c, "%s takes one symptom, but was given %d: %s", c.CommandPath(), len(args), strings.Join(args, " "))
	}
	if len(args) == 0 {
		return nil
	}
	known, err := symptoms()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(known, func(r row) bool { return strings.EqualFold(r.ID, args[0]) }) {
		return usageError(c, "unknown symptom %q: want one of F1 to F%d", args[0], len(known))
	}
	return nil
}

func completeSymptoms(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	known, err := symptoms()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, r := range known {
		names = append(names, r.ID+"\t"+r.symptom(words.English))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// symptom is what one sees, without the word that it is a symptom.
func (r row) symptom(l words.Language) string {
	_, seen, _ := strings.Cut(r.in(l), ": ")
	return strings.TrimSuffix(seen, ".")
}

func (a *app) triage(c *cobra.Command, x *triaging, form *textOrJSON, args []string) error {
	ctx := c.Context()
	known, err := symptoms()
	if err != nil {
		return err
	}
	policies, err := evaluator.Load(ctx, nil, evaluator.Selection{Select: []string{symptomTopic}})
	if err != nil {
		return err
	}
	d, err := a.triaged(ctx, x, c)
	if err != nil {
		return err
	}
	options := evaluator.Options{ToolVersion: version(), Threshold: evaluator.Threshold{FailOn: evaluator.Never}}
	if len(args) == 1 {
		e, err := policies.Explain(ctx, d, options, ruleOf(policies, args[0]), "")
		if err != nil {
			return err
		}
		return a.answer(form, e, func(w io.Writer, o reports.Options) error {
			return reports.WriteExplanation(w, a.lang.Explanation(policies, e), o)
		})
	}
	assessment, err := policies.Evaluate(ctx, d, options)
	if err != nil {
		return err
	}
	return a.answer(form, assessment, func(w io.Writer, o reports.Options) error {
		told := a.lang.Assessment(policies, assessment)
		var table []reports.Symptom
		for _, r := range known {
			i := slices.IndexFunc(told.Rules, func(result evaluator.RuleResult) bool { return slices.Contains(result.Covers, r.ID) })
			if i < 0 {
				return fmt.Errorf("no rule judges the symptom %s", r.ID)
			}
			table = append(table, reports.Symptom{ID: r.ID, Words: r.symptom(a.lang), Result: told.Rules[i]})
		}
		return reports.WriteTriage(w, told, table, o)
	})
}

// triaged reads the facts.
func (a *app) triaged(ctx context.Context, x *triaging, c *cobra.Command) (*facts.Document, error) {
	if x.facts != "" && x.from != "" {
		return nil, usageError(c, "--facts and --from: give one of them")
	}
	if x.facts == "" {
		return a.collect(ctx, &x.collecting)
	}
	d, _, _, err := readFacts(x.facts, c.InOrStdin())
	if err != nil {
		return nil, err
	}
	return d, x.replace(ctx, d)
}

// ruleOf is the rule that judges a symptom.
func ruleOf(p *evaluator.PolicySet, symptom string) string {
	for _, r := range p.Rules {
		if r.Topic == symptomTopic && slices.ContainsFunc(r.Covers, func(id string) bool { return strings.EqualFold(id, symptom) }) {
			return r.ID
		}
	}
	return symptom
}
