package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/kubernetes"
	"github.com/gpugate/gpugate/collector/logs"
)

func (a *app) captureCommand() *cobra.Command {
	var (
		files       manifestFlags
		dockerHosts []string
		node        string
		timeout     time.Duration
		script      bool
		quiet       bool
		signals     bool
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
		Args: captureArguments(&script),
		RunE: func(c *cobra.Command, args []string) error {
			if timeout <= 0 {
				return fmt.Errorf("--timeout %s: want more than nothing, such as 20s", timeout)
			}
			for _, h := range dockerHosts {
				if err := checkDockerHost(h); err != nil {
					return err
				}
			}
			if script && signals {
				return usageError(c, "--script cannot read logs for signals: commands alone would copy them whole, with the prompts and credentials in them; leave --logs out")
			}
			if _, err := files.check(); err != nil {
				return err
			}
			plan := capture.NewPlan(capture.Options{
				DockerHosts: dockerHosts, Node: node, Timeout: timeout,
				Launch: files.launch, TIONEPolicy: files.tione, TIONEResourceGroup: files.tioneGroup,
			})
			if script {
				return a.deliver([]content{{text: []byte(plan.Script())}})
			}
			o := capture.WriteOptions{Now: a.now()}
			if signals {
				o.Then = a.signalsOf(timeout)
			}
			return a.writeCapture(c.Context(), args[0], plan, o, quiet)
		},
	}
	section(c, "What to capture", files.register, func(f *pflag.FlagSet) {
		f.StringArrayVar(&dockerHosts, "docker-host", nil, "ask the Docker daemon at `URL` beside those that are found; repeatable")
		f.StringVar(&node, "node", "", "only the pods of the Kubernetes node `NAME` (default: all pods)")
		f.BoolVar(&signals, "logs", false, "read the logs of GPU services and of the kernel too, for signals alone: no line is kept (not with --script)")
		f.DurationVar(&timeout, "timeout", capture.DefaultTimeout, "`TIME` that each command may take")
	})
	section(c, "How", func(f *pflag.FlagSet) {
		f.BoolVar(&script, "script", false, "print the shell script instead")
		f.BoolVarP(&quiet, "quiet", "q", false, "say nothing but what is wrong")
	})
	return c
}

// captureArguments wants the folder, or none with --script.
func captureArguments(script *bool) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case *script && len(args) > 0:
			return usageError(c, "--script prints the script to standard output; it takes no DIR (%s)", args[0])
		case *script:
			return nil
		}
		return oneArgument("the folder to write (or --script)")(c, args)
	}
}

// writeCapture writes the capture and says what became of it.
func (a *app) writeCapture(ctx context.Context, dir string, plan capture.Plan, o capture.WriteOptions, quiet bool) error {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("reading the host name: %w", err)
	}
	_, terminal := isTerminal(a.stderr)
	files, problems := 0, 0
	o.Hostname = host
	o.Progress = func(e capture.Event) {
		files++
		if e.Problem != "" {
			problems++
		}
		if terminal && !quiet {
			a.captureProgress(e)
		}
	}
	if err := capture.Write(ctx, dir, plan, o); err != nil {
		return err
	}
	if quiet {
		return nil
	}
	fmt.Fprintln(a.stderr, a.tellLines(fmt.Sprintf("wrote %s: %d parts, of which %d could not be read in full (the .err files say why)\njudge it with: gpugate scan --from %s", dir, files, problems, dir)))
	return nil
}

// signalsOf reads the logs that can tell of what a capture holds, and gives the
// file of their signals.
func (a *app) signalsOf(timeout time.Duration) func(context.Context, *capture.Dir) (map[string][]byte, error) {
	return func(ctx context.Context, dir *capture.Dir) (map[string][]byte, error) {
		c := collecting{from: dir.Path("")}
		d, err := c.fromCapture(ctx, collector.Options{Version: version(), Timeout: timeout, Then: func(d *facts.Document) []collector.Source {
			return []collector.Source{logs.Live(d, logs.Options{Pod: kubernetes.PodLogs(kubernetes.Options{})})}
		}}, nil)
		if err != nil {
			return nil, err
		}
		text, err := logs.SignalsOf(d)
		if err != nil {
			return nil, err
		}
		return map[string][]byte{logs.SignalsFile: text}, nil
	}
}

// captureProgress tells a person at a terminal of each file.
func (a *app) captureProgress(e capture.Event) {
	if e.Problem != "" {
		fmt.Fprintf(a.stderr, "! %s: %s\n", e.File, e.Problem)
		return
	}
	fmt.Fprintf(a.stderr, "✓ %s\n", e.File)
}
