package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
)

// factsFormat is the one output that is not a report: the document itself.
const factsFormat = "facts"

// outputs are the -o FORMAT[=FILE] flags, and those that say how.
type outputs struct {
	flags []string
	list  []output
	signing
	sarif sarifFlags
	// texts are files that are at hand already, by the name the assessment has
	// for them.
	texts map[string][]byte
}

type output struct{ format, file string }

func (o *outputs) register(f *pflag.FlagSet) {
	o.registerFormats(f)
	o.signing.register(f)
}

// registerFormats leaves signing out: what was judged elsewhere is not ours to
// sign.
func (o *outputs) registerFormats(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.flags, "output", "o", nil, "write in a format, to a file or else to standard output: `FORMAT[=FILE]`, where FORMAT is one of "+strings.Join(outputFormats(), ", ")+"; repeatable (default: text)")
	o.sarif.register(f)
}

func outputFormats() []string { return append(reports.Formats(), factsFormat) }

// parse checks the flags before any work is done. What is read must not be
// written over.
func (o *outputs) parse(inputs []string) error {
	flags := o.flags
	if len(flags) == 0 {
		flags = []string{"text"}
	}
	taken := ""
	inputs = append(inputs, o.signing.inputs()...)
	for _, f := range flags {
		format, file, hasFile := strings.Cut(f, "=")
		switch {
		case !slices.Contains(outputFormats(), format):
			return fmt.Errorf("-o %s: unknown format %q: want one of %s", f, format, strings.Join(outputFormats(), ", "))
		case hasFile && file == "":
			return fmt.Errorf("-o %s: the file name is missing", f)
		case isStdout(file) && taken != "":
			return fmt.Errorf("-o %s: standard output is already taken by %s; give one of them a file (-o %s=FILE)", f, taken, format)
		case isStdout(file):
			file, taken = "", format
		default:
			if err := checkFile(file, inputs); err != nil {
				return fmt.Errorf("-o %s: %w", f, err)
			}
		}
		if slices.ContainsFunc(o.list, func(other output) bool { return file != "" && sameFile(file, other.file) }) {
			return fmt.Errorf("-o %s: another output goes to the same file", f)
		}
		o.list = append(o.list, output{format, file})
	}
	if err := o.sarif.check(o); err != nil {
		return err
	}
	return o.check(o, inputs)
}

// has reports whether a format is written.
func (o *outputs) has(formats ...string) bool {
	return slices.ContainsFunc(o.list, func(out output) bool { return slices.Contains(formats, out.format) })
}

// factsFile is where the document is written to, if it is.
func (o *outputs) factsFile() string {
	for _, out := range o.list {
		if out.format == factsFormat {
			return out.file
		}
	}
	return ""
}

// english are the formats that programs read and that are compared byte by byte:
// they are the same in every language.
var english = []string{"json", "prometheus", factsFormat}

// write writes every output: one to standard output at most, and the files
// all together or not at all. The policies have the words of other languages.
func (a *app) write(ctx context.Context, o *outputs, d *facts.Document, assessment *evaluator.Assessment, policies *evaluator.PolicySet) error {
	options, err := o.options(assessment)
	if err != nil {
		return err
	}
	options.Language = a.lang
	told := a.lang.Assessment(policies, assessment)
	var all []content
	for _, out := range o.list {
		var b bytes.Buffer
		said := told
		if slices.Contains(english, out.format) {
			said = assessment
		}
		if err := a.render(&b, out, d, said, options); err != nil {
			return err
		}
		all = append(all, content{out.file, b.Bytes()})
	}
	all, err = o.sign(ctx, o, all, assessment)
	if err != nil {
		return err
	}
	return a.deliver(all)
}

func (a *app) render(w io.Writer, out output, d *facts.Document, assessment *evaluator.Assessment, o reports.Options) error {
	if out.format == factsFormat {
		return d.Write(w)
	}
	write, err := reports.ForFormat(out.format)
	if err != nil {
		return err
	}
	if out.file == "" {
		o.Width, o.Color = columns(a.stdout), colorful(a.stdout)
	}
	return write(w, assessment, o)
}
