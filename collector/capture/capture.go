// Package capture reads and writes captures: folders of what the ordinary
// read-only commands print. A capture serves as fixture, as the way to scan a
// server that may not run a new program, and as support material.
package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
)

// SchemaVersion names the layout of a capture.
const SchemaVersion = "gpugate.capture/v1"

// maxFileBytes bounds one file of a capture: the largest honest one, the
// inspection of a thousand containers, is far below.
const maxFileBytes = 256 << 20

// Meta is capture.json.
type Meta struct {
	SchemaVersion string    `json:"schemaVersion"`
	CapturedAt    time.Time `json:"capturedAt"`
	Hostname      string    `json:"hostname"`
}

// Dir is a capture opened for reading.
type Dir struct {
	root string
	// files is the folder and nothing outside it: a symbolic link that leads
	// out is an error, since a capture may come from anywhere.
	files *os.Root
	Meta  Meta
}

// Open opens the capture in a folder and reads its capture.json.
func Open(root string) (*Dir, error) {
	files, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("opening the capture: %w", err)
	}
	d := &Dir{root: root, files: files}
	if err := d.readMeta(); err != nil {
		return nil, errors.Join(err, files.Close())
	}
	return d, nil
}

// Close lets go of the folder. A Dir that is not closed lets go when it is no
// longer used.
func (d *Dir) Close() error { return d.files.Close() }

func (d *Dir) readMeta() error {
	root := d.root
	text, err := d.read("capture.json", maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not a capture: it has no capture.json (write one with gpugate capture)", root)
	}
	if err != nil {
		return fmt.Errorf("opening the capture: %s: %w", path.Join(root, "capture.json"), err)
	}
	name := path.Join(root, "capture.json")
	if _, err := facts.LocateJSON(name, text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &d.Meta); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if d.Meta.SchemaVersion != SchemaVersion {
		return fmt.Errorf("%s: this program reads %q, the capture is %q", name, SchemaVersion, d.Meta.SchemaVersion)
	}
	if d.Meta.CapturedAt.IsZero() {
		return fmt.Errorf("%s: capturedAt is missing; without it nothing can be dated", name)
	}
	return nil
}

// Path is where a file of the capture stands, for messages.
func (d *Dir) Path(name string) string { return path.Join(d.root, name) }

// Error says why a file of the capture gives no facts.
type Error struct {
	// Name is the file within the capture.
	Name   string
	Reason facts.Reason
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// Gap records the error as a gap at the dotted path.
func (e *Error) Gap(at string) facts.Gap {
	return facts.Gap{Path: at, Reason: e.Reason, Detail: e.Detail}
}

// Malformed is the error of a file whose content cannot be used. The cause
// should name line and column.
func (d *Dir) Malformed(name string, cause error) *Error {
	detail := cause.Error()
	if !strings.Contains(detail, d.Path(name)) {
		detail = d.Path(name) + ": " + detail
	}
	return &Error{Name: name, Reason: facts.ReasonFailed, Detail: detail}
}

// Read returns a file of the capture. Where the command that should have
// written it failed, its words in NAME.err decide the reason; both may exist,
// when a command printed something and then failed: then text and error are
// both returned. A file that is simply not there is skipped.
func (d *Dir) Read(name string) ([]byte, *Error) {
	words, errErr := d.read(name+".err", maxWords)
	text, err := d.read(name, maxFileBytes)
	switch {
	case errErr != nil && !errors.Is(errErr, fs.ErrNotExist):
		// Whether the command failed cannot be told, so it may have.
		return text, &Error{Name: name, Reason: reasonOf(errErr), Detail: fmt.Sprintf("%s: %v", d.Path(name+".err"), errErr)}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Name: name, Reason: reasonOf(err), Detail: fmt.Sprintf("%s: %v", d.Path(name), err)}
	case errErr == nil && (err != nil || strings.TrimSpace(string(words)) != ""):
		said := strings.TrimSpace(string(words))
		return text, &Error{Name: name, Reason: Classify(said), Detail: fmt.Sprintf("%s: %s", d.Path(name+".err"), firstLine(said))}
	case err != nil:
		return nil, &Error{Name: name, Reason: facts.ReasonSkipped, Detail: fmt.Sprintf("the capture has no %s", name)}
	}
	return text, nil
}

// List returns the names of the entries of a folder of the capture, sorted and
// without ".err" suffixes; nothing when the folder is not there.
func (d *Dir) List(folder string) ([]string, *Error) {
	entries, err := fs.ReadDir(d.files.FS(), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Name: folder, Reason: facts.ReasonSkipped, Detail: fmt.Sprintf("the capture has no %s/", folder)}
	}
	if err != nil {
		return nil, &Error{Name: folder, Reason: reasonOf(err), Detail: fmt.Sprintf("%s: %v", d.Path(folder), bare(err))}
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".err"))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// maxWords bounds what a command may have said when it failed.
const maxWords = 1 << 20

func (d *Dir) read(name string, limit int64) (text []byte, err error) {
	info, err := d.files.Stat(name)
	if err != nil {
		return nil, bare(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a regular file (%s)", info.Mode().Type())
	}
	tooLarge := fmt.Errorf("it has more than the %d bytes that are read", limit)
	if info.Size() > limit {
		return nil, tooLarge
	}
	f, err := d.files.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, bare(err)
	}
	if int64(len(text)) > limit {
		return nil, tooLarge
	}
	return text, nil
}

// bare is what the system said, without the path, which the caller names.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func reasonOf(err error) facts.Reason {
	if errors.Is(err, fs.ErrPermission) {
		return facts.ReasonDenied
	}
	return facts.ReasonFailed
}

func firstLine(s string) string {
	if s == "" {
		return "the command failed and said nothing"
	}
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}
