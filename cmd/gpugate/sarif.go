package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/redact"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
	"github.com/gpugate/gpugate/reports/checkout"
)

// sarifFlags say what a code-scanning view is to be told.
type sarifFlags struct {
	profile, category, anchor string
	set                       *pflag.FlagSet
}

func (s *sarifFlags) register(f *pflag.FlagSet) {
	f.StringVar(&s.profile, "sarif-profile", string(reports.SARIFGitHub), "whom the SARIF is for: `PROFILE` github (open violations and unknowns), azdo (waived ones too, marked) or full (everything, passes too)")
	f.StringVar(&s.category, "sarif-category", "", "`NAME` of the category that the SARIF replaces the results of; none leaves it to whoever uploads the file (default gpugate/HOST/)")
	f.StringVar(&s.anchor, "sarif-anchor", "", "`FILE` of the checkout, such as a list of hosts, that findings point at which stand in no file there; also for codequality")
	s.set = f
}

// check refuses what cannot be meant, and flags that would have no effect.
func (s *sarifFlags) check(o *outputs) error {
	for _, name := range []string{"sarif-profile", "sarif-category", "sarif-anchor"} {
		formats := []string{"sarif"}
		if name == "sarif-anchor" {
			formats = append(formats, "codequality")
		}
		if s.set.Changed(name) && !o.has(formats...) {
			return fmt.Errorf("--%s has no effect without -o %s", name, strings.Join(formats, " or -o "))
		}
	}
	if !slices.Contains(reports.SARIFProfiles(), reports.SARIFProfile(s.profile)) {
		return fmt.Errorf("--sarif-profile %s: want github, azdo or full", s.profile)
	}
	if s.anchor == "" {
		return nil
	}
	if err := checkReadable(s.anchor); err != nil {
		return fmt.Errorf("--sarif-anchor: %w", err)
	}
	if slices.ContainsFunc(o.list, func(out output) bool { return out.file != "" && sameFile(out.file, s.anchor) }) {
		return fmt.Errorf("--sarif-anchor %s: this file is read, and would be written over", s.anchor)
	}
	here, err := checkout.Find(".")
	if err != nil {
		return err
	}
	if _, ok := here.Relative(s.anchor); !ok {
		return fmt.Errorf("--sarif-anchor %s: the file lies outside of %s, and a code-scanning view shows only files of the checkout", s.anchor, here.Root)
	}
	return nil
}

func completeSARIF(c *cobra.Command) {
	var profiles []string
	for _, p := range reports.SARIFProfiles() {
		profiles = append(profiles, string(p))
	}
	complete(c, "sarif-profile", completeWords(profiles, cobra.ShellCompDirectiveNoFileComp))
	complete(c, "sarif-category", completeWords([]string{reports.NoCategory}, cobra.ShellCompDirectiveNoFileComp))
}

// options are those of the reports on an assessment.
func (o *outputs) options(a *evaluator.Assessment) (reports.Options, error) {
	if !o.has("sarif", "codequality") {
		return reports.Options{}, nil
	}
	here, err := checkout.Find(".")
	if err != nil {
		return reports.Options{}, err
	}
	files := shownFiles{texts: o.texts, digests: map[string]string{}, facts: a.Facts}
	for _, f := range a.Facts.Files {
		files.digests[f.File] = f.SHA256
	}
	if a.Waivers != nil {
		files.digests[a.Waivers.File] = a.Waivers.SHA256
	}
	return reports.Options{
		Checkout: here, Text: files.text, Anchor: o.sarif.anchor,
		SARIF: reports.SARIFOptions{
			Profile: reports.SARIFProfile(o.sarif.profile), Category: o.sarif.category, Pipeline: reports.AzurePipelineFrom(os.Getenv),
		},
	}, nil
}

// shownFiles reads the files that reports show lines of.
type shownFiles struct {
	// texts are at hand already; digests are those of files when they were
	// judged.
	texts   map[string][]byte
	digests map[string]string
	facts   evaluator.FactsDigest
}

// text is nil for what is not at hand, or cannot be told to be what was judged.
func (s *shownFiles) text(file string) *reports.Text {
	if text, ok := evaluator.PolicyText(file); ok {
		return shown(text)
	}
	text, ok := s.texts[file]
	if !ok {
		if err := checkReadable(file); err != nil {
			return nil
		}
		var err error
		if text, err = readFile(file); err != nil {
			return nil
		}
	}
	sum := sha256.Sum256(text)
	digest := hex.EncodeToString(sum[:])
	judged, known := s.digests[file]
	if !ok && !known && file == s.facts.File && digest != s.facts.SHA256 {
		return nil
	}
	t := shown(string(text))
	t.SHA256, t.Changed = digest, known && judged != digest
	return t
}

// shown is a text without its secrets.
func shown(text string) *reports.Text {
	lines, found := redact.Lines(text)
	t := &reports.Text{Lines: lines}
	if found {
		t.Mark = redact.Mark
	}
	return t
}

var errNoFacts = errors.New("-o facts: an assessment does not hold the facts; gpugate collect gives them")
