package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		Args: noArguments("to read a capture, say --from DIR; to write to a file, --output FILE"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkFactsFile(file, from.inputs()); err != nil {
				return err
			}
			d, err := a.collect(c.Context(), &from)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := d.Write(&b); err != nil {
				return err
			}
			return a.deliver([]content{{file, b.Bytes()}})
		},
	}
	section(c, "What to read", from.register)
	section(c, "What to write", func(f *pflag.FlagSet) {
		f.StringVarP(&file, "output", "o", "", "write the document to `FILE` (default: standard output)")
	})
	return c
}

// checkFactsFile refuses the -o FORMAT=FILE of other commands, which would
// write a file of that name.
func checkFactsFile(file string, inputs []string) error {
	format, _, _ := strings.Cut(file, "=")
	if slices.Contains(outputFormats(), format) {
		return fmt.Errorf("-o %s: collect writes the facts document and nothing else; say -o FILE (gpugate scan knows formats)", file)
	}
	if isStdout(file) {
		return nil
	}
	if err := checkFile(file, inputs); err != nil {
		return fmt.Errorf("-o %s: %w", file, err)
	}
	return nil
}
