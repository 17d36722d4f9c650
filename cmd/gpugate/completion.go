package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for bash, zsh or fish",
		Long: `Print the script that teaches a shell to complete gpugate's commands, flags, rules
and formats.`,
		Example: `  source <(gpugate completion bash)
  gpugate completion bash > /etc/bash_completion.d/gpugate
  gpugate completion zsh > "${fpath[1]}/_gpugate"
  gpugate completion fish > ~/.config/fish/completions/gpugate.fish`,
		ValidArgs: shells,
		Args:      oneArgument("a shell: " + strings.Join(shells, ", ")),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			}
			return usageError(c, "unknown shell %q: want one of %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// completeRules offers the rules, and with topics their topics too.
func completeRules(topics bool) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		p, err := evaluator.Load(c.Context(), nil, evaluator.Selection{})
		if err != nil || !topics && len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		seen := map[string]bool{}
		for _, r := range p.Rules {
			names = append(names, r.ID+"\t"+r.Title)
			if topics && !seen[r.Topic] {
				names, seen[r.Topic] = append(names, r.Topic+"\tall rules of this topic"), true
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWords offers a fixed choice.
func completeWords(words []string, d cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return words, d }
}

// complete says what a flag of the command may hold. It panics where the
// command has no such flag, which any test of the command shows.
func complete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
