package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpugate/gpugate/evaluator"
)

func (a *app) policyDocsCommand() *cobra.Command {
	var custom []string
	c := &cobra.Command{
		Use:   "docs DIR",
		Short: "Write one page a rule, and which requirements the rules cover",
		Long: `Write one Markdown page a rule to DIR/rules, an index of them, and DIR/coverage.md,
which maps every row of the operations guide to what covers it.`,
		Example: "  gpugate policy docs docs/",
		Args:    oneArgument("the folder to write to"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			return writePolicyDocs(args[0], p)
		},
	}
	registerPolicies(c.Flags(), &custom)
	return c
}

const generated = "<!-- Written by `gpugate policy docs`; change the METADATA of the rules instead. -->\n\n"

// writePolicyDocs writes the pages; what it does not write it leaves alone.
func writePolicyDocs(dir string, p *evaluator.PolicySet) error {
	requirements, err := rows()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "rules"), 0o755); err != nil {
		return fmt.Errorf("writing the rules' pages: %w", err)
	}
	pages := map[string]string{
		filepath.Join("rules", "README.md"): ruleIndexPage(p.Rules),
		"coverage.md":                       coveragePage(requirements, p.Rules),
	}
	for _, r := range p.Rules {
		pages[filepath.Join("rules", r.ID+".md")] = rulePage(r)
	}
	var files []content
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		files = append(files, content{filepath.Join(dir, name), []byte(pages[name])})
	}
	return writeFiles(files)
}

func ruleIndexPage(rules []*evaluator.Rule) string {
	var b strings.Builder
	b.WriteString(generated + "# Rules\n\n| rule | topic | severity | what | rows |\n|---|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s | %s |\n", r.ID, r.ID, r.Topic, r.Severity, cell(r.Title), strings.Join(r.Covers, " "))
	}
	return b.String()
}

func rulePage(r *evaluator.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s: %s\n\n%s\n\n", generated, r.ID, r.Title, r.Description)
	fmt.Fprintf(&b, "| | |\n|---|---|\n| topic | %s |\n| severity | %s |\n", r.Topic, r.Severity)
	if r.SecuritySeverity != "" {
		fmt.Fprintf(&b, "| security severity | %s |\n", r.SecuritySeverity)
	}
	fmt.Fprintf(&b, "| judged from | %s |\n| rows | %s |\n| written in | [%s](../../%s) |\n", code(r.Requires), strings.Join(r.Covers, ", "), r.File, r.File)
	b.WriteString("\n## What it says\n\n")
	for _, key := range slices.Sorted(maps.Keys(r.Messages)) {
		fmt.Fprintf(&b, "- **%s**: %s\n", key, r.Messages[key])
	}
	fmt.Fprintf(&b, "\n## What to do\n\n%s\n", r.Remediation)
	b.WriteString("\n## Verdicts\n\nA violation counts once proven, even where other facts are missing. Otherwise the verdict is\n**unknown** as long as any of the facts above could not be read: missing evidence is never a pass.\n")
	if len(r.References) > 0 {
		b.WriteString("\n## More\n\n")
		for _, ref := range r.References {
			fmt.Fprintf(&b, "- <%s>\n", ref)
		}
	}
	return b.String()
}

// coveragePage maps every row to what covers it and lists what is still open.
func coveragePage(requirements []row, rules []*evaluator.Rule) string {
	var b strings.Builder
	var open []string
	b.WriteString(generated + "# Which requirement is covered by what\n\nThe rows are those of the operations guide.\n\n| row | requirement | covered by |\n|---|---|---|\n")
	for _, row := range requirements {
		var by []string
		for _, r := range rules {
			if slices.Contains(r.Covers, row.ID) {
				by = append(by, fmt.Sprintf("[%s](rules/%s.md)", r.ID, r.ID))
			}
		}
		for _, other := range []string{row.By, row.Also} {
			if other != "" {
				by = append(by, other)
			}
		}
		if len(by) == 0 || len(by) == 1 && row.Also != "" {
			open = append(open, row.ID)
			by = append(by, "**open**")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", row.ID, cell(row.Requirement), strings.Join(by, ", "))
	}
	if len(open) > 0 {
		fmt.Fprintf(&b, "\nStill open: %d of %d rows (%s).\n", len(open), len(requirements), strings.Join(open, ", "))
	}
	return b.String()
}

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
