package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// content is what goes to a file, or to standard output where it has no name.
type content struct {
	file string
	text []byte
}

func isStdout(file string) bool { return file == "" || file == "-" || file == "/dev/stdout" }

// deliver writes everything. Files come first, all together or not at all, so
// that a reader of standard output that goes away takes no file with it.
func (a *app) deliver(all []content) error {
	var files []content
	for _, c := range all {
		if !isStdout(c.file) {
			files = append(files, c)
		}
	}
	if err := writeFiles(files); err != nil {
		return err
	}
	for _, c := range all {
		if isStdout(c.file) {
			if _, err := a.stdout.Write(c.text); errors.Is(err, errClosed) {
				return err
			} else if err != nil {
				return fmt.Errorf("writing to standard output: %w", cause(err))
			}
		}
	}
	return nil
}

// writeFiles puts all contents beside their files first and moves them into
// place when every one is whole.
func writeFiles(files []content) (err error) {
	var waiting []*placing
	defer func() {
		for _, p := range waiting {
			err = errors.Join(err, p.drop())
		}
	}()
	for _, c := range files {
		p, err := place(c)
		if err != nil {
			return fmt.Errorf("writing %s: %w", c.file, cause(err))
		}
		waiting = append(waiting, p)
	}
	for i, p := range waiting {
		if err := p.commit(); err != nil {
			return fmt.Errorf("writing %s: %w", files[i].file, cause(err)) //nolint:gosec // one waits for each file
		}
	}
	return nil
}

// placing is a file that is whole but not yet in its place.
type placing struct {
	content
	target string
	// temporary is empty where the target is a device or a pipe, which cannot
	// be replaced and is written to; and when all is done.
	temporary string
}

func place(c content) (_ *placing, err error) {
	p := &placing{content: c, target: c.file}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(c.file); err == nil {
		if !info.Mode().IsRegular() {
			return p, nil
		}
		mode = info.Mode().Perm()
		// A link stays one; what it leads to is replaced.
		if p.target, err = filepath.EvalSymlinks(c.file); err != nil {
			return nil, err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(p.target), "."+filepath.Base(p.target)+".*")
	if err != nil {
		return nil, err
	}
	p.temporary = f.Name()
	_, err = f.Write(c.text)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return nil, errors.Join(err, p.drop())
	}
	return p, nil
}

func (p *placing) commit() error {
	if p.temporary == "" {
		return writeInto(p.target, p.text)
	}
	if err := os.Rename(p.temporary, p.target); err != nil {
		return err
	}
	p.temporary = ""
	return nil
}

func (p *placing) drop() error {
	if p.temporary == "" {
		return nil
	}
	return os.Remove(p.temporary)
}

func writeInto(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// checkFile tells before any work is done whether a file can be written, and
// that it is none of those that are read.
func checkFile(file string, inputs []string) error {
	if slices.ContainsFunc(inputs, func(in string) bool { return in != "" && sameFile(file, in) }) {
		return errors.New("this file is read, and would be written over")
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", file)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil
	}
	dir := filepath.Dir(file)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist", dir)
	case err != nil:
		return fmt.Errorf("the folder %s: %w", dir, cause(err))
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	}
	const writable = 2 // W_OK
	if err := syscall.Access(dir, writable); err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return nil
}

// sameFile reports whether two names are of one file, which need not exist.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// cause drops from a file error the temporary name, which is nobody's concern.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
