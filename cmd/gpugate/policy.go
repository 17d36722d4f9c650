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
)

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "List, show and test the rules",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.policyListCommand(), a.policyShowCommand(), a.policyTestCommand(), a.policyDocsCommand())
	return c
}

const policyFlagUsage = "your own policies: a folder or an OPA bundle (.tar.gz), repeatable"

func (a *app) policyListCommand() *cobra.Command {
	var custom []string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			t := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
			fmt.Fprintln(t, "RULE\tTOPIC\tSEVERITY\tTITLE\tROWS")
			for _, r := range p.Rules {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Topic, r.Severity, r.Title, strings.Join(r.Covers, " "))
			}
			return t.Flush()
		},
	}
	c.Flags().StringArrayVar(&custom, "policy", nil, policyFlagUsage)
	return c
}

func (a *app) policyShowCommand() *cobra.Command {
	var custom []string
	c := &cobra.Command{
		Use:     "show RULE",
		Short:   "Show one rule: what, why, from which facts, and what to do",
		Example: "  gpugate policy show OWN001",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			r, err := p.Rule(args[0])
			if err != nil {
				return err
			}
			return showRule(a.stdout, r)
		},
	}
	c.Flags().StringArrayVar(&custom, "policy", nil, policyFlagUsage)
	return c
}

func showRule(w io.Writer, r *evaluator.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n%s\n\n", r.ID, r.Title, r.Description)
	fmt.Fprintf(&b, "topic        %s\nseverity     %s\n", r.Topic, r.Severity)
	if r.SecuritySeverity != "" {
		fmt.Fprintf(&b, "security     %s\n", r.SecuritySeverity)
	}
	fmt.Fprintf(&b, "judged from  %s\nrows         %s\nwritten in   %s:%d\n", strings.Join(r.Requires, ", "), strings.Join(r.Covers, " "), r.File, r.Line)
	fmt.Fprintf(&b, "\nWhat it says\n")
	for _, key := range slices.Sorted(maps.Keys(r.Messages)) {
		fmt.Fprintf(&b, "  %s: %s\n", key, r.Messages[key])
	}
	fmt.Fprintf(&b, "\nWhat to do\n  %s\n", r.Remediation)
	for i, ref := range r.References {
		if i == 0 {
			fmt.Fprintf(&b, "\nMore\n")
		}
		fmt.Fprintf(&b, "  %s\n", ref)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (a *app) policyTestCommand() *cobra.Command {
	var custom []string
	var verbose bool
	c := &cobra.Command{
		Use:   "test",
		Short: "Run the tests of the policies, with coverage",
		Long: `Run the Rego tests of the built-in policies, or, with --policy, of your own (which
may use the built-in libraries). No test at all is a failure.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			result, err := evaluator.Test(c.Context(), custom)
			if err != nil {
				return err
			}
			for _, t := range result.Tests {
				if verbose || t.Failed() {
					fmt.Fprintf(a.stdout, "%s  %s\n", t.Outcome, t.Name)
				}
				if t.Failed() && t.Detail != "" {
					fmt.Fprintf(a.stdout, "      %s\n", t.Detail)
				}
			}
			fmt.Fprintf(a.stdout, "%d passed, %d failed, %.1f %% of lines covered\n", result.Passed, result.Failed, result.Coverage)
			for _, u := range result.Uncovered {
				fmt.Fprintf(a.stdout, "not covered: %s\n", u)
			}
			if result.Failed > 0 {
				return &exitError{code: evaluator.ExitViolations}
			}
			return nil
		},
	}
	c.Flags().StringArrayVar(&custom, "policy", nil, policyFlagUsage)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "name every test")
	return c
}
