// Package launch reads the launch manifest, launch.yaml: what a team intends
// for a server, what it recorded, and what people attest.
//
// The file is read strictly. A key that is not known, a value of the wrong
// kind, a name that refers to nothing: each is a problem with its line and
// column, and all are reported at once. A manifest with a problem is no
// manifest: half of one would make rules judge what nobody wrote.
package launch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/strictyaml"
)

// captured is the manifest's name within a capture.
const captured = "launch.yaml"

// Options of the source.
type Options struct {
	// File is the manifest; empty when none was given.
	File string
}

// New returns the source that reads the manifest the user named.
func New(o Options) collector.Source { return &source{file: o.File} }

// FromCapture returns the source that reads the manifest that travels with a
// capture, if one does.
func FromCapture(dir *capture.Dir) collector.Source { return &source{dir: dir} }

// Read reads a manifest and looks up its evidence. The error, a [Problems] if
// it is the content that is wrong, is for a command to show; unlike a source,
// Read does not say why evidence could not be looked at, beyond its Problem.
func Read(file string) (*facts.Launch, facts.Origin, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, facts.Origin{}, err
	}
	l, origin, _, err := load(context.Background(), file, text, false)
	return l, origin, err
}

type source struct {
	file string
	dir  *capture.Dir
}

// Name is facts.SourceLaunch.
func (s *source) Name() string { return facts.SourceLaunch }

// Collect reads the manifest and looks up its evidence.
func (s *source) Collect(ctx context.Context) collector.Result {
	file, text, gap := s.read()
	if gap != nil {
		return missing(file, gap.Reason, gap.Detail)
	}
	l, origin, gaps, err := load(ctx, file, text, s.dir != nil)
	if err != nil {
		return missing(file, facts.ReasonFailed, detail(err))
	}
	report := facts.Complete(facts.SourceLaunch, file)
	for _, g := range gaps {
		report.AddGap(g)
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) {
		d.Launch = *l
		d.Origins = append(slices.DeleteFunc(d.Origins, func(o facts.Origin) bool { return o.Pointer == origin.Pointer }), origin)
	}}
}

// read returns the text of the manifest, or the reason there is none.
func (s *source) read() (file string, text []byte, gap *facts.Gap) {
	if s.dir != nil {
		text, err := s.dir.Read(captured)
		if err != nil && err.Reason == facts.ReasonSkipped {
			return "", nil, &facts.Gap{Reason: err.Reason, Detail: notGiven}
		}
		if err != nil {
			return s.dir.Path(captured), nil, &facts.Gap{Reason: err.Reason, Detail: err.Detail}
		}
		return s.dir.Path(captured), text, nil
	}
	if s.file == "" {
		return "", nil, &facts.Gap{Reason: facts.ReasonSkipped, Detail: notGiven}
	}
	text, err := readFile(s.file)
	if err != nil {
		return s.file, nil, &facts.Gap{Reason: reasonOf(err), Detail: err.Error()}
	}
	return s.file, text, nil
}

const notGiven = "no launch manifest given (--launch launch.yaml; gpugate init writes a first one)"

// missing reports that there is no manifest, and so no evidence either.
func missing(via string, reason facts.Reason, detail string) collector.Result {
	return collector.Result{Report: facts.Source{
		Name: facts.SourceLaunch, Status: reason.Status(), Via: via,
		Gaps: []facts.Gap{
			{Path: "launch.manifest", Reason: reason, Detail: detail},
			{Path: "launch.evidence", Reason: reason, Detail: detail},
		},
	}}
}

// maxProblems bounds how many problems a gap spells out.
const maxProblems = 10

// detail puts an error on one line.
func detail(err error) string {
	var problems Problems
	if !errors.As(err, &problems) {
		return err.Error()
	}
	shown := problems[:min(len(problems), maxProblems)]
	lines := strings.ReplaceAll(shown.Error(), "\n", "; ")
	if more := len(problems) - len(shown); more > 0 {
		lines += fmt.Sprintf("; and %d more", more)
	}
	return lines
}

// load makes the section, its origin and the gaps of its evidence.
func load(ctx context.Context, file string, text []byte, partial bool) (*facts.Launch, facts.Origin, []facts.Gap, error) {
	m, t, err := decode(file, text)
	if err != nil {
		return nil, facts.Origin{}, nil, err
	}
	look := newLookup(filepath.Dir(file), partial)
	defer look.close()
	evidence, gaps := look.find(ctx, references(m))
	clean(m)
	return &facts.Launch{Manifest: m, Evidence: evidence}, t.origin(text), gaps, nil
}

// origin keeps where every value stood.
func (t *tree) origin(text []byte) facts.Origin {
	sum := sha256.Sum256(text)
	const pointer = "/launch/manifest"
	o := facts.Origin{Pointer: pointer, File: t.File(), SHA256: hex.EncodeToString(sum[:])}
	for p, at := range t.Places() {
		o.Positions = append(o.Positions, facts.Position{Pointer: pointer + p, Line: at.Line, Column: at.Column})
	}
	slices.SortFunc(o.Positions, func(a, b facts.Position) int { return strings.Compare(a.Pointer, b.Pointer) })
	return o
}

// readFile reads a manifest, but not more of it than one can have.
func readFile(file string) (text []byte, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("reading the launch manifest: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading the launch manifest: %s is not a file (%s)", file, info.Mode().Type())
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the launch manifest: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, strictyaml.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the launch manifest: %w", err)
	}
	return text, nil
}
