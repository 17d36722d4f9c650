package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports"
)

// factsFormat is the one output that is not a report: the document itself.
const factsFormat = "facts"

// outputs are the -o FORMAT[=FILE] flags.
type outputs struct {
	flags []string
	list  []output
}

type output struct{ format, file string }

func (o *outputs) register(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.flags, "output", "o", nil, "FORMAT[=FILE], repeatable; FORMAT is one of "+strings.Join(outputFormats(), ", ")+" (default text)")
}

func outputFormats() []string { return append(reports.Formats(), factsFormat) }

// parse checks the flags before any work is done.
func (o *outputs) parse() error {
	flags := o.flags
	if len(flags) == 0 {
		flags = []string{"text"}
	}
	toStdout := ""
	for _, f := range flags {
		format, file, hasFile := strings.Cut(f, "=")
		if !slices.Contains(outputFormats(), format) {
			return fmt.Errorf("-o %s: unknown format %q: want one of %s", f, format, strings.Join(outputFormats(), ", "))
		}
		if hasFile && file == "" {
			return fmt.Errorf("-o %s: the file name is missing", f)
		}
		if file == "-" {
			file = ""
		}
		if file == "" {
			if toStdout != "" {
				return fmt.Errorf("-o %s: standard output is already taken by %s; give one of them a file (-o %s=FILE)", f, toStdout, format)
			}
			toStdout = format
		}
		if slices.ContainsFunc(o.list, func(other output) bool { return file != "" && other.file == file }) {
			return fmt.Errorf("-o %s: two outputs go to %s", f, file)
		}
		o.list = append(o.list, output{format, file})
	}
	return nil
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

// write writes every output: machine formats to stdout alone, files whole or
// not at all.
func (a *app) write(o *outputs, d *facts.Document, assessment *evaluator.Assessment) error {
	for _, out := range o.list {
		var b bytes.Buffer
		if err := a.render(&b, out, d, assessment); err != nil {
			return err
		}
		if err := a.deliver(out.file, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) render(w io.Writer, out output, d *facts.Document, assessment *evaluator.Assessment) error {
	if out.format == factsFormat {
		return d.Write(w)
	}
	write, err := reports.ForFormat(out.format)
	if err != nil {
		return err
	}
	o := reports.Options{}
	if out.file == "" {
		o = reports.Options{Width: columns(a.stdout), Color: colorful(a.stdout)}
	}
	return write(w, assessment, o)
}

// deliver writes to a file, or to standard output when the name is empty.
func (a *app) deliver(file string, content []byte) error {
	if file == "" {
		if _, err := a.stdout.Write(content); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
		return nil
	}
	return writeWhole(file, content)
}

// writeWhole writes a file whole or not at all.
func writeWhole(file string, content []byte) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		// A device or a pipe cannot be replaced; it is written to.
		return writeDirectly(file, content)
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", file, err), os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(content); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func writeDirectly(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
