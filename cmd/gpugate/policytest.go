package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) policyTestCommand() *cobra.Command {
	var custom []string
	var verbose bool
	c := &cobra.Command{
		Use:   "test",
		Short: "Run the tests of the policies, with coverage",
		Long: `Run the Rego tests of the built-in policies, or, with --policy, of your own (which
may use the built-in libraries). No test at all is an error. Exit code: 0 when
all pass, 1 when one does not.`,
		Example: `  gpugate policy test
  gpugate policy test --verbose --policy my-policies/`,
		Args: noArguments("your own policies are named with --policy PATH"),
		RunE: func(c *cobra.Command, _ []string) error {
			result, err := evaluator.Test(c.Context(), custom)
			if err != nil {
				return err
			}
			if err := a.writeTests(result, verbose); err != nil {
				return err
			}
			if result.Failed > 0 {
				return &exitError{evaluator.ExitViolations}
			}
			return nil
		},
	}
	registerPolicies(c.Flags(), &custom)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "name every test, and every line that no test reaches")
	return c
}

// writeTests says what failed, how many passed, and how much they reach: the
// files that are not reached in full, or with verbose every line.
func (a *app) writeTests(result *evaluator.TestResult, verbose bool) error {
	var b strings.Builder
	for _, t := range result.Tests {
		if verbose || t.Failed() {
			fmt.Fprintf(&b, "%-5s %s\n", t.Outcome, t.Name)
		}
		if t.Failed() && t.Detail != "" {
			fmt.Fprintf(&b, "      %s\n", t.Detail)
		}
	}
	places := slices.Compact(slices.Clone(result.Uncovered))
	if verbose {
		for _, p := range places {
			fmt.Fprintln(&b, a.tell("not reached: "+p))
		}
	} else {
		a.writeUnreached(&b, places)
	}
	fmt.Fprintln(&b, a.tell(fmt.Sprintf("%d passed, %d failed, %.1f %% of lines reached", result.Passed, result.Failed, result.Coverage)))
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// writeUnreached counts the lines by file. The places are sorted.
func (a *app) writeUnreached(w io.Writer, places []string) {
	for len(places) > 0 {
		file := places[0][:strings.LastIndexByte(places[0], ':')]
		n := slices.IndexFunc(places, func(p string) bool { return !strings.HasPrefix(p, file+":") })
		if n < 0 {
			n = len(places)
		}
		fmt.Fprintln(w, a.tell(fmt.Sprintf("lines not reached in %s: %d", file, n)))
		places = places[n:]
	}
}
