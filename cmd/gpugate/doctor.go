package main

import (
	"fmt"
	"io"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) doctorCommand() *cobra.Command {
	var from collecting
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what can be read here, and which rules that leaves unknown",
		Long: `Read every source as the present user and tell which could be read, which right
is missing where one could not, and which rules that leaves unknown.
Exit code: 0 when every source could be read or is proven absent, 3 otherwise.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			policies, err := evaluator.Load(c.Context(), nil, evaluator.Selection{})
			if err != nil {
				return err
			}
			d, err := a.collect(c.Context(), &from)
			if err != nil {
				return err
			}
			blind, err := writeDiagnosis(a.stdout, d, policies)
			if err != nil {
				return fmt.Errorf("writing the diagnosis: %w", err)
			}
			if blind {
				return &exitError{code: evaluator.ExitUnknown}
			}
			return nil
		},
	}
	from.register(c.Flags())
	return c
}

// writeDiagnosis tells how far each source got. It reports whether any rule is
// left blind.
func writeDiagnosis(w io.Writer, d *facts.Document, policies *evaluator.PolicySet) (blind bool, err error) {
	if u, err := user.Current(); err == nil {
		fmt.Fprintf(w, "Read as %s (uid %s)\n\n", u.Username, u.Uid)
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SOURCE\tSTATUS\tREAD FROM")
	for _, s := range d.Sources {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Name, s.Status, s.Via)
	}
	if err := t.Flush(); err != nil {
		return false, err
	}
	for _, s := range d.Sources {
		if s.Detail != "" && len(s.Gaps) == 0 {
			fmt.Fprintf(w, "\n%s: %s\n", s.Name, s.Detail)
		}
		for _, g := range s.Gaps {
			blinded := policies.BlindedBy(g)
			fmt.Fprintf(w, "\n%s is missing (%s)\n  %s\n", g.Path, g.Reason, g.Detail)
			if len(blinded) > 0 {
				blind = true
				fmt.Fprintf(w, "  leaves unknown: %s\n", strings.Join(blinded, " "))
			}
		}
	}
	if !slices.ContainsFunc(d.Sources, func(s facts.Source) bool { return len(s.Gaps) > 0 }) {
		fmt.Fprintln(w, "\nEverything could be read.")
	}
	return blind, nil
}
