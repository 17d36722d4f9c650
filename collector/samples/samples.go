// Package samples reads answers of the services' APIs that a person saved in
// files, with or without their head (curl -i): a completion, the state of a job,
// an error. Of an answer only what tells a symptom is kept: whether there is a
// final answer and why it ended, codes, states and counts. No text of it is.
//
// Nothing is asked of a service; what was saved may be old, and may be of another
// server. It is the word of whoever saved it.
package samples

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// gapPath is where this source reports gaps; their item is the file.
const gapPath = "samples.answers"

// folder of a capture holds saved answers.
const folder = "samples"

const (
	// maxBytes bounds one answer. Those with a picture in them are longer, and
	// tell nothing more.
	maxBytes = 8 << 20
	// maxFiles bounds the answers of one run.
	maxFiles = 500
)

// Options of the source.
type Options struct {
	// Files are the answers, or folders of them (--sample).
	Files []string
	// Services are the names of the services in the launch manifest.
	Services []string
}

// New reads the files that the user named.
func New(o Options) collector.Source {
	s := source{services: o.Services, notAsked: "no saved answers were given (--sample FILE)"}
	s.list = func() ([]string, []facts.Gap) { return expand(o.Files) }
	s.read = func(file string) ([]byte, *facts.Gap) {
		text, err := read(file)
		if err != nil {
			return nil, &facts.Gap{Path: gapPath, Item: file, Reason: reasonOf(err), Detail: fmt.Sprintf("%s: %v", file, err)}
		}
		return text, nil
	}
	return s
}

// FromCapture reads the answers in samples/ of a capture.
func FromCapture(dir *capture.Dir, services []string) collector.Source {
	s := source{via: "capture " + folder + "/", services: services, notAsked: "the capture has no " + folder + "/"}
	s.list = func() ([]string, []facts.Gap) {
		names, failed := dir.List(folder)
		if failed != nil && failed.Reason != facts.ReasonSkipped {
			return nil, []facts.Gap{failed.Gap(gapPath)}
		}
		var files []string
		for _, n := range names {
			files = append(files, path.Join(folder, n))
		}
		return files, nil
	}
	s.read = func(file string) ([]byte, *facts.Gap) {
		text, failed := dir.Read(file)
		switch {
		case failed != nil:
			g := failed.Gap(gapPath)
			g.Item = file
			return text, &g
		case len(text) > maxBytes:
			return nil, &facts.Gap{Path: gapPath, Item: file, Reason: facts.ReasonFailed, Detail: dir.Path(file) + ": " + errLarge.Error()}
		}
		return text, nil
	}
	return s
}

type source struct {
	via, notAsked string
	services      []string
	list          func() ([]string, []facts.Gap)
	read          func(file string) ([]byte, *facts.Gap)
}

func (source) Name() string { return facts.SourceSamples }

// Collect reads the answers; one that cannot be read is a gap.
func (s source) Collect(ctx context.Context) collector.Result {
	files, gaps := s.list()
	if len(files)+len(gaps) == 0 {
		return collector.Result{Report: facts.Missing(facts.SourceSamples, "", facts.ReasonSkipped, s.notAsked)}
	}
	var answers []facts.Sample
	for i, file := range files {
		if ctx.Err() != nil || i == maxFiles {
			gaps = append(gaps, facts.Gap{Path: gapPath, Reason: facts.ReasonSkipped, Detail: fmt.Sprintf("only the first %d of %d saved answers were read", i, len(files))})
			break
		}
		text, g := s.read(file)
		if g != nil {
			gaps = append(gaps, *g)
			continue
		}
		answer, err := parse(text)
		if err != nil {
			gaps = append(gaps, facts.Gap{Path: gapPath, Item: file, Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s: %v", file, err)})
			continue
		}
		sum := sha256.Sum256(text)
		answer.File, answer.SHA256, answer.Service = file, hex.EncodeToString(sum[:]), s.service(file)
		answers = append(answers, answer)
	}
	report := facts.Complete(facts.SourceSamples, s.via)
	for _, g := range gaps {
		report.AddGap(g)
	}
	if len(answers) == 0 && len(gaps) > 0 {
		report.Status = gaps[0].Reason.Status()
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.Samples = facts.Samples{Answers: answers} }}
}

// service is the service that a file is named after: SERVICE.json or
// SERVICE.WORD.json. The longest name wins: names may have dots.
func (s source) service(file string) string {
	base := filepath.Base(file)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	best := ""
	for _, name := range s.services {
		if (base == name || strings.HasPrefix(base, name+".")) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// Count is how many answers there are in the files and folders that were named.
func Count(named []string) int {
	files, _ := expand(named)
	return len(files)
}

// expand lists the files in the folders that were named, sorted and each once.
func expand(named []string) (files []string, gaps []facts.Gap) {
	for _, n := range named {
		info, err := os.Stat(n)
		if err != nil || !info.IsDir() {
			files = append(files, filepath.Clean(n)) // what is wrong with it shows when it is read
			continue
		}
		entries, err := os.ReadDir(n)
		if err != nil {
			gaps = append(gaps, facts.Gap{Path: gapPath, Reason: reasonOf(err), Detail: fmt.Sprintf("%s: %v", n, bare(err))})
		}
		for _, e := range entries {
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, filepath.Join(n, e.Name()))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), gaps
}

var errLarge = fmt.Errorf("it has more than the %d bytes that are read of a saved answer", maxBytes)

func read(file string) (text []byte, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, bare(err)
	}
	// Opening a named pipe would wait for a writer that may never come.
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, bare(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, bare(err)
	}
	if len(text) > maxBytes {
		return nil, errLarge
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
	switch {
	case errors.Is(err, fs.ErrPermission):
		return facts.ReasonDenied
	case errors.Is(err, fs.ErrNotExist):
		return facts.ReasonAbsent
	}
	return facts.ReasonFailed
}
