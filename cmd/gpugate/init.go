package main

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/launch"
	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) initCommand() *cobra.Command {
	var (
		from  collecting
		file  string
		force bool
	)
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a first launch manifest from what is seen",
		Long: `Write a first launch.yaml from what is seen on this host, or in a capture: the
system, the GPUs, the services that hold them with image digests and arguments
(without secrets).

What a person must decide stands there as a comment marked "decide:". What was
not seen is left out; nothing is guessed. An existing file is kept.`,
		Example: `  gpugate init
  gpugate init --from capture/ -o launch.yaml && gpugate scan --from capture/ --launch launch.yaml`,
		Args: noArguments("to read a capture, say --from DIR; to write elsewhere, -o FILE"),
		RunE: func(c *cobra.Command, _ []string) error {
			if !isStdout(file) {
				if err := checkFile(file, from.inputs()); err != nil {
					return fmt.Errorf("-o %s: %w", file, err)
				}
				if _, err := os.Lstat(file); err == nil && !force {
					return fmt.Errorf("%s: %w; --force writes it anew, -o FILE writes elsewhere", file, fs.ErrExist)
				}
			}
			// The parties are those that the rules see.
			policies, err := evaluator.Load(c.Context(), nil, evaluator.Selection{Select: []string{"owner"}})
			if err != nil {
				return err
			}
			d, err := a.collect(c.Context(), &from)
			if err != nil {
				return err
			}
			assessment, err := policies.Evaluate(c.Context(), d, evaluator.Options{ToolVersion: version()})
			if err != nil {
				return err
			}
			text, err := launch.Draft(d, parties(assessment))
			if err != nil {
				return err
			}
			out := file
			if isStdout(file) {
				out = ""
			}
			if err := a.deliver([]content{{out, a.tellComments(text)}}); err != nil {
				return err
			}
			if out != "" {
				fmt.Fprintln(a.stderr, a.tell(fmt.Sprintf("wrote %s; %d places in it wait for a decision (grep decide: %s)", out, strings.Count(string(text), "decide: "), out)))
			}
			return nil
		},
	}
	section(c, "What to read", from.registerHost)
	section(c, "What to write", func(f *pflag.FlagSet) {
		f.StringVarP(&file, "output", "o", "launch.yaml", "write to `FILE`; - is standard output")
		f.BoolVar(&force, "force", false, "write over an existing file")
	})
	return c
}

// parties are the managers that claim any GPU, sorted.
func parties(a *evaluator.Assessment) []string {
	var all []string
	for _, g := range a.Ownership {
		for _, c := range g.Claims {
			if c.Manager != "" && !slices.Contains(all, c.Manager) {
				all = append(all, c.Manager)
			}
		}
	}
	slices.Sort(all)
	return all
}
