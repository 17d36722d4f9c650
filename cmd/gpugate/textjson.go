package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/reports"
)

// textOrJSON is the -o of commands whose answer is no assessment.
type textOrJSON struct{ format string }

func (t *textOrJSON) register(f *pflag.FlagSet) {
	f.StringVarP(&t.format, "output", "o", "text", "`FORMAT` of the answer: text or json")
}

func (t *textOrJSON) complete(c *cobra.Command) {
	complete(c, "output", completeWords([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

func (t *textOrJSON) check() error {
	if t.format != "text" && t.format != "json" {
		return fmt.Errorf("-o %s: unknown format; want text or json", t.format)
	}
	return nil
}

// answer writes the text, or the value as JSON.
func (a *app) answer(t *textOrJSON, value any, text func(io.Writer, reports.Options) error) error {
	var b bytes.Buffer
	if t.format == "json" {
		encoded, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return fmt.Errorf("encoding the answer: %w", err)
		}
		b.Write(append(encoded, '\n'))
	} else if err := text(&b, reports.Options{Width: columns(a.stdout), Color: colorful(a.stdout), Language: a.lang}); err != nil {
		return err
	}
	return a.deliver([]content{{text: b.Bytes()}})
}
