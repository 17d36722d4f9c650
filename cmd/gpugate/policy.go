package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
)

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "List, show, test and document the rules",
		Args:  cobra.ArbitraryArgs, // unknownCommand has looked at them
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.policyListCommand(), a.policyShowCommand(), a.policyTestCommand(), a.policyDocsCommand())
	c.SuggestionsMinimumDistance = 2
	return c
}

func (a *app) policyListCommand() *cobra.Command {
	var custom []string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the rules",
		Long: `List the rules: id, topic, severity, title, and the rows of the operations guide
that each one answers. Ids and topics are what --select and --skip take.`,
		Example: `  gpugate policy list
  gpugate policy list --policy my-policies/`,
		Args: noArguments("one rule is shown by gpugate policy show RULE"),
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			t := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
			fmt.Fprintln(t, a.tell("RULE\tTOPIC\tSEVERITY\tROWS\tTITLE"))
			for _, r := range p.Rules {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Topic, r.Severity, strings.Join(r.Covers, " "), a.lang.Rule(r).Title)
			}
			return t.Flush()
		},
	}
	registerPolicies(c.Flags(), &custom)
	return c
}

func (a *app) policyShowCommand() *cobra.Command {
	var custom []string
	c := &cobra.Command{
		Use:   "show RULE",
		Short: "Show one rule: what, why, from which facts, and what to do",
		Long: `Show one rule: what it demands and why, from which facts it is judged, what it
may say and what to do about it. The id may be in small letters.`,
		Example:           "  gpugate policy show OWN001",
		Args:              oneArgument("the id of a rule, such as OWN001 (gpugate policy list shows all)"),
		ValidArgsFunction: completeRules(false),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			r, err := p.Rule(args[0])
			if err != nil {
				return err
			}
			return a.showRule(a.lang.Rule(r))
		},
	}
	registerPolicies(c.Flags(), &custom)
	return c
}

func (a *app) showRule(r *evaluator.Rule) error {
	var b strings.Builder
	paragraph(&b, r.ID+"  ", r.Title)
	b.WriteString("\n")
	paragraph(&b, "", r.Description)
	b.WriteString("\n")
	field := func(name, value string) { paragraph(&b, reports.Pad(a.tell(name), 13), value) }
	field("topic", r.Topic)
	field("severity", string(r.Severity))
	if r.SecuritySeverity != "" {
		field("security", r.SecuritySeverity)
	}
	field("judged from", strings.Join(r.Requires, ", "))
	field("written in", fmt.Sprintf("%s:%d", r.File, r.Line))
	if err := a.showCovered(&b, r); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s\n", a.tell("What it may say"))
	for _, key := range slices.Sorted(maps.Keys(r.Messages)) {
		paragraph(&b, "  - ", r.Messages[key])
	}
	fmt.Fprintf(&b, "\n%s\n", a.tell("What to do"))
	paragraph(&b, "  ", r.Remediation)
	for i, ref := range r.References {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s\n", a.tell("More"))
		}
		fmt.Fprintf(&b, "  %s\n", ref)
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// showCovered names the requirements of the operations guide that the rule
// answers.
func (a *app) showCovered(w io.Writer, r *evaluator.Rule) error {
	if len(r.Covers) == 0 {
		return nil
	}
	requirements, err := rows()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", a.tell("What it answers"))
	for _, id := range r.Covers {
		i := slices.IndexFunc(requirements, func(row row) bool { return row.ID == id })
		words := ""
		if i >= 0 {
			words = requirements[i].in(a.lang)
		}
		paragraph(w, fmt.Sprintf("  %-4s ", id), words)
	}
	return nil
}
