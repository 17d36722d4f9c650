package main

import (
	"fmt"
	"os"
	"os/user"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) doctorCommand() *cobra.Command {
	var from collecting
	var custom []string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what can be read here, and what would help where it cannot",
		Long: `Read every source as the present user and tell, for each, how far it got, what is
missing and why, which right or flag would help, and which rules stay unknown
without it. Exit code: 0 when no rule is left unknown for want of evidence, 3
otherwise. It only reads, as everything does.`,
		Example: `  gpugate doctor
  sudo gpugate doctor --launch launch.yaml --kubeconfig gpugate.kubeconfig
  gpugate doctor --from capture/`,
		Args: noArguments("to read a capture, say --from DIR"),
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := from.check(); err != nil {
				return err
			}
			policies, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
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
			x := diagnose(d, assessment, from.viewer())
			if err := a.deliver([]content{{text: x.text(a)}}); err != nil {
				return err
			}
			if len(x.unknown) > 0 {
				return &exitError{evaluator.ExitUnknown}
			}
			return nil
		},
	}
	section(c, "What to read", from.register)
	section(c, "How to judge", func(f *pflag.FlagSet) { registerPolicies(f, &custom) })
	return c
}

// viewer is who looks, and how.
func (c *collecting) viewer() viewer {
	v := viewer{capture: c.from, root: os.Geteuid() == 0, user: fmt.Sprintf("uid %d", os.Geteuid()), timeout: c.timeout}
	if u, err := user.Current(); err == nil {
		v.user = u.Username
	}
	return v
}
