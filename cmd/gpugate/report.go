package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) reportCommand() *cobra.Command {
	var o outputs
	c := &cobra.Command{
		Use:   "report ASSESSMENT",
		Short: "Write a stored assessment in another format",
		Long: `Write a stored assessment, as -o json wrote it, in another format. Nothing is
judged again: the verdicts and the gate are those of the assessment. - reads it
from standard input.

The exit code says whether the report was written, not what it says: 0 or 2. The
code of the gate was that of the command that judged.`,
		Example: `  gpugate report gpugate.json -o html=gpugate.html
  gpugate report gpugate.json -o sarif=everything.sarif --sarif-profile full`,
		Args: oneArgument("an assessment FILE, or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.parse(args); err != nil {
				return err
			}
			if o.has(factsFormat) {
				return errNoFacts
			}
			name, read := args[0], readFile
			if name == "-" {
				name = "standard input"
				read = func(string) ([]byte, error) { return readBounded(c.InOrStdin()) }
			}
			text, err := read(args[0])
			if err != nil {
				return fmt.Errorf("reading the assessment: %w", err)
			}
			assessment, err := evaluator.DecodeAssessment(name, text)
			if err != nil {
				return err
			}
			policies, err := a.wording(c.Context())
			if err != nil {
				return err
			}
			return a.write(c.Context(), &o, nil, assessment, policies)
		},
	}
	section(c, "What to write", o.registerFormats)
	complete(c, "output", completeWords(outputFormats(), cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
	completeSARIF(c)
	return c
}
