package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/collector/capture"
)

func (a *app) captureCommand() *cobra.Command {
	var (
		files       manifestFlags
		dockerHosts []string
		node        string
		timeout     time.Duration
		script      bool
		quiet       bool
	)
	c := &cobra.Command{
		Use:   "capture DIR | capture --script",
		Short: "Write a capture of this host, or the shell script that writes one",
		Long: `Write a capture: a folder of what the ordinary read-only commands print, to be
read elsewhere with scan --from or collect --from. Secrets are removed.

With --script, print a plain POSIX shell script that writes the same folder with
the commands alone, for servers that may not run a new program.`,
		Example: `  gpugate capture capture/
  gpugate capture --script > capture.sh && ssh cvd-1 sh -s cvd-1-capture < capture.sh`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := files.check(); err != nil {
				return err
			}
			plan := capture.NewPlan(capture.Options{
				DockerHosts: dockerHosts, Node: node, Timeout: timeout,
				Launch: files.launch, TIONEPolicy: files.tione, TIONEResourceGroup: files.tioneGroup,
			})
			if script {
				if len(args) > 0 {
					return errors.New("--script prints the script to standard output; it takes no DIR")
				}
				return a.deliver("", []byte(plan.Script()))
			}
			if len(args) == 0 {
				return errors.New("name the folder to write: gpugate capture DIR (or --script)")
			}
			host, err := os.Hostname()
			if err != nil {
				return fmt.Errorf("reading the host name: %w", err)
			}
			o := capture.WriteOptions{Now: a.now(), Hostname: host}
			if _, terminal := isTerminal(a.stderr); terminal && !quiet {
				o.Progress = a.captureProgress
			}
			if err := capture.Write(c.Context(), args[0], plan, o); err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "wrote the capture to %s; judge it with: gpugate scan --from %s\n", args[0], args[0])
			return nil
		},
	}
	f := c.Flags()
	files.register(f)
	f.BoolVar(&script, "script", false, "print the shell script instead")
	f.StringArrayVar(&dockerHosts, "docker-host", nil, "a Docker daemon beside those that are found, repeatable")
	f.StringVar(&node, "node", "", "capture only this Kubernetes node's pods (default: all pods)")
	f.DurationVar(&timeout, "timeout", capture.DefaultTimeout, "deadline of each command")
	f.BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return c
}

// captureProgress tells a person at a terminal of each file.
func (a *app) captureProgress(e capture.Event) {
	if e.Problem != "" {
		fmt.Fprintf(a.stderr, "! %s: %s\n", e.File, e.Problem)
		return
	}
	fmt.Fprintf(a.stderr, "✓ %s\n", e.File)
}
