package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gpugate/gpugate/evaluator"
)

// app is what commands need of the outside; tests replace it.
type app struct {
	stdout, stderr io.Writer
	now            func() time.Time
}

// exitError ends the program with a code; without a message it says no more.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr, now: time.Now}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return evaluator.ExitPass
	}
	code := evaluator.ExitUsage
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
	}
	if message := err.Error(); message != "" {
		fmt.Fprintf(stderr, "gpugate: %s\n", message)
		if exit == nil && strings.Contains(message, "flag") {
			fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", command.CommandPath())
		}
	}
	return code
}

const rootLong = `gpugate answers one question with evidence: may this GPU server be registered
with a cluster scheduler, and may its model service be opened to users?

It gathers facts from NVML, Docker, systemd, Kubernetes, TI-ONE exports and the
launch manifest, judges them with Rego policies, and reports. It only reads.

Exit codes of scan and evaluate:
  0  every rule at or above --fail-on could be judged, and none is violated
  1  a rule at or above --fail-on is violated
  2  wrong usage, or input that cannot be read
  3  no violation is proven, but evidence is missing for a rule at or above
     --fail-on (--allow-unknown lets it through, and the report says so)`

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "gpugate",
		Short:         "Compliance scanner for GPU servers",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(
		a.scanCommand(), a.collectCommand(), a.evaluateCommand(), a.captureCommand(),
		a.doctorCommand(), a.policyCommand(), a.versionCommand(),
	)
	return root
}

// isTerminal reports whether a stream is a person's terminal.
func isTerminal(w io.Writer) (fd int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile {
		return 0, false
	}
	fd = int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// colorful follows the NO_COLOR convention.
func colorful(w io.Writer) bool {
	_, terminal := isTerminal(w)
	return terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// columns is the width of the terminal, 0 when it is none.
func columns(w io.Writer) int {
	if fd, ok := isTerminal(w); ok {
		if width, _, err := term.GetSize(fd); err == nil {
			return width
		}
	}
	return 0
}
