package tione

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// maxFileBytes bounds one file. A policy has some hundred bytes, a group of a
// thousand nodes a megabyte.
const maxFileBytes = 32 << 20

// input is one file: its text, why there is none, or both where a command
// printed something and then failed.
type input struct {
	file string
	text []byte
	err  *capture.Error
}

// reportTo records at the dotted path why the file gives nothing.
func (i input) reportTo(report *facts.Source, path string) {
	if i.err != nil {
		report.AddGap(i.err.Gap(path))
	}
}

// fromFile reads a file the user named.
func fromFile(file, ifNone string) input {
	if file == "" {
		return input{err: &capture.Error{Reason: facts.ReasonSkipped, Detail: ifNone}}
	}
	text, err := read(file)
	if err != nil {
		return input{file: file, err: &capture.Error{Name: file, Reason: reasonOf(err), Detail: err.Error()}}
	}
	return input{file: file, text: text}
}

func read(file string) (text []byte, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, explain(file, err)
	}
	// Opening a named pipe would wait for a writer that may never come.
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is not a regular file; save the export to one", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, explain(file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, explain(file, err)
	}
	if len(text) > maxFileBytes {
		return nil, fmt.Errorf("%s: it has more than the %d bytes that are read; is it the right file?", file, maxFileBytes)
	}
	return text, nil
}

// explain puts the file first and drops the name of the system call.
func explain(file string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

func reasonOf(err error) facts.Reason {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return facts.ReasonDenied
	case errors.Is(err, fs.ErrNotExist):
		return facts.ReasonAbsent
	}
	return facts.ReasonFailed
}

// fromCapture reads a file of a capture. The API's own words for a missing
// permission count as denied.
func fromCapture(dir *capture.Dir, name string) input {
	text, err := dir.Read(name)
	if err != nil && err.Reason == facts.ReasonFailed && isDenial(err.Detail) {
		denied := *err
		denied.Reason = facts.ReasonDenied
		err = &denied
	}
	return input{file: dir.Path(name), text: text, err: err}
}

// isDenial reports whether an error of Tencent Cloud's API, or a message that
// carries its code, says that a permission or a valid key is missing.
func isDenial(code string) bool {
	return strings.Contains(code, "AuthFailure") || strings.Contains(code, "UnauthorizedOperation")
}
