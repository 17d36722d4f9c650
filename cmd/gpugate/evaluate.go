package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
)

func (a *app) evaluateCommand() *cobra.Command {
	var (
		j      judging
		files  manifestFlags
		saved  sampleFlags
		from   string
		maxAge time.Duration
	)
	c := &cobra.Command{
		Use:   "evaluate --facts FILE",
		Short: "Judge a facts document that was collected earlier",
		Long: `Judge a facts document that was collected earlier, on the server itself or from a
capture. In CI, the repository's own launch manifest and TI-ONE policy replace
those sections of the document. Findings then point at the lines of these files.`,
		Example: `  gpugate evaluate --facts host.json --launch launch.yaml -o sarif=gpugate.sarif
  ssh cvd-1 gpugate collect | gpugate evaluate --facts - --launch launch.yaml`,
		Args: noArguments("the facts document is named with --facts FILE"),
		RunE: func(c *cobra.Command, _ []string) error {
			if from == "" {
				return usageError(c, "the facts are missing: give --facts FILE, or --facts - for standard input")
			}
			if c.Flags().Changed("max-age") && maxAge <= 0 {
				return fmt.Errorf("--max-age %s: want more than nothing, such as 24h", maxAge)
			}
			ready, err := j.prepare(c.Context(), append(append(files.inputs(), saved.samples...), from)...)
			if err != nil {
				return err
			}
			d, places, text, err := readFacts(from, c.InOrStdin())
			if err != nil {
				return err
			}
			if err := files.replace(c.Context(), d); err != nil {
				return err
			}
			if err := saved.replace(c.Context(), d); err != nil {
				return err
			}
			if maxAge > 0 {
				d.Age(a.now(), maxAge)
				ready.options.MaxAge = maxAge
			}
			if from != "-" && places != nil {
				ready.options.FactsFile, ready.options.FactsPlaces = from, places
				j.texts = map[string][]byte{from: text}
			}
			return a.finish(c.Context(), ready, d)
		},
	}
	section(c, "What to read", func(f *pflag.FlagSet) {
		f.StringVar(&from, "facts", "", "facts document `FILE`, as gpugate collect writes it; - is standard input")
		f.DurationVar(&maxAge, "max-age", 0, "facts older than `TIME`, such as 24h, no longer count as evidence (default: any age)")
	}, files.register, saved.register)
	j.sections(c)
	return c
}

// readFacts reads a document strictly. The places are nil where the file's own
// order is not the canonical one, so that a pointer would miss its value; so is the
// text.
func readFacts(from string, stdin io.Reader) (_ *facts.Document, _ *facts.Places, text []byte, err error) {
	name := from
	if from == "-" {
		name = "standard input"
		text, err = readBounded(stdin)
	} else {
		text, err = readFile(from)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading the facts: %w", err)
	}
	d, places, err := facts.Decode(name, text)
	if err != nil {
		return nil, nil, nil, err
	}
	before, err := json.Marshal(d)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading the facts: %w", err)
	}
	d.Normalize()
	if after, err := json.Marshal(d); err != nil || !bytes.Equal(before, after) {
		return d, nil, nil, err
	}
	return d, places, text, nil
}

// maxFactsBytes bounds a facts document; that of a server with a thousand
// containers is far below.
const maxFactsBytes = 128 << 20

func readFile(file string) (text []byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = readBounded(f)
	return text, err
}

// readBounded reads to the end, which not every input has.
func readBounded(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFactsBytes+1))
	if err == nil && len(text) > maxFactsBytes {
		return nil, fmt.Errorf("it is larger than %d MiB, which no facts document is", maxFactsBytes>>20)
	}
	return text, err
}
