package main

import (
	"context"
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
which maps every row of the operations guide to what covers it. A page tells what a
rule demands and why, by which conditions and facts it is judged, what it may say,
with an example, and what to do.`,
		Example: "  gpugate policy docs docs/",
		Args:    oneArgument("the folder to write to"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{Everything: true})
			if err != nil {
				return err
			}
			return writePolicyDocs(c.Context(), args[0], p)
		},
	}
	registerPolicies(c.Flags(), &custom)
	return c
}

const generated = "<!-- Written by `gpugate policy docs`; change the METADATA of the rules instead. -->\n\n"

// writePolicyDocs writes the pages; what it does not write it leaves alone.
func writePolicyDocs(ctx context.Context, dir string, p *evaluator.PolicySet) error {
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
	examples, err := p.Examples(ctx)
	if err != nil {
		return err
	}
	for _, r := range p.Rules {
		page, err := newRulePage(p, r, requirements, examples[r.ID])
		if err != nil {
			return err
		}
		pages[filepath.Join("rules", r.ID+".md")] = page.String()
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

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
