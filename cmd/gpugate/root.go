package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// app is what commands need of the outside; tests replace it.
type app struct {
	stdout, stderr io.Writer
	now            func() time.Time
	// lang is what people are spoken to in.
	lang words.Language
}

// exitError ends the program with a code and no further words: the report has
// said it all.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "gpugate: %v\n", fault(p))
			code = evaluator.ExitUsage
		}
	}()
	a := &app{stdout: stdout, stderr: stderr, now: time.Now}
	lang, err := chosenLanguage(args, os.Getenv)
	if err != nil {
		fmt.Fprintf(stderr, "gpugate: --%s: %v\n", langFlag, err)
		return evaluator.ExitUsage
	}
	a.lang = lang
	root := a.rootCommand()
	a.wordHelp(root)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err = unknownCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	var exit *exitError
	switch {
	case err == nil:
		return evaluator.ExitPass
	case errors.As(err, &exit):
		return exit.code
	case ctx.Err() != nil:
		return interrupted(ctx, stderr)
	}
	fmt.Fprintf(stderr, "gpugate: %s\n", printable(a.tellLines(err.Error())))
	return evaluator.ExitUsage
}

// printable keeps what a file holds from moving the cursor of a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
			return '?'
		}
		return r
	}, s)
}

// fault is a panic, as an error with what is needed to find its cause.
func fault(p any) error {
	return fmt.Errorf("a fault of gpugate's own; please report it: %v\n%s", p, debug.Stack())
}

const rootLong = `gpugate answers one question with evidence: may this GPU server be registered
with a cluster scheduler, and may its model service be opened to users?

It gathers facts from NVML, Docker, systemd, Kubernetes, TI-ONE exports and the
launch manifest, judges them with Rego policies, and reports. It only reads.

Exit codes:
  0    every rule at or above --fail-on could be judged, and none is violated
  1    a rule at or above --fail-on is violated (policy test: a test fails;
       diff: something is worse; verify: the assessment does not hold)
  2    wrong usage, input that cannot be read, output that cannot be written
  3    no violation is proven, but evidence is missing for a rule at or above
       --fail-on (--allow-unknown lets it through, and the report says so)
  130  interrupted (143: terminated) before there was anything to report;
       no file was written`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "gpugate",
		Short:         "Compliance scanner for GPU servers",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionText(),
		Args:          cobra.ArbitraryArgs, // unknownCommand has looked at them
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return refuseEmpty(c) },
	}
	root.AddCommand(
		a.scanCommand(), a.collectCommand(), a.evaluateCommand(), a.reportCommand(), a.captureCommand(),
		a.initCommand(),
		a.planCommand(), a.triageCommand(),
		a.waiveCommand(), a.diffCommand(), a.verifyCommand(), a.explainCommand(),
		a.doctorCommand(), a.policyCommand(), a.versionCommand(), a.completionCommand(),
	)
	registerLanguage(root)
	help := a.helpCommand()
	root.AddCommand(help)
	root.SetHelpCommand(help)
	root.SetVersionTemplate("{{.Version}}")
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(a.writeUsage)
	return root
}

// refuseEmpty refuses flags that were given an empty value: --from "$DIR" with
// DIR unset would else read another host than the one that was meant.
func refuseEmpty(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = fmt.Errorf("--%s is empty; is a variable unset?", f.Name)
		}
	})
	return err
}
