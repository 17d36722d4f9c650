package main

import (
	"bytes"

	"github.com/spf13/cobra"
)

func (a *app) collectCommand() *cobra.Command {
	var (
		from collecting
		file string
	)
	c := &cobra.Command{
		Use:   "collect",
		Short: "Write the facts document, without judging it",
		Long: `Collect the facts of this host, or of a capture, and write them as one JSON
document. It holds no secrets. Judge it anywhere with gpugate evaluate.`,
		Example: `  gpugate collect --output host.json
  gpugate collect --from capture/ | gpugate evaluate --facts -`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := a.collect(c.Context(), &from)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := d.Write(&b); err != nil {
				return err
			}
			return a.deliver(file, b.Bytes())
		},
	}
	from.register(c.Flags())
	c.Flags().StringVarP(&file, "output", "o", "", "file to write to (default: standard output)")
	return c
}
