package launch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gpugate/gpugate/collector/facts"
)

// maxEvidenceBytes bounds what is digested of one file.
const maxEvidenceBytes = 1 << 30

// lookup finds the evidence a manifest names, in the folder the manifest
// stands in and nowhere else.
type lookup struct {
	// root is the folder; nil when it could not be opened.
	root *os.Root
	// rootProblem says why root is nil.
	rootProblem error
	// partial is set where the folder is known not to hold everything that
	// stood beside the manifest, as in a capture: then a file that is not
	// there proves nothing.
	partial bool
	// maxBytes is maxEvidenceBytes, or less in tests.
	maxBytes int64
}

func newLookup(folder string, partial bool) *lookup {
	root, err := os.OpenRoot(folder)
	return &lookup{root: root, rootProblem: err, partial: partial, maxBytes: maxEvidenceBytes}
}

func (l *lookup) close() {
	if l.root != nil {
		_ = l.root.Close() // opened for reading; nothing can be lost
	}
}

// find looks up every reference once. What nobody could look at has a gap at
// launch.evidence.
func (l *lookup) find(ctx context.Context, refs []reference) ([]facts.Evidence, []facts.Gap) {
	var gaps []facts.Gap
	found := []facts.Evidence{}
	index := map[string]int{}
	for _, r := range refs {
		path, digest := r.split()
		e := facts.Evidence{Reference: public(r.text), Kind: "file", Path: public(path), RecordedSHA256: digest}
		if r.isURL() {
			e.Kind = "url"
		}
		if i, again := index[e.Reference]; again {
			if found[i].RecordedSHA256 == "" {
				found[i].RecordedSHA256 = e.RecordedSHA256
			}
			continue
		}
		if e.Kind == "file" {
			if gap := l.file(ctx, path, &e); gap != nil {
				gap.Path, gap.Item = "launch.evidence", e.Reference
				gaps = append(gaps, *gap)
			}
		}
		index[e.Reference] = len(found)
		found = append(found, e)
	}
	return found, gaps
}

// file fills in what was found of one file. A reference that cannot serve as
// evidence is not found; one that nobody could look at stays open, and the gap
// says why.
func (l *lookup) file(ctx context.Context, path string, e *facts.Evidence) *facts.Gap {
	no := func(problem string) *facts.Gap {
		found := false
		e.Found, e.Problem = &found, problem
		return nil
	}
	open := func(reason facts.Reason, problem string) *facts.Gap {
		e.Problem = problem
		return &facts.Gap{Reason: reason, Detail: e.Path + ": " + problem}
	}
	clean := filepath.Clean(path)
	if !filepath.IsLocal(clean) {
		return no("the path leads out of the manifest's folder; evidence stands beside the manifest")
	}
	if l.root == nil {
		return open(reasonOf(l.rootProblem), "the manifest's folder cannot be opened: "+cause(l.rootProblem))
	}
	digest, size, err := l.digest(ctx, clean)
	var tooLarge tooLargeError
	switch {
	case err == nil && size == 0:
		return no("the file is empty; it shows nothing")
	case err == nil:
		found := true
		e.Found, e.ActualSHA256 = &found, digest
		return nil
	case errors.Is(err, fs.ErrNotExist) && l.partial:
		return open(facts.ReasonSkipped, "the capture holds the manifest without this file")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return no("no such file beside the manifest")
	case errors.Is(err, errNotAFile):
		return no(err.Error())
	case escapes(err):
		return no("a symbolic link leads out of the manifest's folder; evidence stands beside the manifest")
	case errors.As(err, &tooLarge):
		return open(facts.ReasonSkipped, tooLarge.Error())
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return open(facts.ReasonTimeout, "there was no time to digest the file (raise it with --timeout)")
	}
	return open(reasonOf(err), cause(err))
}

var errNotAFile = errors.New("this is not a file that can be read; name a file")

type tooLargeError int64

func (e tooLargeError) Error() string {
	return fmt.Sprintf("the file has more than %d bytes; its digest was not computed", int64(e))
}

// digest streams the file. It never blocks on a pipe or a device.
func (l *lookup) digest(ctx context.Context, path string) (hexDigest string, size int64, err error) {
	info, err := l.root.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, errNotAFile
	}
	if info.Size() > l.maxBytes {
		return "", 0, tooLargeError(l.maxBytes)
	}
	f, err := l.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(ctxReader{ctx, f}, l.maxBytes+1))
	if err != nil {
		return "", 0, err
	}
	if n > l.maxBytes {
		return "", 0, tooLargeError(l.maxBytes)
	}
	return hex.EncodeToString(h.Sum(nil)), n, nil
}

// ctxReader stops reading when its context ends.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// escapes reports whether os.Root refused a link that leads out of it. The
// error has no name of its own.
func escapes(err error) bool {
	return err != nil && strings.Contains(err.Error(), "path escapes from parent")
}

func reasonOf(err error) facts.Reason {
	if errors.Is(err, fs.ErrPermission) {
		return facts.ReasonDenied
	}
	return facts.ReasonFailed
}

// cause is what the system said, without the path the caller names already.
func cause(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
