package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpugate/gpugate/evaluator"
)

// Every rule has a page that tells all there is to tell, with links that lead
// somewhere.
func TestRulePages(t *testing.T) {
	p, err := evaluator.Load(t.Context(), nil, evaluator.Selection{Everything: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writePolicyDocs(t.Context(), dir, p); err != nil {
		t.Fatal(err)
	}
	reference, err := os.ReadFile(filepath.Join("..", "..", "docs", "facts.md"))
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (\S+)$`).FindAllStringSubmatch(string(reference), -1) {
		anchors[strings.ToLower(m[1])] = true
	}
	for _, r := range p.Rules {
		t.Run(r.ID, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "rules", r.ID+".md"))
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			for _, part := range []string{"# " + r.ID + ": " + r.Title, "## Why", "## How it is judged", "### An example", "## Facts", "## What to do", "## Messages"} {
				if !strings.Contains(page, part+"\n") {
					t.Errorf("the page lacks %q", part)
				}
			}
			for key, message := range r.Messages {
				if strings.Count(page, cell(message)) < 2 && !strings.Contains(message, "|") {
					t.Errorf("the page does not tell when it says %q", key)
				}
			}
			for _, m := range regexp.MustCompile(`\.\./facts\.md#(\w+)`).FindAllStringSubmatch(page, -1) {
				if !anchors[m[1]] {
					t.Errorf("docs/facts.md has no %q", m[1])
				}
			}
			_, example, _ := strings.Cut(page, "### An example\n")
			if strings.ContainsAny(strings.SplitN(example, "\n## ", 2)[0], "{}") {
				t.Errorf("the example is not filled in: %s", example)
			}
		})
	}
}
