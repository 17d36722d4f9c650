package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/reports"
)

// helpWidth is that of the help texts, in columns.
const helpWidth = 80

// sectionKey marks a flag with the heading it stands under.
const sectionKey = "section"

// section adds flags to a command under a heading of their own in its help.
func section(c *cobra.Command, title string, register ...func(*pflag.FlagSet)) {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	for _, r := range register {
		r(f)
	}
	f.VisitAll(func(flag *pflag.Flag) { flag.Annotations = map[string][]string{sectionKey: {title}} })
	c.Flags().SortFlags = false
	c.Flags().AddFlagSet(f)
}

// writeUsage writes how a command is called.
func (a *app) writeUsage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString(a.tell("Usage:") + "\n")
	for _, form := range forms(c) {
		fmt.Fprintf(&b, "  %s\n", form)
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\n%s\n%s\n", a.tell("Examples:"), c.Example)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s\n", a.tell("Commands:"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s  %s\n", c.NamePadding(), sub.Name(), sub.Short)
			}
		}
	} else {
		a.writeFlags(&b, c.Flags())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s\n", a.tell(fmt.Sprintf("Run '%s COMMAND --help' for more on a command.", c.CommandPath())))
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// forms are the ways to call a command; its Use line lists them between "|".
func forms(c *cobra.Command) []string {
	if c.HasAvailableSubCommands() {
		return []string{c.CommandPath() + " COMMAND"}
	}
	var lines []string
	for form := range strings.SplitSeq(c.Use, "|") {
		line := strings.TrimSpace(form)
		if c.HasParent() {
			line = c.Parent().CommandPath() + " " + line
		}
		if c.HasAvailableLocalFlags() {
			line += " [flags]"
		}
		lines = append(lines, line)
	}
	return lines
}

// writeFlags lists the flags under the headings of their sections.
func (a *app) writeFlags(w io.Writer, flags *pflag.FlagSet) {
	var titles []string
	sections := map[string][]*pflag.Flag{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		title := a.tell("Flags")
		if t := f.Annotations[sectionKey]; len(t) > 0 {
			title = t[0]
		}
		if sections[title] == nil {
			titles = append(titles, title)
		}
		sections[title] = append(sections[title], f)
	})
	for _, title := range titles {
		fmt.Fprintf(w, "\n%s:\n", title)
		for _, f := range sections[title] {
			a.writeFlag(w, f)
		}
	}
}

func (a *app) writeFlag(w io.Writer, f *pflag.Flag) {
	const indent = 26
	value, usage := pflag.UnquoteUsage(f)
	left := "      --" + f.Name
	if f.Shorthand != "" {
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	if value != "" {
		left += " " + value
	}
	if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" && f.DefValue != "0s" {
		usage = a.tell(usage + " (default " + f.DefValue + ")")
	}
	lines := reports.Wrap(usage, helpWidth-indent)
	if len(left) > indent-2 {
		fmt.Fprintln(w, left)
		left = ""
	}
	for _, line := range lines {
		fmt.Fprintf(w, "%-*s%s\n", indent, left, line)
		left = ""
	}
}

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Tell how a command is used",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			at, _, err := c.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range at.Commands() {
				names = append(names, sub.Name()+"\t"+sub.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := unknownCommand(c.Root(), args); err != nil {
				return err
			}
			about, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}
