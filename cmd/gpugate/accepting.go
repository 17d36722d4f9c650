package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/waivers"
)

// accepting are the flags that let known things through the gate. They are
// never read from a place that nobody named.
type accepting struct {
	waivers   string
	baseline  string
	failOnNew bool
}

func (x *accepting) register(f *pflag.FlagSet) {
	f.StringVar(&x.waivers, "waivers", "", "violations that people accept for a while: `FILE`, such as waivers.yaml (gpugate waive adds to it; docs/waivers.md)")
	f.StringVar(&x.baseline, "baseline", "", "mark what is new since the assessment in `FILE` (written with -o json=FILE)")
	f.BoolVar(&x.failOnNew, "fail-on-new", false, "let through the gate what the baseline holds already")
}

func (x *accepting) inputs() []string { return []string{x.waivers, x.baseline} }

// read reads what the flags name before any work is done.
func (x *accepting) read() (*evaluator.WaiverSet, *evaluator.Baseline, error) {
	if x.failOnNew && x.baseline == "" {
		return nil, nil, errors.New("--fail-on-new: give the --baseline that tells what is not new")
	}
	var set *evaluator.WaiverSet
	var baseline *evaluator.Baseline
	var err error
	if x.waivers != "" {
		if set, err = waivers.Read(x.waivers); err != nil {
			return nil, nil, fmt.Errorf("--waivers: %w", err)
		}
	}
	if x.baseline != "" {
		if baseline, err = readBaseline(x.baseline); err != nil {
			return nil, nil, fmt.Errorf("--baseline: %w", err)
		}
	}
	return set, baseline, nil
}

func readBaseline(file string) (*evaluator.Baseline, error) {
	assessment, text, err := readAssessment(file)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &evaluator.Baseline{File: file, SHA256: hex.EncodeToString(sum[:]), Assessment: assessment}, nil
}

// readAssessment reads an assessment strictly and returns its text too.
func readAssessment(file string) (*evaluator.Assessment, []byte, error) {
	if err := checkReadable(file); err != nil {
		return nil, nil, fmt.Errorf("reading the assessment: %w", err)
	}
	text, err := readFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the assessment: %w", err)
	}
	assessment, err := evaluator.DecodeAssessment(file, text)
	return assessment, text, err
}
