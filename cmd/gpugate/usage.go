package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrongUsageError is a command line that cannot be meant. It says what is wrong,
// what was probably meant, and where the help is.
type wrongUsageError struct {
	command string
	err     error
}

func (w *wrongUsageError) Error() string {
	return fmt.Sprintf("%v\nRun '%s --help' for usage.", w.err, w.command)
}

func (w *wrongUsageError) Unwrap() error { return w.err }

func usageError(c *cobra.Command, format string, args ...any) error {
	return &wrongUsageError{c.CommandPath(), fmt.Errorf(format, args...)}
}

// noArguments refuses arguments; hint says how what they may have meant is
// really said.
func noArguments(hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if hint != "" {
			hint = "; " + hint
		}
		return usageError(c, "%s takes no argument, but was given %q%s", c.CommandPath(), args[0], hint)
	}
}

// oneArgument wants exactly one; what names it for people.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usageError(c, "%s needs %s", c.CommandPath(), what)
		case len(args) > 1:
			return usageError(c, "%s takes one argument, %s, but was given %d: %s", c.CommandPath(), what, len(args), strings.Join(args, " "))
		}
		return nil
	}
}

// unknownCommand finds a mistyped command before its flags are taken for those
// of the command above it.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil // a shell asks for completions
	}
	c, rest, err := root.Find(args)
	if err != nil || !c.HasSubCommands() {
		return err
	}
	if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	hint := ""
	if near := c.SuggestionsFor(rest[0]); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", c.CommandPath()+" "+near[0])
	}
	return usageError(c, "unknown command %q%s", c.CommandPath()+" "+rest[0], hint)
}

// flagError puts what pflag has to say into the words of this program.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var noValue *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &invalid):
		return usageError(c, "--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &noValue):
		return usageError(c, "--%s needs a value: %s", noValue.GetFlag().Name, strings.ReplaceAll(noValue.GetFlag().Usage, "`", ""))
	}
	return usageError(c, "%w", err)
}

func unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	given, word := "--"+e.GetSpecifiedName(), e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" {
		given, word = "-"+short, short // -from instead of --from
	}
	if near := nearestFlag(c, word); near != "" {
		return usageError(c, "unknown flag %s (did you mean --%s?)", given, near)
	}
	if owners := commandsWith(c, word); len(owners) > 0 {
		return usageError(c, "unknown flag %s; it belongs to %s and is written after the command's name", given, strings.Join(owners, ", "))
	}
	return usageError(c, "unknown flag %s", given)
}

// nearestFlag is the command's flag closest to a mistyped one.
func nearestFlag(c *cobra.Command, word string) string {
	best, distance := "", len(word)/2+1
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.ComputeDistance(word, f.Name); d < distance && !f.Hidden {
			best, distance = f.Name, d
		}
	})
	return best
}

// commandsWith lists the commands below c that have a flag.
func commandsWith(c *cobra.Command, flag string) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.Flags().Lookup(flag) != nil {
			names = append(names, sub.CommandPath())
		}
		names = append(names, commandsWith(sub, flag)...)
	}
	return names
}
