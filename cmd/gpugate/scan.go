package main

import (
	"github.com/spf13/cobra"
)

func (a *app) scanCommand() *cobra.Command {
	var (
		from collecting
		j    judging
	)
	c := &cobra.Command{
		Use:   "scan",
		Short: "Collect, judge and report",
		Long: `Collect the facts of this host, or of a capture, judge them and report.

Nothing on the host, in a daemon or in the cluster changes. What could not be
read makes the verdicts that rest on it unknown, never a pass.`,
		Example: `  gpugate scan --launch launch.yaml
  gpugate scan --select owner
  gpugate scan --from capture/ -o sarif=gpugate.sarif -o json=gpugate.json`,
		Args: noArguments("to read a capture, say --from DIR"),
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := from.check(); err != nil {
				return err
			}
			ready, err := j.prepare(c.Context(), from.inputs()...)
			if err != nil {
				return err
			}
			d, err := a.collect(c.Context(), &from)
			if err != nil {
				return err
			}
			if ready.options.FactsFile = j.outputs.factsFile(); ready.options.FactsFile != "" {
				text, err := d.Marshal()
				if err != nil {
					return err
				}
				j.texts = map[string][]byte{ready.options.FactsFile: text}
			}
			return a.finish(c.Context(), ready, d)
		},
	}
	section(c, "What to read", from.register)
	j.sections(c)
	return c
}
